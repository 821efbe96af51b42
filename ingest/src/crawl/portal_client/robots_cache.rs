//! The robots.txt of each host, fetched once a day.

use std::collections::HashMap;
use std::sync::Arc;

use reqwest::Url;
use schema::Timestamp;
use tokio::sync::Mutex;

use super::robots_txt::RobotsTxt;
use super::send::OutgoingRequest;
use super::{MAX_REDIRECTS, PortalClient, RequestError, retry};

/// How long a robots.txt may be cached, in milliseconds (RFC 9309, 2.4).
const MAX_AGE: i64 = 24 * 60 * 60 * 1000;

/// The rules of every host that was asked for them.
#[derive(Default)]
pub(super) struct RobotsCache {
    by_host: Mutex<HashMap<String, CachedRules>>,
}

#[derive(Clone)]
struct CachedRules {
    fetched_at: Timestamp,
    rules: Rules,
}

#[derive(Clone)]
enum Rules {
    Fetched(Arc<RobotsTxt>),
    /// The host does not answer, so nothing may be requested from it (RFC 9309, 2.3.1.4).
    Unreachable(Arc<str>),
}

impl PortalClient<'_> {
    /// Checks `url` against the robots.txt of its host, and adopts the crawl delay that it asks for.
    ///
    /// # Errors
    /// [`RequestError::Disallowed`], [`RequestError::Stopped`], [`RequestError::RetryTooLate`].
    pub(super) async fn check_robots(&self, url: &Url) -> Result<(), RequestError> {
        let rules = self.rules_for(url).await?;
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        match rules {
            Rules::Fetched(robots) => {
                robots
                    .check(&path)
                    .map_err(|rule| RequestError::Disallowed {
                        url: url.to_string(),
                        why: format!("robots.txt says Disallow: {rule}"),
                    })
            }
            Rules::Unreachable(why) => Err(RequestError::Disallowed {
                url: url.to_string(),
                why: format!("the host's robots.txt cannot be fetched: {why}"),
            }),
        }
    }

    async fn rules_for(&self, url: &Url) -> Result<Rules, RequestError> {
        let host = format!("{}://{}", url.scheme(), url.authority());
        // The lock is held while robots.txt is fetched, so that it is fetched once.
        let mut by_host = self.robots.by_host.lock().await;
        let now = (self.now)();
        let is_fresh = |cached: &&CachedRules| now.millis() - cached.fetched_at.millis() < MAX_AGE;
        if let Some(cached) = by_host.get(&host).filter(is_fresh) {
            return Ok(cached.rules.clone());
        }
        let rules = self.fetch_robots(url).await?;
        if let Rules::Fetched(robots) = &rules
            && let Some(delay) = robots.crawl_delay()
        {
            self.rate_limiter
                .slow_down(delay.min(retry::LONGEST_RETRY_AFTER));
        }
        let cached = CachedRules {
            fetched_at: now,
            rules: rules.clone(),
        };
        by_host.insert(host, cached);
        Ok(rules)
    }

    async fn fetch_robots(&self, page: &Url) -> Result<Rules, RequestError> {
        let mut url = page.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        for _ in 0..=MAX_REDIRECTS {
            let request = OutgoingRequest {
                url: &url,
                body: None,
                known: None,
            };
            let response = match self.send(&request).await {
                Ok(response) => response,
                Err(error @ (RequestError::Stopped | RequestError::RetryTooLate { .. })) => {
                    return Err(error);
                }
                Err(error) => return Ok(Rules::Unreachable(error.to_string().into())),
            };
            match response.status {
                200..=299 => {
                    return Ok(Rules::Fetched(Arc::new(RobotsTxt::parse(&response.body))));
                }
                300..=399 => match self.redirect_target(&url, &response) {
                    Some(target) => url = target,
                    None => break,
                },
                // The host has no robots.txt, so everything is allowed (RFC 9309, 2.3.1.3).
                _ => break,
            }
        }
        Ok(Rules::Fetched(Arc::new(RobotsTxt::default())))
    }
}
