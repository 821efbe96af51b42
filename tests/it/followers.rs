//! Followers of the feed build copies while a writer merges, splits, changes and purges, and processes are killed. Each
//! copy ends equal to the database.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use reqwest::{Client, RequestBuilder};
use schema::ListingKey;
use schema::store::{Db, offers};
use serde_json::Value;
use support::{clusters, databases, http_client};

use super::dumps;
use super::jeden::{Jeden, Server};

const FLATS: usize = 60;
const BATCHES: usize = 6;
pub const SERVE: [&str; 3] = ["serve", "--feed-listen", "127.0.0.1:0"];
/// The filter of one follower.
const CHEAPEST: i64 = 5_000_000;

/// What the followers and the writer share.
pub struct Service {
    token: String,
    bases: Mutex<[String; 2]>,
    /// The number of the last change once the writer is done; before that, the largest number.
    end: AtomicI64,
}

impl Service {
    /// The service of these servers, which serve with [`SERVE`].
    pub fn new(token: &str, servers: &[Server; 2]) -> Self {
        Self {
            token: token.to_owned(),
            bases: Mutex::new(servers.each_ref().map(feed_of)),
            end: AtomicI64::new(i64::MAX),
        }
    }

    /// The address of a server's feed.
    pub fn base(&self, server: usize) -> String {
        self.bases.lock().unwrap()[server].clone()
    }
}

/// A copy of the records, built from the feed.
struct Follower {
    service: Arc<Service>,
    client: Client,
    filter: String,
    copy: BTreeMap<String, Value>,
    after: i64,
    rng: StdRng,
}

impl Follower {
    fn new(service: &Arc<Service>, filter: &str, seed: u64) -> Self {
        Self {
            service: Arc::clone(service),
            client: http_client(),
            filter: filter.to_owned(),
            copy: BTreeMap::new(),
            after: 0,
            rng: StdRng::seed_from_u64(seed),
        }
    }

    fn has_ended(&self) -> bool {
        self.after >= self.service.end.load(Ordering::SeqCst)
    }

    /// A request to either server.
    fn request(&mut self, more: &str) -> RequestBuilder {
        let server = self.rng.random_range(0..2);
        let base = self.service.base(server);
        let url = format!("{base}/changes?after={}{}{more}", self.after, self.filter);
        self.client.get(url).bearer_auth(&self.service.token)
    }

    fn apply(&mut self, change: &Value) {
        let seq = change["seq"].as_i64().unwrap();
        assert!(seq > self.after, "{seq} comes after {}", self.after);
        self.after = seq;
        let id = change["id"].as_str().unwrap().to_owned();
        assert!(!change["events"].as_array().unwrap().is_empty());
        if change["offer"].is_object() {
            self.copy.insert(id, change["offer"].clone());
        } else {
            self.copy.remove(&id);
        }
    }

    /// Follows by pages, which wait for changes if `wait` is not 0.
    async fn by_pages(mut self, wait: u32) -> BTreeMap<String, Value> {
        while !self.has_ended() {
            let request = self.request(&format!("&limit=3&wait={wait}"));
            let Ok(answer) = request.send().await else {
                // The server was killed.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let status = answer.status();
            let Ok(page) = answer.json::<Value>().await else {
                continue;
            };
            assert_eq!(status.as_u16(), 200, "{page}");
            for change in page["data"].as_array().unwrap() {
                self.apply(change);
            }
            let next = page["pagination"]["nextAfter"].as_i64().unwrap();
            assert!(next >= self.after);
            self.after = next;
        }
        self.copy
    }

    /// Follows by streams, each of some changes.
    async fn by_streams(mut self) -> BTreeMap<String, Value> {
        while !self.has_ended() {
            let request = self
                .request("&limit=7")
                .header("accept", "text/event-stream");
            let Ok(mut stream) = request.send().await else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            assert_eq!(stream.status().as_u16(), 200);
            let mut text = Vec::new();
            // A quiet stream is left after a while, so that the test ends.
            while let Ok(Ok(Some(chunk))) =
                tokio::time::timeout(Duration::from_secs(1), stream.chunk()).await
            {
                text.extend_from_slice(&chunk);
                while let Some(end) = text.windows(2).position(|two| two == b"\n\n") {
                    let event: Vec<u8> = text.drain(..end + 2).collect();
                    self.take(std::str::from_utf8(&event).unwrap());
                }
            }
        }
        self.copy
    }

    /// Takes in one event of a stream.
    fn take(&mut self, event: &str) {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
        if let Some(data) = field("data: ") {
            self.apply(&serde_json::from_str(data).unwrap());
        }
        if let Some(id) = field("id: ") {
            self.after = self.after.max(id.parse().unwrap());
        }
    }
}

/// The live records of a database as the feed sends them, by id.
async fn live(db: &Db) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for id in clusters(db).await.into_keys() {
        let record = offers::detail(db, &id).await.unwrap().unwrap();
        if record.detail.offer.is_live {
            let json = serde_json::to_value(&record.detail).unwrap();
            found.insert(id.to_string(), json);
        }
    }
    found
}

/// Two listings of one record if `together`, else of two.
async fn two_listings(db: &Db, together: bool, rng: &mut StdRng) -> Option<[ListingKey; 2]> {
    let clusters: Vec<Vec<ListingKey>> = clusters(db)
        .await
        .into_values()
        .map(|keys| keys.into_iter().collect())
        .collect();
    if together {
        let pairs: Vec<_> = clusters.iter().filter(|keys| keys.len() > 1).collect();
        let keys = pairs.choose(rng)?;
        return Some([keys[0].clone(), keys[1].clone()]);
    }
    let (one, other) = (clusters.choose(rng)?, clusters.choose(rng)?);
    (one != other).then(|| [one[0].clone(), other[0].clone()])
}

/// Writes a batch of observations: the replay is killed once, and then repeated.
fn replay_killed(jeden: &Jeden, lines: &[String], moment: Duration) {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("batch.jsonl");
    std::fs::write(&dump, lines.join("\n")).unwrap();
    let mut command = jeden.command(&["replay", dump.to_str().unwrap()]);
    let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = silent.spawn().unwrap();
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
    jeden.replay(&[&dump]);
}

/// The address of the feed of a server.
pub fn feed_of(server: &Server) -> String {
    let line = server.line_with("The feed of changes is on ").unwrap();
    line.trim_end_matches('.').to_owned()
}

/// Changes the database in every way, and kills servers.
pub async fn write(jeden: &Jeden, db: &Db, service: &Service, servers: &mut [Server]) {
    let mut rng = StdRng::seed_from_u64(3);
    let lines = dumps::invented(FLATS, 3);
    for (number, batch) in lines.chunks(lines.len().div_ceil(BATCHES)).enumerate() {
        let moment = Duration::from_millis(rng.random_range(0..400));
        tokio::task::block_in_place(|| replay_killed(jeden, batch, moment));
        for verdict in ["different", "same"] {
            let Some([one, other]) = two_listings(db, verdict == "different", &mut rng).await
            else {
                continue;
            };
            let (one, other) = (one.to_string(), other.to_string());
            // A decision that contradicts an earlier one is refused.
            jeden.run(&["review", verdict, &one, &other, "--reason", "a test"]);
        }
        if number == BATCHES / 2 {
            let [one, _] = two_listings(db, true, &mut rng).await.unwrap();
            let purge = [
                "purge",
                "listing",
                &one.to_string(),
                "--reason",
                "asked",
                "--yes",
            ];
            jeden.run(&purge).done();
        }
        let place = number % servers.len();
        servers[place] = tokio::task::block_in_place(|| {
            servers[place].kill();
            jeden.serve(&SERVE)
        });
        service.bases.lock().unwrap()[place] = feed_of(&servers[place]);
    }
    // Whatever the decisions left to be matched.
    let nothing = tokio::task::block_in_place(|| jeden.run_with(&["replay", "-"], ""));
    nothing.done();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn followers_of_two_servers_end_with_the_records_of_the_database() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let plan = ["--plan", "customV2", "--requests-per-month", "4000000000"];
        jeden
            .run(&[&["account", "create", "follower"][..], &plan].concat())
            .done();
        let token = jeden.run(&["token", "create", "follower"]).done();
        let mut servers = [jeden.serve(&SERVE), jeden.serve(&SERVE)];
        let service = Arc::new(Service::new(token.trim_end(), &servers));
        let cheap = format!("&priceMax={CHEAPEST}");
        let followers = [
            tokio::spawn(Follower::new(&service, "", 1).by_pages(0)),
            tokio::spawn(Follower::new(&service, &cheap, 2).by_pages(2)),
            tokio::spawn(Follower::new(&service, "", 3).by_streams()),
        ];
        write(&jeden, &database.db, &service, &mut servers).await;
        let end = offers::last_change(&database.db).await.unwrap();
        service.end.store(end, Ordering::SeqCst);
        let expected = live(&database.db).await;
        let [paged, filtered, streamed] = followers;
        let what = database.name;
        assert!(expected.len() > FLATS / 2, "{what}");
        assert_eq!(paged.await.unwrap(), expected, "by pages on {what}");
        assert_eq!(streamed.await.unwrap(), expected, "by streams on {what}");
        let mut cheap = expected;
        cheap.retain(|_, offer| {
            offer["priceTotal"]
                .as_i64()
                .is_some_and(|it| it <= CHEAPEST)
        });
        assert!(!cheap.is_empty(), "{what}");
        assert_eq!(filtered.await.unwrap(), cheap, "filtered on {what}");
    }
}
