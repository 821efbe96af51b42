//! Each request gets an id, a time and the headers that every answer carries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schema::Timestamp;

use crate::quota::RateLimit;
use crate::state::ApiState;

/// The id of a request, as the answer's `X-Request-Id` and `requestId` show it. Ids sent from outside are not taken
/// over: two requests never share one.
#[derive(Debug, Clone)]
pub struct RequestId(pub Arc<str>);

/// When the request arrived: the one time by which all of it is judged.
#[derive(Debug, Clone, Copy)]
pub struct ArrivedAt(pub Timestamp);

/// Makes ids that neither collide between processes nor tell how many requests there were.
#[derive(Debug)]
pub struct RequestIds {
    seed: [u8; 32],
    next: AtomicU64,
}

impl RequestIds {
    /// Ids of a process that drew this seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            seed,
            next: AtomicU64::new(0),
        }
    }

    fn next(&self) -> RequestId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut id = [0; 15];
        blake3::Hasher::new_keyed(&self.seed)
            .update(&number.to_be_bytes())
            .finalize_xof()
            .fill(&mut id);
        RequestId(URL_SAFE_NO_PAD.encode(id).into())
    }
}

/// Gives the request its id and time; writes `X-Request-Id` and the rate limit into the answer.
pub async fn identify(State(api): State<ApiState>, mut request: Request, next: Next) -> Response {
    let id = api.request_ids().next();
    let now = api.config().now();
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(ArrivedAt(now));
    let mut response = next.run(request).await;
    let limit = response
        .extensions()
        .get()
        .copied()
        .unwrap_or_else(|| RateLimit::unknown(now));
    let headers = response.headers_mut();
    limit.write(headers);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    response
}
