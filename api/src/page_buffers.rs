//! The memory of pages that were sent, for the pages after them.
//!
//! A page is some 50 KB. The allocator would hand out other memory for each, which the processor's cache does not hold.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

/// How many buffers are kept, and the largest that is.
const KEPT: usize = 32;
const LARGEST: usize = 256 * 1024;

/// Buffers that wait for a page. The one that was used last is used first.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageBuffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl PageBuffers {
    /// An empty buffer with room for this many bytes.
    pub(crate) fn take(&self, capacity: usize) -> Vec<u8> {
        let mut buffer = self.with_kept(Vec::pop).unwrap_or_default();
        buffer.reserve(capacity);
        buffer
    }

    /// The page in a buffer, as it is sent. Its memory is kept when the last copy is dropped.
    pub(crate) fn lend(&self, page: Vec<u8>) -> Bytes {
        let buffers = self.clone();
        Bytes::from_owner(Lent { page, buffers })
    }

    fn keep(&self, mut buffer: Vec<u8>) {
        if buffer.capacity() <= LARGEST {
            buffer.clear();
            self.with_kept(|kept| {
                if kept.len() < KEPT {
                    kept.push(buffer);
                }
            });
        }
    }

    /// A poisoned lock is not a problem, because no change to the list can panic halfway.
    fn with_kept<T>(&self, change: impl FnOnce(&mut Vec<Vec<u8>>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct Lent {
    page: Vec<u8>,
    buffers: PageBuffers,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.page
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.buffers.keep(std::mem::take(&mut self.page));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_page_is_used_again_once_it_was_sent() {
        let buffers = PageBuffers::default();
        let mut buffer = buffers.take(1_000);
        buffer.extend_from_slice(b"a page");
        let memory = buffer.as_ptr();
        let sent = buffers.lend(buffer);
        let part = sent.slice(2..);
        drop(sent);
        let other = buffers.take(10);
        assert_ne!(other.as_ptr(), memory, "a part is still in use");
        assert_eq!(part, "page");
        drop(part);
        let again = buffers.take(10);
        assert_eq!((again.as_ptr(), again.len()), (memory, 0));
    }

    #[test]
    fn few_buffers_are_kept_and_no_large_one() {
        let buffers = PageBuffers::default();
        let lent: Vec<Bytes> = (0..KEPT + 5)
            .map(|_| buffers.lend(buffers.take(100)))
            .collect();
        drop(lent);
        drop(buffers.lend(Vec::with_capacity(LARGEST + 1)));
        assert_eq!(buffers.with_kept(|kept| kept.len()), KEPT);
        assert!(buffers.with_kept(|kept| kept.iter().all(|it| it.capacity() <= LARGEST)));
    }
}
