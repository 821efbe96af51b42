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

use super::faults::{Fault, Faults, LATE, Mood};
use super::market::Market;
use super::portal::{Ask, Reply, SimulatedPortal};

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
    pub stands: Vec<Stand>,
    /// The faults of single requests.
    pub faults: Faults,
    /// The requests in the order in which they arrived.
    pub visits: Vec<Visit>,
    rng: StdRng,
}

/// One portal with its market.
#[derive(Debug)]
pub struct Stand {
    /// The portal.
    pub portal: SimulatedPortal,
    /// Its adverts.
    pub market: Market,
    /// Its condition.
    pub mood: Mood,
    under_way: usize,
}

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct Visit {
    /// The portal.
    pub site_id: &'static str,
    /// Its host.
    pub host: String,
    /// Path and query.
    pub path: String,
    /// What was posted.
    pub body: String,
    /// The `User-Agent`.
    pub user_agent: String,
    /// When it arrived.
    pub came: Instant,
    /// When its answer was ready.
    pub answered: Option<Instant>,
    /// The status of the answer.
    pub status: u16,
    /// How many requests to the portal were in flight, including this one.
    pub under_way: usize,
    /// What is wrong with the answer.
    pub fault: Option<Fault>,
}

impl Simulator {
    /// Serves `portals`, each with `adverts` adverts. `seed` determines everything random.
    ///
    /// # Panics
    /// No socket can be bound.
    pub fn start(portals: &[SimulatedPortal], adverts: u64, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let stand = |portal: &SimulatedPortal| Stand {
            portal: *portal,
            market: Market::of(adverts, &mut rng),
            mood: Mood::default(),
            under_way: 0,
        };
        let stands = portals.iter().map(stand).collect();
        let world = World {
            stands,
            faults: Faults::default(),
            visits: Vec::new(),
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

    /// The address to pass as `--base-url`. `{host}` in it stands for the portal's host.
    pub fn base_url(&self) -> String {
        format!("http://{}/{{host}}", self.address)
    }

    /// The state of the simulation.
    ///
    /// # Panics
    /// A thread panicked while it held the state.
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
    /// The portal is not simulated.
    pub fn stand(&mut self, site_id: &str) -> &mut Stand {
        let found = self
            .stands
            .iter_mut()
            .find(|stand| stand.portal.site_id == site_id);
        found.expect("the portal is simulated")
    }

    /// Passes a day at every portal.
    pub fn pass_a_day(&mut self) {
        for stand in &mut self.stands {
            stand.market.pass_a_day(&mut self.rng);
        }
    }

    /// Ends the day after the crawls of every portal.
    pub fn close_the_day(&mut self) {
        for stand in &mut self.stands {
            stand.market.close_the_day();
        }
    }

    /// Records a request. Returns its index among the visits, its reply, and its fault.
    fn take(&mut self, ask: &Ask, user_agent: String) -> Option<(usize, Reply, Option<Fault>)> {
        let stand = self
            .stands
            .iter_mut()
            .find(|stand| stand.portal.hosts.contains(&&*ask.host))?;
        stand.under_way += 1;
        let fault = self.faults.draw(&mut self.rng);
        let reply = match fault {
            Some(Fault::Throttled) => Reply {
                headers: vec![("retry-after", "1".to_owned())],
                ..Reply::status(429)
            },
            Some(Fault::Broken) => Reply::status(500),
            _ => stand.answer(ask),
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
        self.visits.push(Visit {
            site_id: stand.portal.site_id,
            host: ask.host.clone(),
            path,
            body: ask.body.clone(),
            user_agent,
            came: Instant::now(),
            answered: None,
            status: reply.status,
            under_way: stand.under_way,
            fault,
        });
        Some((self.visits.len() - 1, reply, fault))
    }

    fn answered(&mut self, visit: usize) {
        let Some(visit) = self.visits.get_mut(visit) else {
            return;
        };
        visit.answered = Some(Instant::now());
        let site_id = visit.site_id;
        self.stand(site_id).under_way -= 1;
    }
}

impl Stand {
    fn answer(&self, ask: &Ask) -> Reply {
        if ask.path == "/robots.txt" {
            return Reply {
                headers: vec![("content-type", "text/plain".to_owned())],
                ..Reply::page(self.portal.robots.to_owned())
            };
        }
        let live = if self.mood == Mood::Emptied {
            Vec::new()
        } else {
            self.market.live()
        };
        self.mood.disguise((self.portal.answer)(ask, &live))
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
    let taken = ask(&method, &uri, &body).and_then(|ask| {
        world
            .lock()
            .expect("no thread panicked while it held the state")
            .take(&ask, user_agent)
    });
    let Some((visit, reply, fault)) = taken else {
        return respond(
            Reply {
                status: 421,
                ..Reply::page(format!("no portal is simulated at {uri}"))
            },
            None,
        );
    };
    let _under_way = UnderWay {
        world: &world,
        visit,
    };
    if fault == Some(Fault::Late) {
        tokio::time::sleep(LATE).await;
    }
    respond(reply, fault)
}

/// A request in flight. It also ends if the client disconnects.
struct UnderWay<'a> {
    world: &'a Mutex<World>,
    visit: usize,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        if let Ok(mut world) = self.world.lock() {
            world.answered(self.visit);
        }
    }
}

/// The request to a portal in the path `/{host}/path`.
fn ask(method: &Method, uri: &Uri, body: &[u8]) -> Option<Ask> {
    let (host, path) = uri.path().strip_prefix('/')?.split_once('/')?;
    let query = url_pairs(uri.query().unwrap_or_default());
    Some(Ask {
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
