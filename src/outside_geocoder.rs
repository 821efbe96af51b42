//! The outside geocoder: a Nominatim-compatible service for addresses that the gazetteer does not know.
//!
//! The service may be slow, wrong or unreachable. Requests to it are sent at a limited rate, its answers are cached, and
//! a failure counts as no answer, never as an error of the search.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use moka::future::Cache;
use reqwest::{Client, Url};
use schema::Location;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

/// How long an answer may take, including the wait for the rate limit.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How many answers are cached, and how long.
const CACHED_ANSWERS: u64 = 10_000;
const CACHED_FOR: Duration = Duration::from_hours(24);
/// Public services require clients to identify themselves.
const USER_AGENT: &str = concat!("jeden/", env!("CARGO_PKG_VERSION"));

/// The client of the service.
struct OutsideGeocoder {
    http: Client,
    url: Url,
    /// The shortest time between two requests.
    interval: Duration,
    /// When the next request may be sent.
    next_request: Mutex<Instant>,
    /// Answers by folded text; `None` if the service knows no place.
    answers: Cache<String, Option<Location>>,
}

/// The fields of an answer that are used.
#[derive(Deserialize)]
struct Found {
    lat: String,
    lon: String,
}

/// A geocoder that asks the service at `url`, at most once per `interval`.
///
/// # Errors
/// If the URL is invalid or the TLS client cannot be built.
pub fn outside_geocoder(url: &str, interval: Duration) -> anyhow::Result<api::OutsideGeocoder> {
    let mut url = Url::parse(url).with_context(|| {
        format!("JEDEN_GEOCODER_URL must be an http:// or https:// URL; got {url:?}")
    })?;
    anyhow::ensure!(
        matches!(url.scheme(), "http" | "https"),
        "JEDEN_GEOCODER_URL must be an http:// or https:// URL; got {url}"
    );
    if !url.path().ends_with("/search") {
        url.set_path(&format!("{}/search", url.path().trim_end_matches('/')));
    }
    // This fails if a provider is installed already, which is fine.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let http = Client::builder()
        .user_agent(USER_AGENT)
        .timeout(TIMEOUT)
        .build()?;
    let answers = Cache::builder()
        .max_capacity(CACHED_ANSWERS)
        .time_to_live(CACHED_FOR)
        .build();
    let geocoder = OutsideGeocoder {
        http,
        url,
        interval,
        next_request: Mutex::new(Instant::now()),
        answers,
    };
    let geocoder = Arc::new(geocoder);
    Ok(Arc::new(move |text| {
        let geocoder = Arc::clone(&geocoder);
        Box::pin(async move { geocoder.locate(&text).await })
    }))
}

impl OutsideGeocoder {
    /// The position of `text` according to the service. A failure is logged without the text and is not cached.
    async fn locate(&self, text: &str) -> Option<Location> {
        let answer = self
            .answers
            .try_get_with(czech::fold_name(text), self.ask(text));
        match timeout(TIMEOUT, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the outside geocoder failed");
                None
            }
            Err(_) => {
                tracing::warn!("the outside geocoder did not answer in time");
                None
            }
        }
    }

    async fn ask(&self, text: &str) -> Result<Option<Location>, reqwest::Error> {
        self.wait_for_interval().await;
        let query = [
            ("q", text),
            ("format", "jsonv2"),
            ("limit", "1"),
            ("countrycodes", "cz"),
        ];
        let request = self
            .http
            .get(self.url.clone())
            .query(&query)
            .header("accept-language", "cs");
        // The URL contains the searched address, so it is removed from errors.
        let answer = async {
            request
                .send()
                .await?
                .error_for_status()?
                .json::<Vec<Found>>()
                .await
        };
        let found = answer.await.map_err(reqwest::Error::without_url)?;
        Ok(found.first().and_then(Found::location))
    }

    async fn wait_for_interval(&self) {
        let mut next_request = self.next_request.lock().await;
        sleep_until(*next_request).await;
        *next_request = Instant::now() + self.interval;
    }
}

impl Found {
    /// The position, if it is roughly in the country.
    fn location(&self) -> Option<Location> {
        let (lat, lng) = (self.lat.parse().ok()?, self.lon.parse().ok()?);
        let inside = (48.5..51.1).contains(&lat) && (12.0..18.9).contains(&lng);
        inside.then_some(Location { lat, lng })
    }
}
