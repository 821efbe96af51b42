//! The robots.txt of each host, asked for once a day.

use std::collections::HashMap;
use std::sync::Arc;

use reqwest::Url;
use schema::Timestamp;
use tokio::sync::Mutex;

use super::http::Question;
use super::robots::Robots;
use super::{Guest, GuestError, HOPS, patience};

/// How long a robots.txt holds, in milliseconds (RFC 9309, 2.4).
const KEPT: i64 = 24 * 60 * 60 * 1000;

/// The rules of the hosts that were asked.
#[derive(Default)]
pub(super) struct Hosts {
    rules: Mutex<HashMap<String, Known>>,
}

#[derive(Clone)]
struct Known {
    since: Timestamp,
    rules: Rules,
}

#[derive(Clone)]
enum Rules {
    Had(Arc<Robots>),
    /// Where it cannot be had, nothing may be asked for (RFC 9309, 2.3.1.4).
    Unreachable(Arc<str>),
}

impl Guest<'_> {
    /// Whether the host's robots.txt allows `url`; slows down to the delay that it asks for.
    pub(super) async fn may_ask(&self, url: &Url) -> Result<(), GuestError> {
        let rules = self.rules(url).await?;
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        match rules {
            Rules::Had(robots) => robots
                .verdict(&path)
                .map_err(|rule| GuestError::Disallowed {
                    url: url.to_string(),
                    why: format!("robots.txt says Disallow: {rule}"),
                }),
            Rules::Unreachable(why) => Err(GuestError::Disallowed {
                url: url.to_string(),
                why: format!("the host's robots.txt cannot be had: {why}"),
            }),
        }
    }

    async fn rules(&self, url: &Url) -> Result<Rules, GuestError> {
        let host = format!("{}://{}", url.scheme(), url.authority());
        // Held while it is asked for: whoever else wants it waits.
        let mut known = self.hosts.rules.lock().await;
        let now = (self.now)();
        if let Some(known) = known
            .get(&host)
            .filter(|known| now.millis() - known.since.millis() < KEPT)
        {
            return Ok(known.rules.clone());
        }
        let rules = self.fetch(url).await?;
        if let Rules::Had(robots) = &rules
            && let Some(delay) = robots.crawl_delay()
        {
            self.pace.slow_down(delay.min(patience::LONGEST_ASKED));
        }
        known.insert(
            host,
            Known {
                since: now,
                rules: rules.clone(),
            },
        );
        Ok(rules)
    }

    async fn fetch(&self, page: &Url) -> Result<Rules, GuestError> {
        let mut url = page.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        for _ in 0..=HOPS {
            let reply = match self
                .send(&Question {
                    url: &url,
                    body: None,
                    known: None,
                })
                .await
            {
                Ok(reply) => reply,
                Err(GuestError::Stopped) => return Err(GuestError::Stopped),
                Err(error) => return Ok(Rules::Unreachable(error.to_string().into())),
            };
            match reply.status {
                200..=299 => return Ok(Rules::Had(Arc::new(Robots::parse(&reply.body)))),
                300..=399 => match self.redirect(&url, &reply) {
                    Some(target) => url = target,
                    None => break,
                },
                // There is none, so that everything is allowed (RFC 9309, 2.3.1.3).
                _ => break,
            }
        }
        Ok(Rules::Had(Arc::new(Robots::default())))
    }
}
