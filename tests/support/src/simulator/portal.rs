//! A simulated portal: which adverts it can show, and how it answers in its own format.

use std::borrow::Cow;

use super::advert::Advert;

/// A simulated portal, as pure functions from its adverts to its answers.
#[derive(Debug, Clone, Copy)]
pub struct SimulatedPortal {
    /// The portal's id.
    pub site_id: &'static str,
    /// The hosts it answers on.
    pub hosts: &'static [&'static str],
    /// Its robots.txt, the same on every host.
    pub robots: &'static str,
    /// Converts the simulator's number of an advert to the portal's, in the portal's own format.
    pub offer_id: fn(number: u64) -> String,
    /// Answers a request other than for robots.txt. The adverts are the live ones, the newest first.
    pub answer: fn(&PortalRequest, adverts: &[Advert]) -> Reply,
}

/// A request as the simulator received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// The portal's host.
    pub host: String,
    /// The path, percent-encoded.
    pub path: String,
    /// The decoded pairs of the query.
    pub query: Vec<(String, String)>,
    /// The posted body.
    pub body: String,
}

impl PortalRequest {
    /// The request for a URL on the portal's own host, with a posted body if there is one.
    ///
    /// # Panics
    /// If `address` is not a URL.
    pub fn new(address: &str, posted: Option<String>) -> Self {
        let address = reqwest::Url::parse(address).expect("the address of a request");
        let owned = |(name, value): (Cow<str>, Cow<str>)| (name.into_owned(), value.into_owned());
        Self {
            method: if posted.is_some() { "POST" } else { "GET" }.to_owned(),
            host: address.host_str().unwrap_or_default().to_owned(),
            path: address.path().to_owned(),
            query: address.query_pairs().map(owned).collect(),
            body: posted.unwrap_or_default(),
        }
    }

    /// The value of a parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }
}

/// A reply of the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers, except for the length.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
}

impl Reply {
    /// A reply with status 200 and HTML.
    pub fn page(body: String) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "text/html; charset=utf-8".to_owned())],
            body,
        }
    }

    /// A reply with status 200 and JSON.
    pub fn json(body: String) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "application/json".to_owned())],
            body,
        }
    }

    /// A reply without a body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: String::new(),
        }
    }

    /// A redirect to another URL on the portal's own host.
    pub fn redirect(to: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("location", to.to_owned())],
            body: String::new(),
        }
    }
}
