//! The id and the arrival time of a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schema::Timestamp;

/// The id of a request, sent as `X-Request-Id` and `requestId`. An id that a client sends is ignored, so no two requests
/// share one.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub Arc<str>);

/// When the request arrived. Everything about the request that depends on time uses this instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArrivedAt(pub Timestamp);

/// Makes ids that do not collide between processes and do not reveal how many requests there were.
#[derive(Debug)]
pub(crate) struct RequestIds {
    seed: [u8; 32],
    next: AtomicU64,
}

impl RequestIds {
    /// Ids of a process that drew this seed.
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self {
            seed,
            next: AtomicU64::new(0),
        }
    }

    /// The id of one more request.
    pub(crate) fn next(&self) -> RequestId {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut id = [0; 15];
        blake3::Hasher::new_keyed(&self.seed)
            .update(&number.to_be_bytes())
            .finalize_xof()
            .fill(&mut id);
        RequestId(URL_SAFE_NO_PAD.encode(id).into())
    }
}
