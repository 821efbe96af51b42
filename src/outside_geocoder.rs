//! The geocoder outside: a Nominatim-compatible service, asked where the own gazetteer knows no answer.
//!
//! It is a guest that may be slow, wrong or gone: it is asked one question at a time at a fixed pace, its answers are
//! kept, and whatever fails is no answer, never an error of the search.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use moka::future::Cache;
use reqwest::{Client, Url};
use schema::Location;
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

/// How long an answer may take, with the wait for the question's turn.
const PATIENCE: Duration = Duration::from_secs(3);
/// How many answers are kept, and how long.
const KEPT: u64 = 10_000;
const KEPT_FOR: Duration = Duration::from_hours(24);
/// Public services ask their callers to say who they are.
const USER_AGENT: &str = concat!("jeden/", env!("CARGO_PKG_VERSION"));

/// Whoever asks the service.
struct OutsideGeocoder {
    http: Client,
    url: Url,
    /// The least time between two questions.
    pace: Duration,
    /// When the next question may be asked.
    turn: Mutex<Instant>,
    /// Answers by folded text; that there is none is one too.
    answers: Cache<String, Option<Location>>,
}

/// What is read of an answer.
#[derive(Deserialize)]
struct Found {
    lat: String,
    lon: String,
}

/// The way to ask the service at `url`, at most once in every `pace`.
///
/// # Errors
/// Where the address is none, or no TLS can be had.
pub fn at(url: &str, pace: Duration) -> anyhow::Result<api::OutsideGeocoder> {
    let mut url =
        Url::parse(url).with_context(|| format!("JEDEN_GEOCODER_URL {url:?} is no address"))?;
    anyhow::ensure!(
        matches!(url.scheme(), "http" | "https"),
        "JEDEN_GEOCODER_URL {url} is neither http:// nor https://"
    );
    if !url.path().ends_with("/search") {
        url.set_path(&format!("{}/search", url.path().trim_end_matches('/')));
    }
    // A provider that is there already will do.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let http = Client::builder()
        .user_agent(USER_AGENT)
        .timeout(PATIENCE)
        .build()?;
    let answers = Cache::builder()
        .max_capacity(KEPT)
        .time_to_live(KEPT_FOR)
        .build();
    let geocoder = OutsideGeocoder {
        http,
        url,
        pace,
        turn: Mutex::new(Instant::now()),
        answers,
    };
    let geocoder = Arc::new(geocoder);
    Ok(Arc::new(move |text| {
        let geocoder = Arc::clone(&geocoder);
        Box::pin(async move { geocoder.locate(&text).await })
    }))
}

impl OutsideGeocoder {
    /// Where the service says that `text` is. A failure is logged without the text, and asked about again next time.
    async fn locate(&self, text: &str) -> Option<Location> {
        let asked = self
            .answers
            .try_get_with(czech::fold_name(text), self.ask(text));
        match timeout(PATIENCE, asked).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the geocoder outside did not answer");
                None
            }
            Err(_) => {
                tracing::warn!("the geocoder outside did not answer in time");
                None
            }
        }
    }

    async fn ask(&self, text: &str) -> Result<Option<Location>, reqwest::Error> {
        self.wait_for_turn().await;
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
        // The address asked for is in the URL, which errors name.
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

    async fn wait_for_turn(&self) {
        let mut turn = self.turn.lock().await;
        sleep_until(*turn).await;
        *turn = Instant::now() + self.pace;
    }
}

impl Found {
    /// The position, if it lies in the country, give or take.
    fn location(&self) -> Option<Location> {
        let (lat, lng) = (self.lat.parse().ok()?, self.lon.parse().ok()?);
        let inside = (48.5..51.1).contains(&lat) && (12.0..18.9).contains(&lng);
        inside.then_some(Location { lat, lng })
    }
}
