//! The TCP stream of a connection.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::server::activity::Activity;

/// How long data from the client is still read and dropped after the last answer.
const LINGER: Duration = Duration::from_secs(1);

/// A stream that reports when something is read, and hands the TCP stream back when it is dropped.
pub(crate) struct Socket {
    stream: Option<TcpStream>,
    activity: Arc<Activity>,
    owner: Option<oneshot::Sender<TcpStream>>,
}

impl Socket {
    /// Wraps `stream`. The receiver gets it back when the socket is dropped.
    pub(crate) fn wrap(
        stream: TcpStream,
        activity: Arc<Activity>,
    ) -> (Self, oneshot::Receiver<TcpStream>) {
        let (owner, returned) = oneshot::channel();
        (
            Self {
                stream: Some(stream),
                activity,
                owner: Some(owner),
            },
            returned,
        )
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream
            .as_mut()
            .map(Pin::new)
            .ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

/// Closes a connection gracefully. Closing a socket with unread data resets the connection, and the client may lose an
/// answer that it has not read yet. So data from the client is read and dropped for a moment.
pub(crate) async fn close(mut stream: TcpStream) {
    let rest = async {
        stream.shutdown().await?;
        let mut dropped = [0; 2048];
        while stream.read(&mut dropped).await? > 0 {}
        io::Result::Ok(())
    };
    match tokio::time::timeout(LINGER, rest).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "the client closed the connection"),
        Err(_) => tracing::debug!("the client keeps the connection open"),
    }
}

/// Resets a connection: data that the system has not sent yet is dropped.
pub(crate) fn reset(stream: &TcpStream) {
    if let Err(error) = stream.set_zero_linger() {
        tracing::debug!(%error, "resetting the connection failed");
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let (Some(stream), Some(owner)) = (self.stream.take(), self.owner.take()) {
            // If the receiver is gone, this closes the stream.
            drop(owner.send(stream));
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(self.stream()?.poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.on_read(Instant::now());
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream
            .as_ref()
            .is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(context)
    }
}
