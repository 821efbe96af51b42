//! One portal as it is simulated: which adverts it can show, and how it answers in its own form.

use std::borrow::Cow;

use super::advert::Advert;

/// A portal in the simulator: pure functions from the adverts that are on it to the answers it would give.
#[derive(Debug, Clone, Copy)]
pub struct SimulatedPortal {
    /// The portal's id.
    pub site_id: &'static str,
    /// The hosts it answers on.
    pub hosts: &'static [&'static str],
    /// Its robots.txt, the same on every host.
    pub robots: &'static str,
    /// The portal's number of the simulator's `number`th advert, in the portal's own form.
    pub offer_id: fn(number: u64) -> String,
    /// What it answers to a request other than for robots.txt, while `adverts` are on it, the newest first.
    pub answer: fn(&Ask, adverts: &[Advert]) -> Reply,
}

/// A request as it reached the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// `GET` or `POST`.
    pub method: String,
    /// The portal's host that was meant.
    pub host: String,
    /// The path, percent-encoding as it came.
    pub path: String,
    /// The query's pairs, decoded.
    pub query: Vec<(String, String)>,
    /// What was posted.
    pub body: String,
}

impl Ask {
    /// The request for an address with the portal's own host; what is given is posted.
    ///
    /// # Panics
    /// Where it is no address.
    pub fn of(address: &str, posted: Option<String>) -> Self {
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

/// An answer of the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// Headers beside the length.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
}

impl Reply {
    /// An answer of 200 with HTML.
    pub fn page(body: String) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "text/html; charset=utf-8".to_owned())],
            body,
        }
    }

    /// An answer of 200 with JSON.
    pub fn json(body: String) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "application/json".to_owned())],
            body,
        }
    }

    /// An answer without a body that is of use.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: String::new(),
        }
    }

    /// A redirect to another page of the portal, given with its own host.
    pub fn redirect(to: &str) -> Self {
        Self {
            status: 302,
            headers: vec![("location", to.to_owned())],
            body: String::new(),
        }
    }
}
