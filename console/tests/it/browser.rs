//! A console on a free port, and people who use it.

use std::fmt::Write as _;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use console::{Console, ConsoleConfig, ProgramParts, hash_password};
use dedup::addresses::Addresses;
use dedup::worker::{self, Listings};
use ingest::dumps::{Source, find_sources};
use ingest::intake;
use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::header::{CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use schema::store::{Db, operators};
use schema::{Role, Timestamp};
use support::{Filled, TestDatabase};

/// The password of everybody.
pub const PASSWORD: &str = "correct horse battery";

/// 22 November 2026, noon.
const NOON: i64 = 1_795_348_800_000;

/// A console that is being served.
pub struct Served {
    pub db: Db,
    base: String,
    clock: Arc<AtomicI64>,
}

/// A page as it arrived.
pub struct Shown {
    pub status: u16,
    pub body: String,
    pub headers: reqwest::header::HeaderMap,
}

impl Shown {
    /// Where the answer leads.
    pub fn location(&self) -> &str {
        self.headers
            .get(LOCATION)
            .map_or("", |to| to.to_str().unwrap())
    }

    /// The value of the first input of this name.
    pub fn input(&self, name: &str) -> String {
        let from = format!("name=\"{name}\" value=\"");
        let rest = self.body.split_once(&from).map_or("", |(_, rest)| rest);
        rest.split('"').next().unwrap_or_default().to_owned()
    }
}

impl Served {
    /// Serves a console over the database.
    pub async fn start(db: &Db, change: impl FnOnce(&mut ConsoleConfig)) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let clock = Arc::new(AtomicI64::new(NOON));
        let mut config = ConsoleConfig {
            hosts: vec![address.clone()],
            has_tls: false,
            person_header: None,
            street_map: None,
            program: parts(db, &clock),
        };
        change(&mut config);
        let console = Console::new(db.clone(), config, [7; 32]);
        let never = Box::pin(std::future::pending());
        tokio::spawn(console::serve(listener, console, never));
        Self {
            db: db.clone(),
            base: format!("http://{address}"),
            clock,
        }
    }

    pub fn advance(&self, seconds: i64) {
        self.clock.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    /// Somebody who has not logged in.
    pub fn stranger(&self) -> Person {
        let client = support::http_client_builder();
        let client = client
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Person {
            client,
            base: self.base.clone(),
            cookie: String::new(),
        }
    }

    /// Somebody with this role, logged in.
    pub async fn person(&self, name: &str, role: Role) -> Person {
        let hash = hash_password(PASSWORD, [3; 16]).unwrap();
        operators::create(&self.db, name, role, &hash, Timestamp(NOON))
            .await
            .unwrap();
        let mut person = self.stranger();
        person.log_in(name, PASSWORD).await;
        assert!(!person.cookie.is_empty());
        person
    }
}

fn parts(db: &Db, clock: &Arc<AtomicI64>) -> ProgramParts {
    let time = {
        let clock = Arc::clone(clock);
        move || Timestamp(clock.load(Ordering::SeqCst))
    };
    let of_search = (db.clone(), time.clone());
    let of_dedup = (db.clone(), time.clone());
    ProgramParts {
        clock: Arc::new(time),
        search: Arc::new(move || {
            let (db, time) = of_search.clone();
            Box::pin(async move {
                let config = api::ApiConfig::new("http://test", Arc::new(time));
                let search = api::ApiState::start(db, config, [9; 32]).await;
                search.map_err(|error| error.to_string())
            })
        }),
        addresses: Arc::new(|| Box::pin(async { Ok(Addresses::default()) })),
        deduplicate: Arc::new(move || {
            let (db, time) = of_dedup.clone();
            Box::pin(async move {
                deduplicate(&db, time()).await;
                Ok(())
            })
        }),
        may_crawl: Arc::new(|site| match site {
            "sreality" => Ok(()),
            other => Err(format!("{other} does not allow programs")),
        }),
        edition_here: Arc::new(|| None),
    }
}

/// Brings the records up to date.
pub async fn deduplicate(db: &Db, now: Timestamp) {
    let addresses = Addresses::default();
    let listings = Listings {
        db,
        addresses: &addresses,
    };
    let mut rng = StdRng::from_seed([1; 32]);
    worker::run(listings, now, &mut rng, &|_| {}).await.unwrap();
}

/// Stores these lines of a dump, and makes the records.
pub async fn replay(db: &Db, lines: &str) {
    let source = Source::stream("test", Cursor::new(lines.to_owned().into_bytes()));
    intake::replay(db, vec![source], Timestamp(NOON), &mut |_| {})
        .await
        .unwrap();
    deduplicate(db, Timestamp(NOON)).await;
}

/// Runs a test on each database, with the authored dumps and their records.
pub async fn on_each_authored(test: impl AsyncFn(Db)) {
    static AUTHORED: Filled = Filled::new();
    let fill = async |database: &TestDatabase| replay_authored(&database.db).await;
    for database in AUTHORED.databases(fill).await {
        test(database.db.clone()).await;
        database.db.close().await;
    }
}

/// Stores the authored dumps, and makes the records.
async fn replay_authored(db: &Db) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dumps");
    let sources = find_sources(&[folder]).unwrap();
    intake::replay(db, sources, Timestamp(NOON), &mut |_| {})
        .await
        .unwrap();
    deduplicate(db, Timestamp(NOON)).await;
}

/// Somebody with a browser.
pub struct Person {
    client: reqwest::Client,
    base: String,
    pub cookie: String,
}

impl Person {
    pub async fn get(&self, path: &str) -> Shown {
        self.send(self.client.get(format!("{}{path}", self.base)))
            .await
    }

    pub async fn get_named(&self, path: &str, header: (&'static str, &str)) -> Shown {
        let request = self.client.get(format!("{}{path}", self.base));
        self.send(request.header(header.0, header.1)).await
    }

    /// Sends a form as a browser does.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Shown {
        self.post_from(&self.base, "same-origin", path, form).await
    }

    /// Sends a form from a page of `origin`.
    pub async fn post_from(
        &self,
        origin: &str,
        site: &str,
        path: &str,
        form: &[(&str, &str)],
    ) -> Shown {
        let body: Vec<String> = form
            .iter()
            .map(|(name, value)| format!("{name}={}", escaped(value)))
            .collect();
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, origin)
            .header("sec-fetch-site", site)
            .body(body.join("&"));
        self.send(request).await
    }

    pub async fn get_from_host(&self, path: &str, host: &str) -> Shown {
        self.send(
            self.client
                .get(format!("{}{path}", self.base))
                .header(HOST, host),
        )
        .await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Shown {
        let answer = request.header(COOKIE, &self.cookie).send().await.unwrap();
        Shown {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            body: answer.text().await.unwrap(),
        }
    }

    pub async fn log_in(&mut self, name: &str, password: &str) -> Shown {
        let form = [("name", name), ("password", password), ("next", "/records")];
        let shown = self.post("/login", &form).await;
        if let Some(cookie) = shown.headers.get(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            cookie.clone_into(&mut self.cookie);
        }
        shown
    }
}

/// A text in a form or a URL.
pub fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut safe, byte| {
        let _ = write!(safe, "%{byte:02X}");
        safe
    })
}
