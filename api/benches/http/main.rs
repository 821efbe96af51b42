//! The API over HTTP under load, as ratios of CPU time in one run.
//!
//! `cargo bench -p api --bench http -- [OFFERS] [DATABASE_URL]`
//!
//! Stores generated offers (100,000 by default) in the database, unless it has some already, serves it, and drives it with
//! another process. `JEDEN_BENCH_SECONDS` is the duration of each measurement. The limit to compare with is `concat`: a
//! route that joins 25 documents held in memory, with axum alone. With PostgreSQL on the same machine, the CPU time of a
//! request includes that of PostgreSQL.
//!
//! The mix repeats a few hundred searches, so the server keeps nearly all of its compressed answers.
//! `JEDEN_BENCH_KEPT=0` keeps none, and each answer is compressed anew.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it measures"
)]

mod client;
mod market;
mod mix;
mod processes;
mod texts;

use std::sync::Arc;
use std::time::{Duration, Instant};

use api::{ApiConfig, ApiState, issue_token};
use client::Load;
use mix::Class;
use processes::{cpu_seconds, memory, postgres_cpu_seconds};
use rand::SeedableRng;
use rand::rngs::StdRng;
use schema::store::{DatabaseSettings, Db, accounts, offers};
use schema::{Plan, Timestamp};
use tokio::net::TcpListener;

/// The allocator of the program, for both are to cost the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    if let Ok(address) = std::env::var(client::ADDRESS) {
        client::main(&address);
        return Ok(());
    }
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    let count = arguments
        .first()
        .and_then(|it| it.parse().ok())
        .unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let url = arguments.get(1).cloned();
    let url =
        url.unwrap_or_else(|| format!("sqlite://{}", folder.path().join("bench.db").display()));
    let seconds = std::env::var("JEDEN_BENCH_SECONDS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(3.0);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(bench(&url, count, Duration::from_secs_f64(seconds)))
}

async fn bench(url: &str, count: i64, duration: Duration) -> Result<(), Failure> {
    let settings = DatabaseSettings::new(url);
    let db = Db::connect(&settings).await?;
    db.migrate().await?;
    if offers::last_change(&db).await? == 0 {
        market::store(&db, count).await?;
    }
    db.close().await;

    let db = Db::open(&settings).await?;
    let (cpu, began) = (cpu_seconds(), Instant::now());
    let mut config = ApiConfig::new("http://bench", Arc::new(|| Timestamp(market::NOW)));
    config.documents = std::env::current_dir().ok();
    if let Some(bytes) = std::env::var("JEDEN_BENCH_KEPT")
        .ok()
        .and_then(|it| it.parse().ok())
    {
        config.encoded_bodies = bytes;
    }
    let state = ApiState::start(db.clone(), config, [7; 32]).await?;
    println!(
        "ready after {:.2} s, {:.2} s of CPU, {}",
        began.elapsed().as_secs_f64(),
        cpu_seconds() - cpu,
        memory()
    );
    let name = format!("bench-{}", std::process::id());
    let account = accounts::create(&db, &name, Plan::Custom, Some(u32::MAX), Timestamp(0)).await?;
    let mut rng = StdRng::seed_from_u64(u64::from(std::process::id()));
    let token = issue_token(&db, account.id, &mut rng, Timestamp(0)).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let serving = tokio::spawn(api::serve(
        listener,
        state,
        Box::pin(std::future::pending()),
    ));
    let concat = concat_server().await?;
    settle().await;
    println!(
        "documents copied after {:.2} s, {}",
        began.elapsed().as_secs_f64(),
        memory()
    );

    let run = Run {
        postgres: url.starts_with("postgres"),
        address,
        concat,
        token: token.token.expose().to_owned(),
        duration,
    };
    tokio::task::spawn_blocking(move || run.all().map_err(|error| error.to_string())).await??;
    serving.abort();
    Ok(())
}

/// Waits until the process is idle: documents are copied in the background.
async fn settle() {
    loop {
        let before = cpu_seconds();
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        if cpu_seconds() - before < 0.1 {
            return;
        }
    }
}

/// A route that joins 25 documents of 2 KB held in memory.
async fn concat_server() -> Result<String, Failure> {
    let documents: Arc<Vec<Vec<u8>>> =
        Arc::new((0..25).map(|number| vec![b'a' + number; 2_048]).collect());
    let join = move || {
        let body = documents.join(&b',');
        async move { ([("content-type", "application/json")], body) }
    };
    let router = axum::Router::new().route("/concat", axum::routing::get(join));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

/// How often the ratios are measured.
const ROUNDS: usize = 5;

/// What the answers to one kind of request cost.
struct Cost {
    /// Milliseconds of CPU time of the server for each answer.
    cpu_ms: f64,
    per_second: f64,
}

struct Run {
    /// Whether the database is PostgreSQL.
    postgres: bool,
    address: String,
    concat: String,
    token: String,
    duration: Duration,
}

impl Run {
    fn all(&self) -> Result<(), Failure> {
        println!(
            "| requests | connections | CPU ms a request | per second | p50 ms | p99 ms | worst ms | KB | not 200 |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        let one = |path: &str| vec![path.to_owned()];
        self.measure(&self.concat, "concat", 8, "", &one("/concat"))?;
        self.measure(&self.address, "/health", 8, "", &one("/health"))?;
        self.measure(&self.address, "/v1/me", 8, "", &one("/v1/me"))?;
        let details: Vec<String> = (0..200)
            .map(|number| format!("/v1/offers/bench-{:012}", number * 397))
            .collect();
        self.measure(&self.address, "details", 8, "", &details)?;
        self.measure(
            &self.address,
            "one summary",
            8,
            "",
            &one("/v1/offers?limit=1"),
        )?;
        let mut classes = mix::searches();
        classes.push(self.deep_pages()?);
        for class in &classes {
            self.measure(&self.address, class.name, 8, "", &class.paths)?;
        }
        let mixed = mix::drawn(&classes, 4_000);
        self.measure(&self.address, "the mix", 8, "", &mixed)?;
        for encoding in ["zstd", "gzip", "br"] {
            self.measure(
                &self.address,
                &format!("the mix, {encoding}"),
                8,
                encoding,
                &mixed,
            )?;
        }
        self.ratios(&details, &mixed)?;
        println!("{}", memory());
        Ok(())
    }

    /// Measures what the goals compare in turn, round after round, and prints the median of each ratio. Between two
    /// lines of the table above, the speed of a shared machine changes by more than the lines differ.
    fn ratios(&self, details: &[String], mixed: &[String]) -> Result<(), Failure> {
        const NAMES: [&str; 6] = [
            "/v1/me, CPU of /health",
            "details, CPU of /v1/me",
            "the mix, CPU of /v1/me",
            "the mix, zstd, CPU of the mix",
            "the mix, gzip, CPU of the mix",
            "the mix of concat, answers per second, 64 connections",
        ];
        let one = |path: &str| vec![path.to_owned()];
        let mut ratios: [Vec<f64>; 6] = Default::default();
        for _ in 0..ROUNDS {
            let at = |what, paths: &[String]| self.measure(&self.address, what, 8, "", paths);
            let health = at("/health", &one("/health"))?;
            let me = at("/v1/me", &one("/v1/me"))?;
            let detail = at("details", details)?;
            let mix = at("the mix", mixed)?;
            let in_encoding =
                |what, encoding| self.measure(&self.address, what, 8, encoding, mixed);
            let zstd = in_encoding("the mix, zstd", "zstd")?;
            let gzip = in_encoding("the mix, gzip", "gzip")?;
            let crowd = self.measure(&self.address, "the mix", 64, "", mixed)?;
            let concat = self.measure(&self.concat, "concat", 64, "", &one("/concat"))?;
            let round = [
                me.cpu_ms / health.cpu_ms,
                detail.cpu_ms / me.cpu_ms,
                mix.cpu_ms / me.cpu_ms,
                zstd.cpu_ms / mix.cpu_ms,
                gzip.cpu_ms / mix.cpu_ms,
                crowd.per_second / concat.per_second,
            ];
            for (ratios, ratio) in ratios.iter_mut().zip(round) {
                ratios.push(ratio);
            }
        }
        for (name, mut ratios) in NAMES.into_iter().zip(ratios) {
            ratios.sort_by(f64::total_cmp);
            let [least, median, most] = [0, ROUNDS / 2, ROUNDS - 1].map(|at| ratios.get(at));
            let [least, median, most] =
                [least, median, most].map(|it| it.copied().unwrap_or(f64::NAN));
            println!("{name}: {median:.2} ({least:.2} to {most:.2})");
        }
        Ok(())
    }

    fn measure(
        &self,
        address: &str,
        what: &str,
        connections: usize,
        encoding: &str,
        paths: &[String],
    ) -> Result<Cost, Failure> {
        let load = |duration| Load {
            token: &self.token,
            connections,
            duration,
            encoding,
            paths,
        };
        client::run(address, &load(self.duration / 5))?;
        let cpu = self.cpu_seconds();
        let done = client::run(address, &load(self.duration))?;
        let cost = Cost {
            cpu_ms: (self.cpu_seconds() - cpu) * 1000.0 / done.answers.max(1) as f64,
            per_second: done.answers as f64 / done.seconds,
        };
        println!(
            "| {what} | {connections} | {:.4} | {:.0} | {:.2} | {:.2} | {:.1} | {:.1} | {} |",
            cost.cpu_ms,
            cost.per_second,
            done.p50_ms,
            done.p99_ms,
            done.worst_ms,
            done.bytes as f64 / done.answers.max(1) as f64 / 1024.0,
            done.not_200
        );
        Ok(cost)
    }

    /// The CPU time of the server and its database so far.
    fn cpu_seconds(&self) -> f64 {
        let database = if self.postgres {
            postgres_cpu_seconds()
        } else {
            0.0
        };
        cpu_seconds() + database
    }

    /// Pages 10 to 60 of broad searches, by cursor.
    fn deep_pages(&self) -> Result<Class, Failure> {
        let client = support::http_client_builder()
            .no_gzip()
            .no_brotli()
            .build()?;
        let mut paths = Vec::new();
        for query in mix::WALKED {
            let mut cursor = String::new();
            for page in 1..=60 {
                let path = format!("/v1/offers?{query}{cursor}");
                if page >= 10 && page % 10 == 0 {
                    paths.push(path.clone());
                }
                let request = client
                    .get(format!("http://{}{path}", self.address))
                    .bearer_auth(&self.token);
                let body = tokio::runtime::Handle::current()
                    .block_on(async { request.send().await?.text().await })?;
                let body: serde_json::Value = serde_json::from_str(&body)?;
                let Some(next) = body["pagination"]["nextCursor"].as_str() else {
                    break;
                };
                cursor = format!("&cursor={next}");
            }
        }
        Ok(Class {
            name: "deep pages",
            weight: 10,
            paths,
        })
    }
}
