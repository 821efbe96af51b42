//! An answer, read completely.

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
    /// The body as JSON; null if it is not JSON.
    pub body: Value,
}

impl Answer {
    pub async fn from_response(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        Self {
            status,
            headers,
            bytes,
            body,
        }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The error's code.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    pub fn message(&self) -> &str {
        self.body["error"]["message"].as_str().unwrap_or_default()
    }

    /// The parameters in `details`, in order.
    pub fn faulty(&self) -> Vec<&str> {
        let details = self.body["error"]["details"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        details
            .iter()
            .filter_map(|detail| detail["path"].as_str())
            .collect()
    }

    /// The message in `details` for a parameter.
    pub fn fault(&self, path: &str) -> &str {
        let details = self.body["error"]["details"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        details
            .iter()
            .find(|detail| detail["path"] == path)
            .and_then(|detail| detail["message"].as_str())
            .unwrap_or_default()
    }

    /// The ids of a page, in order.
    pub fn ids(&self) -> Vec<&str> {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| offer["id"].as_str().unwrap())
            .collect()
    }

    pub fn next_cursor(&self) -> Option<&str> {
        self.body["pagination"]["nextCursor"].as_str()
    }

    /// `X-RateLimit-Limit`, `-Remaining`, `-Reset`.
    pub fn rate_limit(&self) -> (u32, u32, i64) {
        (
            self.header("x-ratelimit-limit").parse().unwrap(),
            self.header("x-ratelimit-remaining").parse().unwrap(),
            self.header("x-ratelimit-reset").parse().unwrap(),
        )
    }
}
