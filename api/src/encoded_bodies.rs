//! Compressed bodies, kept for the same answers later.
//!
//! Compressing a page takes longer than finding it and putting it together, and popular pages repeat. A strong
//! `ETag` names the bytes of a body in its encoding, so what is kept under it never becomes outdated.

use std::io;

use axum::body::Bytes;
use axum::http::HeaderValue;
use moka::sync::Cache;

use crate::encoding::Encoding;

/// What the cache needs for an entry besides its body, in bytes: the tag and moka's own.
const ENTRY: usize = 300;

/// Compressed bodies by their `ETag`, up to a number of bytes. Those that are asked for most are kept.
#[derive(Debug, Clone)]
pub(crate) struct EncodedBodies(Cache<HeaderValue, Bytes>);

impl EncodedBodies {
    pub(crate) fn new(most_bytes: u64) -> Self {
        let weight = |_: &HeaderValue, body: &Bytes| (body.len() + ENTRY) as u32;
        let cache = Cache::builder().max_capacity(most_bytes).weigher(weight);
        Self(cache.build())
    }

    /// The body in this encoding. `etag` is that of the encoded body.
    ///
    /// # Errors
    /// Why it cannot be compressed; that does not happen in practice.
    pub(crate) fn encode(
        &self,
        body: &[u8],
        encoding: Encoding,
        etag: Option<&HeaderValue>,
    ) -> io::Result<Bytes> {
        let encode = || encoding.encode(body).map(Bytes::from);
        let Some(etag) = etag else {
            return encode();
        };
        if let Some(encoded) = self.0.get(etag) {
            return Ok(encoded);
        }
        let encoded = encode()?;
        self.0.insert(etag.clone(), encoded.clone());
        Ok(encoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(number: usize) -> HeaderValue {
        HeaderValue::try_from(format!("\"{number}\"")).unwrap()
    }

    #[test]
    fn a_body_is_compressed_once() {
        let bodies = EncodedBodies::new(10_000);
        let body = [b'a'; 2_000];
        let encode = |etag: Option<HeaderValue>| {
            let encoded = bodies.encode(&body, Encoding::Gzip, etag.as_ref());
            encoded.unwrap()
        };
        let first = encode(Some(tag(1)));
        let again = encode(Some(tag(1)));
        assert_eq!(again.as_ptr(), first.as_ptr(), "the same memory");
        for other in [Some(tag(2)), None] {
            let other = encode(other);
            assert_eq!(other, first);
            assert_ne!(other.as_ptr(), first.as_ptr());
        }
    }

    #[test]
    fn the_memory_for_bodies_is_bounded() {
        let bodies = EncodedBodies::new(50_000);
        for number in 0..1_000 {
            let body: Vec<u8> = (0..1_000).map(|at| (at * at * number) as u8).collect();
            bodies
                .encode(&body, Encoding::Zstd, Some(&tag(number)))
                .unwrap();
        }
        bodies.0.run_pending_tasks();
        assert!((1..=50_000).contains(&bodies.0.weighted_size()));
        let none = EncodedBodies::new(0);
        none.encode(&[0; 2_000], Encoding::Zstd, Some(&tag(1)))
            .unwrap();
        none.0.run_pending_tasks();
        assert_eq!(none.0.entry_count(), 0);
    }
}
