//! The client.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;

use crate::error::{Error, Refusal};
use crate::records::{Filters, Me, OfferDetail, OfferSummary, SearchResponse};

const LARGEST_PAGE: u32 = 50;

/// Reads one service with one token.
#[derive(Debug, Clone)]
pub struct Client {
    base_url: String,
    token: String,
    agent: Agent,
    max_wait: Duration,
}

impl Client {
    /// A client of the service at `base_url`.
    pub fn new(base_url: &str, token: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(30)));
        Self {
            base_url: base_url.trim_end_matches('/').to_owned(),
            token: token.to_owned(),
            agent: config.build().into(),
            max_wait: Duration::from_secs(60),
        }
    }

    /// Sets how long the client waits at most when the service says when to come back; zero never waits.
    #[must_use]
    pub fn max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = max_wait;
        self
    }

    /// Every record that matches, newest change first, page by page. After an error it ends.
    pub fn offers(&self, filters: &Filters) -> Offers<'_> {
        Offers {
            pages: self.pages(filters, LARGEST_PAGE),
            page: Vec::new().into_iter(),
        }
    }

    /// The pages of a search, of up to `limit` records. Each is one request. After an error it ends.
    pub fn pages(&self, filters: &Filters, limit: u32) -> Pages<'_> {
        Pages {
            client: self,
            filters: filters.clone(),
            limit,
            next: Next::First,
        }
    }

    /// One page of a search; `cursor` is the `next_cursor` of the page before.
    ///
    /// # Errors
    /// [`Error`].
    pub fn page(
        &self,
        filters: &Filters,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<SearchResponse, Error> {
        let mut query = Vec::new();
        if let Value::Object(given) = serde_json::to_value(filters)? {
            query.extend(given.into_iter().map(|(name, value)| match value {
                Value::String(text) => (name, text),
                other => (name, other.to_string()),
            }));
        }
        query.push(("limit".to_owned(), limit.to_string()));
        query.extend(cursor.map(|cursor| ("cursor".to_owned(), cursor.to_owned())));
        self.get("/v1/offers", &query)
    }

    /// A record with its adverts and their prices.
    ///
    /// # Errors
    /// [`Error`].
    pub fn offer(&self, id: &str) -> Result<OfferDetail, Error> {
        let escaped: String = id.bytes().map(escaped).collect();
        self.get(&format!("/v1/offers/{escaped}"), &[])
    }

    /// The token, its plan and what is left of the quota; not counted.
    ///
    /// # Errors
    /// [`Error`].
    pub fn me(&self) -> Result<Me, Error> {
        self.get("/v1/me", &[])
    }

    fn get<T: DeserializeOwned>(&self, path: &str, query: &[(String, String)]) -> Result<T, Error> {
        let url = format!("{}{path}", self.base_url);
        let mut waited = Duration::ZERO;
        loop {
            let request = self.agent.get(&url);
            let request = request.query_pairs(query.iter().map(|(name, value)| (name, value)));
            let mut answer = request
                .header("Authorization", format!("Bearer {}", self.token))
                .call()?;
            let status = answer.status();
            let retry_after = answer.headers().get("Retry-After");
            let retry_after = retry_after
                .and_then(|value| value.to_str().ok()?.parse().ok())
                .map(Duration::from_secs);
            let body = answer.body_mut().read_to_string()?;
            if status.is_success() {
                return Ok(serde_json::from_str(&body)?);
            }
            let refusal = Refusal::new(status.as_u16(), &body, retry_after);
            // Also a wait of 0 seconds counts, so that the client cannot ask for ever.
            let wait = retry_after.map(|wait| wait.max(Duration::from_secs(1)));
            let wait = wait.filter(|wait| {
                [429, 500].contains(&status.as_u16()) && waited + *wait <= self.max_wait
            });
            let Some(wait) = wait else {
                return Err(Error::Refused(Box::new(refusal)));
            };
            std::thread::sleep(wait);
            waited += wait;
        }
    }
}

/// A byte of a path's segment.
fn escaped(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

/// Where the next page begins.
#[derive(Debug, Clone)]
enum Next {
    First,
    Cursor(String),
    Nowhere,
}

/// The pages of a search.
#[derive(Debug, Clone)]
pub struct Pages<'a> {
    client: &'a Client,
    filters: Filters,
    limit: u32,
    next: Next,
}

impl Iterator for Pages<'_> {
    type Item = Result<SearchResponse, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = match std::mem::replace(&mut self.next, Next::Nowhere) {
            Next::First => None,
            Next::Cursor(cursor) => Some(cursor),
            Next::Nowhere => return None,
        };
        let page = self
            .client
            .page(&self.filters, self.limit, cursor.as_deref());
        if let Ok(page) = &page
            && let Some(cursor) = &page.pagination.next_cursor
        {
            self.next = Next::Cursor(cursor.clone());
        }
        Some(page)
    }
}

/// The records of a search.
#[derive(Debug, Clone)]
pub struct Offers<'a> {
    pages: Pages<'a>,
    page: std::vec::IntoIter<OfferSummary>,
}

impl Iterator for Offers<'_> {
    type Item = Result<OfferSummary, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(offer) = self.page.next() {
                return Some(Ok(offer));
            }
            match self.pages.next()? {
                Ok(page) => self.page = page.data.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
