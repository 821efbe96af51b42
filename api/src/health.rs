//! GET /health: whether the service can answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use schema::store::{Db, StoreError, Writing};
use tokio::sync::Mutex;

use crate::config::ApiConfig;
use crate::error::ApiError;
use crate::params::no_parameters;
use crate::patience::in_time;
use crate::state::ApiState;

/// `{"status":"ok"}` while the database answers, and takes what is written: without counting it, no request is answered.
///
/// # Errors
/// 503 when it does not, or not in time; 400 for any parameter.
pub async fn health(
    State(api): State<ApiState>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    no_parameters(query.as_deref().unwrap_or_default())?;
    api.health()
        .check()
        .await
        .map_err(|error| ApiError::Unavailable(error.into()))?;
    let mut response = (
        [(header::CONTENT_TYPE, "application/json")],
        r#"{"status":"ok"}"#,
    )
        .into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// What is known of the database's health. However many ask, it is examined by one at a time, and every so often.
#[derive(Debug)]
pub struct Health {
    db: Db,
    timeout: Duration,
    ttl: Duration,
    busy: Duration,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    /// When it was examined, and what came of it.
    found: Option<(Instant, Result<(), Arc<StoreError>>)>,
    /// Since when somebody else has been writing.
    busy_since: Option<Instant>,
}

impl Health {
    /// Nothing is known yet.
    pub fn new(db: Db, config: &ApiConfig) -> Self {
        Self {
            db,
            timeout: config.health_timeout,
            ttl: config.health_ttl,
            busy: config.health_busy,
            last: Mutex::default(),
        }
    }

    /// Whether the database is well, as of a moment ago.
    async fn check(&self) -> Result<(), Arc<StoreError>> {
        let mut last = self.last.lock().await;
        if let Some((at, found)) = &last.found
            && at.elapsed() < self.ttl
        {
            return found.clone();
        }
        let found = self.examine(&mut last.busy_since).await.map_err(Arc::new);
        last.found = Some((Instant::now(), found.clone()));
        found
    }

    async fn examine(&self, busy_since: &mut Option<Instant>) -> Result<(), StoreError> {
        let examined = async {
            self.db.ping().await?;
            self.db.try_write().await
        };
        match in_time(self.timeout, examined).await? {
            Writing::Done => *busy_since = None,
            Writing::Busy => {
                let since = *busy_since.get_or_insert_with(Instant::now);
                if since.elapsed() > self.busy {
                    let reason = "somebody else keeps it locked".to_owned();
                    return Err(StoreError::Unreachable { reason });
                }
            }
        }
        Ok(())
    }
}
