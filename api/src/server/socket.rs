//! The socket of a connection.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::server::activity::Activity;

/// How long a connection that has ended is listened to, for what the client was still sending.
const LINGER: Duration = Duration::from_secs(1);

/// A socket that says what is read, and goes back to whoever lent it when it is dropped.
pub struct Socket {
    stream: Option<TcpStream>,
    activity: Arc<Activity>,
    owner: Option<oneshot::Sender<TcpStream>>,
}

impl Socket {
    /// Lends `stream`.
    pub fn lend(
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

/// Ends a connection in order. A socket that is closed while something unread arrives resets the connection, and takes
/// from the client the answer that it has not read yet: so what arrives is read for a moment, and dropped.
pub async fn close(mut stream: TcpStream) {
    let rest = async {
        stream.shutdown().await?;
        let mut dropped = [0; 2048];
        while stream.read(&mut dropped).await? > 0 {}
        io::Result::Ok(())
    };
    match tokio::time::timeout(LINGER, rest).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "the client has ended the connection"),
        Err(_) => tracing::debug!("the client does not end the connection"),
    }
}

/// Ends a connection at once: what the system still holds to be sent is dropped.
pub fn cut(stream: &TcpStream) {
    if let Err(error) = stream.set_zero_linger() {
        tracing::debug!(%error, "the connection was not reset");
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let (Some(stream), Some(owner)) = (self.stream.take(), self.owner.take()) {
            // Where nobody wants it back, it closes.
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
            self.activity.read(Instant::now());
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
