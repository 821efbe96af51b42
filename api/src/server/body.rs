//! A response body that reports when it has been sent.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

use crate::server::activity::OpenRequest;

/// A body that keeps its request open until the system has taken every byte, or the connection is gone.
#[derive(Debug)]
pub(crate) struct TrackedBody {
    body: Body,
    request: Arc<OpenRequest>,
}

impl TrackedBody {
    /// The body of the answer to a request.
    pub(crate) fn new(body: Body, request: OpenRequest) -> Self {
        Self {
            body,
            request: Arc::new(request),
        }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let request = &self.request;
        let keep = |data| {
            Bytes::from_owner(Unsent {
                data,
                _request: Arc::clone(request),
            })
        };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(keep))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

struct Unsent {
    data: Bytes,
    _request: Arc<OpenRequest>,
}

impl AsRef<[u8]> for Unsent {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}
