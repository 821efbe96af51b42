//! Stores dump lines in a database and reads the resulting records.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use dedup::addresses::Addresses;
use dedup::worker::{self, DedupReport, Listings};
use ingest::dumps::Source;
use ingest::intake;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use schema::store::offers::FoundOffer;
use schema::store::{Db, listings, offers};
use schema::{ListingKey, OfferId, StoredListing, Timestamp};

/// An instant: hour `hour` of May 2026.
pub fn hour(hour: i64) -> Timestamp {
    Timestamp(1_777_593_600_000 + hour * 3_600_000)
}

/// The clock of the tests: a year after what they observe.
pub const NOW: Timestamp = Timestamp(1_809_129_600_000);

/// A line that shows a listing of `site`. `facts` are fields of the API.
pub fn seen(site: &str, number: &str, at: i64, facts: &serde_json::Value) -> String {
    serde_json::json!({
        "siteId": site, "offerId": number, "observedAt": hour(at), "url": null, "listing": facts,
    })
    .to_string()
}

/// A line that ends a listing.
pub fn gone(site: &str, number: &str, at: i64) -> String {
    serde_json::json!({"siteId": site, "offerId": number, "observedAt": hour(at), "gone": true})
        .to_string()
}

/// A complete crawl of a portal.
pub fn crawl(site: &str, started_at: i64, at: i64) -> String {
    let crawl = serde_json::json!({"startedAt": hour(started_at), "complete": true, "scope": {}});
    serde_json::json!({"siteId": site, "observedAt": hour(at), "crawl": crawl}).to_string()
}

/// Stores lines. Every line must be readable.
pub async fn take_in(db: &Db, lines: &[String]) {
    let source = Source::stream("lines", Cursor::new(lines.join("\n")));
    let report = intake::replay(db, vec![source], NOW, &mut |_| ())
        .await
        .unwrap();
    assert!(report.is_complete(), "{report:?}");
}

/// A random generator with a new seed, so that no id is drawn twice.
pub fn rng() -> StdRng {
    static SEED: AtomicU64 = AtomicU64::new(0);
    StdRng::seed_from_u64(SEED.fetch_add(1, Ordering::Relaxed))
}

/// The listings of a database, their addresses read without a registry.
pub fn listings_of(db: &Db) -> Listings<'_> {
    static NO_REGISTRY: LazyLock<Addresses> = LazyLock::new(Addresses::default);
    Listings {
        db,
        addresses: &NO_REGISTRY,
    }
}

/// Brings the records up to date.
pub async fn deduplicate(db: &Db) -> DedupReport {
    deduplicate_at(db, NOW).await
}

/// Brings the records up to date at a time of the test's choice.
pub async fn deduplicate_at(db: &Db, now: Timestamp) -> DedupReport {
    worker::run(listings_of(db), now, &mut rng(), &|_| ())
        .await
        .unwrap()
}

/// Matches all listings, even if few have changed.
pub async fn deduplicate_everything(db: &Db) -> DedupReport {
    worker::run_over_everything(listings_of(db), NOW, &mut rng(), &|_| ())
        .await
        .unwrap()
}

/// Every listing.
pub async fn stored(db: &Db) -> Vec<StoredListing> {
    listings::page(db, None, 100_000).await.unwrap()
}

/// The record that a listing is in.
pub async fn record_of(db: &Db, site: &str, number: &str) -> OfferId {
    let key = ListingKey::new(site, number);
    let found = stored(db)
        .await
        .into_iter()
        .find(|listing| listing.key == key);
    found
        .and_then(|listing| listing.offer_id)
        .expect("a listing in a record")
}

/// The record with this id, as it is served.
pub async fn detail(db: &Db, id: &OfferId) -> FoundOffer {
    offers::detail(db, id).await.unwrap().expect("a record")
}

/// The lines in another order, which depends on the seed only.
pub fn shuffled(lines: &[String], seed: u64) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.shuffle(&mut StdRng::seed_from_u64(seed));
    lines
}

/// Records by their listings.
pub type Records = BTreeMap<BTreeSet<ListingKey>, FoundOffer>;

/// Fails with the records that only one side has, or that differ.
pub fn assert_same(found: &Records, expected: &Records, what: &str) {
    let mut differences = Vec::new();
    for (keys, record) in expected {
        match found.get(keys) {
            None => differences.push(format!("expected {}", names(keys))),
            Some(other) if other != record => {
                differences.push(format!(
                    "{} is\n    {other:?}\n  not\n    {record:?}",
                    names(keys)
                ));
            }
            Some(_) => {}
        }
    }
    let strange = found.keys().filter(|keys| !expected.contains_key(*keys));
    differences.extend(strange.map(|keys| format!("found    {}", names(keys))));
    assert!(
        differences.is_empty(),
        "{what}:\n  {}",
        differences.join("\n  ")
    );
}

fn names(keys: &BTreeSet<ListingKey>) -> String {
    keys.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}
