//! Serves one connection.

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

use crate::admission::{OnValidToken, Peer};
use crate::config::ConnectionLimits;
use crate::server::activity::{Activity, Verdict};
use crate::server::body::TrackedBody;
use crate::server::shares::Share;
use crate::server::socket::{self, Socket};

/// The largest head that the HTTP library reads, in bytes; a larger one is answered without a body. It is well above the
/// limit of `middleware::limits`, so that clients usually get that answer instead.
const HEAD_LIMIT: usize = 64 * 1024;

/// What is needed to serve a connection.
pub(crate) struct Connection {
    /// Answers requests.
    pub router: Router,
    /// The network of the client.
    pub peer: Peer,
    /// Its place among the connections of that network without a valid token.
    pub share: Arc<Share>,
    /// The limits on the connection.
    pub limits: ConnectionLimits,
}

impl Connection {
    /// Serves until the connection closes, exceeds a limit or loses its place to a newer one, or until `shutdown` is cancelled and all requests that have
    /// begun are answered.
    pub(crate) async fn serve(self, stream: TcpStream, shutdown: CancellationToken) {
        // Answers are small and sent whole, so Nagle's algorithm would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "setting TCP_NODELAY failed");
        }
        let activity = Arc::new(Activity::new(self.limits.clone(), Instant::now()));
        let (socket, mut returned) = Socket::wrap(stream, Arc::clone(&activity));
        let must_reset = self.drive(socket, &activity, shutdown).await;
        // The HTTP library has dropped the socket.
        match returned.try_recv() {
            Ok(stream) if must_reset => socket::reset(&stream),
            Ok(stream) => socket::close(stream).await,
            Err(_) => {}
        }
    }

    /// Speaks HTTP on a socket. Returns whether the connection must be reset.
    async fn drive(
        &self,
        socket: Socket,
        activity: &Arc<Activity>,
        shutdown: CancellationToken,
    ) -> bool {
        let (router, peer) = (self.router.clone(), self.peer);
        let (request_activity, request_shutdown) = (Arc::clone(activity), shutdown.clone());
        let share = Arc::clone(&self.share);
        let on_valid_token = OnValidToken(Arc::new(move || share.give_back()));
        let service = service_fn(move |mut request: Request<_>| {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(on_valid_token.clone());
            answer(
                router.clone(),
                Arc::clone(&request_activity),
                request,
                request_shutdown.clone(),
            )
        });
        let builder = builder(&self.limits);
        let connection =
            builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
        let mut connection = std::pin::pin!(connection);
        let mut checks = interval(self.limits.check_interval());
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // When the shutdown began, and when a connection that was asked to close is reset.
        let (mut stopping_since, mut reset_at) = (None::<Instant>, None::<Instant>);
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(error, "connection failed");
                    }
                    return false;
                }
                () = shutdown.cancelled(), if stopping_since.is_none() => stopping_since = Some(Instant::now()),
                () = self.share.lost() => return true,
                () = end_of_grace(stopping_since, self.limits.grace), if reset_at.is_none() => {}
                _ = checks.tick() => {}
            }
            let now = Instant::now();
            let verdict = activity.verdict(now);
            let must_close = verdict == Verdict::Close
                || stopping_since.is_some_and(|at| now >= at + self.grace(activity));
            if verdict == Verdict::Reset
                || reset_at.is_some_and(|at| verdict == Verdict::Close && now >= at)
            {
                return true;
            }
            if must_close && reset_at.is_none() {
                connection.as_mut().graceful_shutdown();
                reset_at = Some(now + self.limits.head_timeout);
            }
        }
    }

    /// How long to wait, after a shutdown has begun, for requests that are on their way. On HTTP/1.1, only an answer
    /// can tell the client that it is the last one (`Connection: close`); HTTP/2 has a frame for that.
    fn grace(&self, activity: &Activity) -> Duration {
        if activity.is_http2() {
            Duration::ZERO
        } else {
            self.limits.grace
        }
    }
}

/// Waits until the grace period that begins with a shutdown is over. Without a shutdown it never ends.
async fn end_of_grace(stopping_since: Option<Instant>, grace: Duration) {
    match stopping_since {
        Some(at) => sleep_until((at + grace).into()).await,
        None => std::future::pending().await,
    }
}

fn builder(limits: &ConnectionLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // `Activity` limits the time of a head, because hyper's limit would include idle time.
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
    shutdown: CancellationToken,
) -> Result<Response<TrackedBody>, Infallible>
where
    B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let is_http2 = request.version() == Version::HTTP_2;
    let mut open = activity.on_request(is_http2);
    open.wait_for_permit().await;
    let mut response = router.oneshot(request.map(Body::new)).await?;
    if shutdown.is_cancelled() && !is_http2 {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    open.on_answer(Instant::now());
    Ok(response.map(|body| TrackedBody::new(body, open)))
}
