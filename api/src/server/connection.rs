//! Serving one connection.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, Version, header};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::time::{MissedTickBehavior, interval, sleep_until};
use tokio_util::sync::CancellationToken;
use tower::{ServiceExt, service_fn};

use crate::access::Peer;
use crate::config::ConnectionLimits;
use crate::server::activity::{Activity, Verdict};
use crate::server::answer::Answer;
use crate::server::socket::{self, Socket};

/// The largest head of a request that is read, in bytes, and beyond it answered without a body: well over what is let pass,
/// so that it is seldom met.
const HEAD_LIMIT: usize = 64 * 1024;

/// What it takes to serve a connection.
pub struct Connection {
    /// Answers requests.
    pub router: Router,
    /// Whose it is.
    pub peer: Peer,
    /// The bounds of it.
    pub limits: ConnectionLimits,
}

impl Connection {
    /// Serves until the connection ends, is of no use any more, or `ending` comes and what was begun is answered.
    pub async fn serve(self, stream: TcpStream, ending: CancellationToken) {
        // Answers are small and whole: waiting for more to send gains nothing.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY was not set");
        }
        let activity = Arc::new(Activity::new(self.limits.clone(), Instant::now()));
        let (socket, mut returned) = Socket::lend(stream, Arc::clone(&activity));
        let is_cut = self.drive(socket, &activity, ending).await;
        // HTTP has let go of the socket.
        match returned.try_recv() {
            Ok(stream) if is_cut => socket::cut(&stream),
            Ok(stream) => socket::close(stream).await,
            Err(_) => {}
        }
    }

    /// Speaks HTTP on a socket; returns whether it had to be cut off.
    async fn drive(
        &self,
        socket: Socket,
        activity: &Arc<Activity>,
        ending: CancellationToken,
    ) -> bool {
        let (router, peer) = (self.router.clone(), self.peer);
        let (asked, end) = (Arc::clone(activity), ending.clone());
        let service = service_fn(move |mut request: Request<_>| {
            request.extensions_mut().insert(peer);
            answer(router.clone(), Arc::clone(&asked), request, end.clone())
        });
        let builder = builder(&self.limits);
        let connection =
            builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
        let mut connection = std::pin::pin!(connection);
        let mut looks = interval(self.limits.looked_at_every());
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // When it was told to end, and when that is enforced.
        let (mut told_at, mut cut_at) = (None::<Instant>, None::<Instant>);
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "a connection ended badly");
                    }
                    return false;
                }
                () = ending.cancelled(), if told_at.is_none() => told_at = Some(Instant::now()),
                () = grace_is_over(told_at, self.limits.grace), if cut_at.is_none() => {}
                _ = looks.tick() => {}
            }
            let now = Instant::now();
            let verdict = activity.verdict(now);
            let is_over = verdict == Verdict::End
                || told_at.is_some_and(|at| now >= at + self.grace(activity));
            if verdict == Verdict::Cut
                || cut_at.is_some_and(|at| verdict == Verdict::End && now >= at)
            {
                return true;
            }
            if is_over && cut_at.is_none() {
                connection.as_mut().graceful_shutdown();
                cut_at = Some(now + self.limits.head_timeout);
            }
        }
    }

    /// How long to wait for a request that is on its way, once a shutdown began. A client of HTTP/1.1 gets its answer,
    /// and learns with it that it was the last; HTTP/2 has a frame for that.
    fn grace(&self, activity: &Activity) -> Duration {
        if activity.is_multiplexed() {
            Duration::ZERO
        } else {
            self.limits.grace
        }
    }
}

async fn grace_is_over(told_at: Option<Instant>, grace: Duration) {
    match told_at {
        Some(at) => sleep_until((at + grace).into()).await,
        None => std::future::pending().await,
    }
}

fn builder(limits: &ConnectionLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // The head's time is kept by the connection's activity: hyper's own would count idle time as well.
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_buf_size(HEAD_LIMIT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(HEAD_LIMIT as u32)
        .max_concurrent_streams(limits.streams)
        .keep_alive_interval(limits.idle_timeout)
        .keep_alive_timeout(limits.head_timeout);
    builder
}

async fn answer<B>(
    router: Router,
    activity: Arc<Activity>,
    request: Request<B>,
    ending: CancellationToken,
) -> Result<Response<Answer>, Infallible>
where
    B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let is_multiplexed = request.version() == Version::HTTP_2;
    let mut open = activity.request(is_multiplexed);
    open.place().await;
    let mut response = router.oneshot(request.map(Body::new)).await?;
    if ending.is_cancelled() && !is_multiplexed {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    open.answered(Instant::now());
    Ok(response.map(|body| Answer::new(body, open)))
}
