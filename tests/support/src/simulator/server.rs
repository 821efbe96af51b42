//! The server of all simulated portals, which records every request.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Method, Response, StatusCode, Uri, header};
use futures::stream;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::sync::oneshot;

use super::faults::{Condition, Fault, Faults, LATE};
use super::market::Market;
use super::portal::{PortalRequest, Reply, SimulatedPortal};

/// Simulated portals behind one address. The server ends when this is dropped.
#[derive(Debug)]
pub struct Simulator {
    address: SocketAddr,
    world: Arc<Mutex<World>>,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The state of the simulation. A test may change it between requests.
#[derive(Debug)]
pub struct World {
    /// The portals with their adverts.
    pub portals: Vec<PortalState>,
    /// The faults of single requests.
    pub faults: Faults,
    /// The requests in the order in which they arrived.
    pub requests: Vec<RecordedRequest>,
    rng: StdRng,
}

/// A simulated portal: its adverts and its condition.
#[derive(Debug)]
pub struct PortalState {
    /// The portal.
    pub portal: SimulatedPortal,
    /// Its adverts.
    pub market: Market,
    /// Its condition.
    pub condition: Condition,
    /// The path of a list that the portal answers with 404.
    pub missing_list: Option<&'static str>,
    /// The numbers of adverts whose pages the portal answers with 500.
    pub broken_adverts: Vec<u64>,
    in_flight: usize,
}

/// A request that arrived, with the outcome.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// The portal.
    pub site_id: &'static str,
    /// Its host.
    pub host: String,
    /// Path and query.
    pub path: String,
    /// The body of a POST.
    pub body: String,
    /// The `User-Agent`.
    pub user_agent: String,
    /// When it arrived.
    pub arrived_at: Instant,
    /// When its answer was ready.
    pub answered_at: Option<Instant>,
    /// The status of the answer.
    pub status: u16,
    /// How many requests to the portal were in flight, including this one.
    pub in_flight: usize,
    /// The fault of the answer, if it has one.
    pub fault: Option<Fault>,
}

impl Simulator {
    /// Serves `portals`, each with `adverts` adverts. `seed` determines everything random.
    ///
    /// # Panics
    /// If no socket can be bound.
    pub fn start(portals: &[SimulatedPortal], adverts: u64, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let state = |portal: &SimulatedPortal| PortalState {
            portal: *portal,
            market: Market::new(adverts, &mut rng),
            condition: Condition::default(),
            missing_list: None,
            broken_adverts: Vec::new(),
            in_flight: 0,
        };
        let portals = portals.iter().map(state).collect();
        let world = World {
            portals,
            faults: Faults::default(),
            requests: Vec::new(),
            rng,
        };
        let world = Arc::new(Mutex::new(world));
        let (end, ended) = oneshot::channel();
        let (told, bound) = std::sync::mpsc::channel();
        let served = Arc::clone(&world);
        // On its own thread, because a test that waits for a process does not drive a runtime.
        let thread = std::thread::spawn(move || serve(served, &told, ended));
        let address = bound.recv().expect("the simulator listens");
        Self {
            address,
            world,
            end: Some(end),
            thread: Some(thread),
        }
    }

    /// The address to pass as `--base-url`. `{host}` in it is replaced by the portal's host.
    pub fn base_url(&self) -> String {
        format!("http://{}/{{host}}", self.address)
    }

    /// The state of the simulation.
    ///
    /// # Panics
    /// If a thread panicked while it held the state.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world
            .lock()
            .expect("no thread panicked while it held the state")
    }
}

impl World {
    /// A portal with its adverts.
    ///
    /// # Panics
    /// If the portal is not simulated.
    pub fn portal(&mut self, site_id: &str) -> &mut PortalState {
        let found = self
            .portals
            .iter_mut()
            .find(|state| state.portal.site_id == site_id);
        found.expect("the portal is simulated")
    }

    /// Lets a day pass at every portal.
    pub fn pass_a_day(&mut self) {
        for state in &mut self.portals {
            state.market.pass_a_day(&mut self.rng);
        }
    }

    /// Adds an advert to a portal that neither ends nor changes. Returns its number.
    ///
    /// # Panics
    /// If the portal is not simulated.
    pub fn add_lasting_advert(&mut self, site_id: &str) -> u64 {
        let Self { portals, rng, .. } = self;
        let found = portals
            .iter_mut()
            .find(|state| state.portal.site_id == site_id);
        let state = found.expect("the portal is simulated");
        state.market.add_lasting(rng)
    }

    /// Ends the day after the crawls of every portal.
    pub fn close_the_day(&mut self) {
        for state in &mut self.portals {
            state.market.close_the_day(&state.broken_adverts);
        }
    }

    /// Records a request. Returns its index among the requests, its reply, and its fault.
    fn record(
        &mut self,
        ask: &PortalRequest,
        user_agent: String,
    ) -> Option<(usize, Reply, Option<Fault>)> {
        let state = self
            .portals
            .iter_mut()
            .find(|state| state.portal.hosts.contains(&&*ask.host))?;
        state.in_flight += 1;
        let fault = self.faults.draw(&mut self.rng);
        let reply = match fault {
            Some(Fault::Throttled) => Reply {
                headers: vec![("retry-after", "1".to_owned())],
                ..Reply::status(429)
            },
            Some(Fault::Broken) => Reply::status(500),
            _ => state.answer(ask),
        };
        let query: Vec<String> = ask
            .query
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let path = if query.is_empty() {
            ask.path.clone()
        } else {
            format!("{}?{}", ask.path, query.join("&"))
        };
        self.requests.push(RecordedRequest {
            site_id: state.portal.site_id,
            host: ask.host.clone(),
            path,
            body: ask.body.clone(),
            user_agent,
            arrived_at: Instant::now(),
            answered_at: None,
            status: reply.status,
            in_flight: state.in_flight,
            fault,
        });
        Some((self.requests.len() - 1, reply, fault))
    }

    fn answered(&mut self, request: usize) {
        let Some(request) = self.requests.get_mut(request) else {
            return;
        };
        request.answered_at = Some(Instant::now());
        let site_id = request.site_id;
        self.portal(site_id).in_flight -= 1;
    }
}

impl PortalState {
    fn answer(&self, ask: &PortalRequest) -> Reply {
        if ask.path == "/robots.txt" {
            return Reply {
                headers: vec![("content-type", "text/plain".to_owned())],
                ..Reply::page(self.portal.robots.to_owned())
            };
        }
        if self.missing_list == Some(ask.path.as_str()) {
            return Reply::status(404);
        }
        let mut broken = self.broken_adverts.iter();
        if broken.any(|number| self.asks_for(ask, *number)) {
            return Reply::status(500);
        }
        let is_advert = || {
            let mut numbers = self.market.numbers();
            numbers.any(|number| self.asks_for(ask, number))
        };
        if self.condition == Condition::Gate && is_advert() {
            return Reply::redirect(&format!("https://{}/", ask.host));
        }
        let live = if self.condition == Condition::Empty {
            Vec::new()
        } else {
            self.market.live()
        };
        let reply = match (self.portal.answer)(ask, &live) {
            // Every portal has a front page.
            reply if reply.status == 404 && ask.path == "/" => {
                Reply::page("<html><body><h1>Reality</h1></body></html>".to_owned())
            }
            reply => reply,
        };
        self.condition.disguise(reply)
    }

    /// Whether a request is for the page of an advert: its address names the portal's number of it.
    fn asks_for(&self, ask: &PortalRequest, number: u64) -> bool {
        ask.path.contains(&(self.portal.offer_id)(number))
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // If the server panicked, the requests have failed already.
            let _ended = thread.join();
        }
    }
}

fn serve(
    world: Arc<Mutex<World>>,
    told: &std::sync::mpsc::Sender<SocketAddr>,
    ended: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a socket");
        told.send(listener.local_addr().expect("an address"))
            .expect("the test waits for the address");
        let router = Router::new().fallback(request).with_state(world);
        tokio::select! {
            _ = axum::serve(listener, router) => {}
            _ = ended => {}
        }
    });
}

async fn request(
    State(world): State<Arc<Mutex<World>>>,
    method: Method,
    uri: Uri,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let user_agent = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok());
    let user_agent = user_agent.unwrap_or_default().to_owned();
    let taken = portal_request(&method, &uri, &body).and_then(|ask| {
        world
            .lock()
            .expect("no thread panicked while it held the state")
            .record(&ask, user_agent)
    });
    let Some((request, reply, fault)) = taken else {
        return respond(
            Reply {
                status: 421,
                ..Reply::page(format!("no portal is simulated at {uri}"))
            },
            None,
        );
    };
    let _in_flight = InFlight {
        world: &world,
        request,
    };
    if fault == Some(Fault::Late) {
        tokio::time::sleep(LATE).await;
    }
    respond(reply, fault)
}

/// A request in flight. It also ends if the client disconnects.
struct InFlight<'a> {
    world: &'a Mutex<World>,
    request: usize,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if let Ok(mut world) = self.world.lock() {
            world.answered(self.request);
        }
    }
}

/// The request to a portal, from a path like `/{host}/path`.
fn portal_request(method: &Method, uri: &Uri, body: &[u8]) -> Option<PortalRequest> {
    let (host, path) = uri.path().strip_prefix('/')?.split_once('/')?;
    let query = url_pairs(uri.query().unwrap_or_default());
    Some(PortalRequest {
        method: method.to_string(),
        host: host.to_owned(),
        path: format!("/{path}"),
        query,
        body: String::from_utf8_lossy(body).into_owned(),
    })
}

/// The decoded pairs of a query.
fn url_pairs(query: &str) -> Vec<(String, String)> {
    let address = format!("http://simulator/?{query}");
    let address = reqwest::Url::parse(&address).expect("a query that came in a request");
    address
        .query_pairs()
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

fn respond(reply: Reply, fault: Option<Fault>) -> Response<Body> {
    let cut = fault == Some(Fault::Reset);
    let body = if cut {
        half(reply.body)
    } else {
        Body::from(reply.body)
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).expect("a status");
    for (name, value) in reply.headers {
        // A redirect to the portal's own host stays at the simulator.
        let value = match value.strip_prefix("https://") {
            Some(address) if name == "location" => format!("/{address}"),
            _ => value,
        };
        response.headers_mut().insert(
            name,
            HeaderValue::from_str(&value).expect("a header's value"),
        );
    }
    response
}

/// The first half of a body, followed by an error that breaks the connection.
fn half(mut body: String) -> Body {
    let mut middle = body.len() / 2;
    while !body.is_char_boundary(middle) {
        middle -= 1;
    }
    body.truncate(middle);
    let parts = [
        Ok(body),
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
    ];
    Body::from_stream(stream::iter(parts))
}
