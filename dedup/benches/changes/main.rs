//! One changed listing, matched, merged and visible: through the database, and with the index that `jeden work` holds.
//!
//! ```sh
//! cargo bench --workspace --bench changes -- LISTINGS [DATABASE_URL] [--changes N]
//! ```
//!
//! Stores so many generated listings in a new database, or uses those of a database that `jeden replay` made, which is changed.
//! Then single listings change: four of five have a new price, and of the rest half are gone and half are new. Each is
//! stored, which is not measured, and then deduplicated until its record is committed.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "../scale/cost.rs"]
mod cost;
mod market;

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use dedup::addresses::Addresses;
use dedup::worker::{self, KeptIndex, Listings};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::listings;
use schema::store::{DatabaseSettings, Db};
use schema::{ListingId, ListingKey, PricePoint, StoredListing, Timestamp};

use cost::Step;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What to measure.
struct Options {
    listings: usize,
    url: Option<String>,
    changes: usize,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            listings: 10_000,
            url: None,
            changes: 300,
        };
        let number = |text: String| text.parse().expect("a number");
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--changes" => options.changes = number(arguments.next().expect("a number")),
                url if url.contains("://") => options.url = Some(argument),
                _ => options.listings = number(argument),
            }
        }
        options
    }
}

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(bench(&options));
}

async fn bench(options: &Options) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let new = format!("sqlite://{}", folder.path().join("bench.db").display());
    let url = options.url.clone().unwrap_or(new);
    let settings = DatabaseSettings::new(&url);
    let db = Db::connect(&settings).await.expect("a database");
    db.migrate().await.expect("a current schema");
    let addresses = Addresses::default();
    let all = Listings {
        db: &db,
        addresses: &addresses,
    };
    let mut rng = StdRng::seed_from_u64(1);
    if options.url.is_none() {
        let step = Step::begin();
        market::store(&db, options.listings).await;
        println!("{} listings stored      {}", options.listings, step.end());
        let step = Step::begin();
        worker::run(all, market::NOW, &mut rng, &|_| {})
            .await
            .expect("a full run");
        println!("all listings matched    {}", step.end());
    }
    let mut kept = None;
    // What waits before is not measured.
    worker::run(all, market::NOW, &mut rng, &|_| {})
        .await
        .expect("a run");
    measure("through the database", all, &mut kept, options.changes).await;
    let step = Step::begin();
    kept = Some(KeptIndex::load(all).await.expect("an index"));
    println!("index loaded            {}", step.end());
    measure("in memory", all, &mut kept, options.changes).await;
    assert!(kept.is_some(), "all changes were matched in memory");
    db.close().await;
}

/// Changes listings one by one and deduplicates each.
async fn measure(how: &str, all: Listings<'_>, kept: &mut Option<KeptIndex>, changes: usize) {
    let mut rng = StdRng::seed_from_u64(2);
    let stored = sample(all.db, changes, &mut rng).await;
    let mut spent = Vec::new();
    for (number, listing) in stored.into_iter().enumerate() {
        change(all.db, listing, number).await;
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        let report = worker::run_with(all, kept, market::NOW, &mut rng).await;
        spent.push((clock.elapsed(), cpu.elapsed()));
        assert!(report.expect("a run").listings > 0, "a listing was matched");
    }
    say(how, "on the clock", spent.iter().map(|(clock, _)| *clock));
    say(how, "of CPU", spent.iter().map(|(_, cpu)| *cpu));
}

/// Random listings of the database.
async fn sample(db: &Db, count: usize, rng: &mut StdRng) -> Vec<StoredListing> {
    let last = listings::count(db).await.expect("a count").cast_signed();
    let mut found = Vec::new();
    while found.len() < count {
        let after = ListingId(rng.random_range(0..last));
        found.extend(listings::page(db, Some(after), 1).await.expect("a listing"));
    }
    found
}

/// Stores a change of a listing: a new price, its end, or a new listing like it.
async fn change(db: &Db, listing: StoredListing, number: usize) {
    let StoredListing {
        mut key, mut state, ..
    } = listing;
    let at = Timestamp(state.last_seen_at.millis() + 86_400_000);
    match number % 10 {
        0 => state.gone_at = Some(at),
        5 => {
            key = ListingKey::new(
                key.site_id,
                format!("new-{number}-{}", state.last_seen_at.millis()),
            );
            state.first_seen_at = at;
            state.gone_at = None;
            state.listing.attributes.living_area =
                state.listing.attributes.living_area.map(|area| area + 1.0);
        }
        _ => {
            let price_total = state.listing.attributes.price_total.unwrap_or(3_000_000.0) * 0.98;
            state.listing.attributes.price_total = Some(price_total);
            state.prices.push(PricePoint { at, price_total });
        }
    }
    state.last_seen_at = at;
    state.last_changed_at = at;
    let mut tx = db.begin().await.expect("a transaction");
    listings::save(&mut tx, &key, &state, true)
        .await
        .expect("a stored listing");
    tx.commit().await.expect("a commit");
}

fn say(how: &str, what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "one changed listing, {how}, {what}: p50 {:.2}, p90 {:.2}, p99 {:.2}, worst {:.2} ms",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}
