//! What the intake stores from dumps and crawls.

use std::collections::BTreeMap;
use std::io::Cursor;

use ingest::dumps::Source;
use ingest::intake::{IntakeReport, replay};
use schema::store::rejects::Reject;
use schema::store::{Db, listings};
use schema::{ListingKey, ListingState, StoredListing, Timestamp};

mod brief_forms;
mod deleted_contents;
mod lives;
mod purges;
mod readings;
mod rejects;
mod replays;

const NOW: Timestamp = Timestamp(1_796_083_200_000);

/// An instant: hour `hour` of May 2026.
fn hour(hour: i64) -> Timestamp {
    Timestamp(1_777_593_600_000 + hour * 3_600_000)
}

fn seen(offer_id: &str, at: i64, listing: &str) -> String {
    let at = hour(at);
    format!(
        r#"{{"siteId":"idnes","offerId":"{offer_id}","observedAt":"{at}","url":null,"listing":{listing}}}"#
    )
}

fn sale(offer_id: &str, at: i64, price: u32) -> String {
    seen(
        offer_id,
        at,
        &format!(r#"{{"offerType":"sale","type":"apartment","priceTotal":{price}}}"#),
    )
}

fn rent(offer_id: &str, at: i64, price: u32) -> String {
    seen(
        offer_id,
        at,
        &format!(r#"{{"offerType":"rent","type":"apartment","priceTotal":{price}}}"#),
    )
}

fn gone(offer_id: &str, at: i64) -> String {
    format!(
        r#"{{"siteId":"idnes","offerId":"{offer_id}","observedAt":"{}","gone":true}}"#,
        hour(at)
    )
}

fn crawl(started_at: i64, at: i64, scope: &str) -> String {
    format!(
        r#"{{"siteId":"idnes","observedAt":"{}","crawl":{{"startedAt":"{}","complete":true,"scope":{scope}}}}}"#,
        hour(at),
        hour(started_at)
    )
}

fn stream(lines: &[String]) -> Vec<Source> {
    vec![Source::stream("-", Cursor::new(lines.join("\n")))]
}

async fn replay_lines(db: &Db, lines: &[String]) -> IntakeReport {
    replay(db, stream(lines), NOW, &mut |_| ()).await.unwrap()
}

/// Every listing, by its key.
async fn stored(db: &Db) -> BTreeMap<ListingKey, StoredListing> {
    let page = listings::page(db, None, 100_000).await.unwrap();
    page.into_iter()
        .map(|listing| (listing.key.clone(), listing))
        .collect()
}

async fn states(db: &Db) -> BTreeMap<ListingKey, ListingState> {
    stored(db)
        .await
        .into_iter()
        .map(|(key, listing)| (key, listing.state))
        .collect()
}

async fn state(db: &Db, offer_id: &str) -> ListingState {
    states(db)
        .await
        .remove(&ListingKey::new("idnes", offer_id))
        .expect("a stored listing")
}

async fn rejected(db: &Db) -> Vec<Reject> {
    schema::store::rejects::list(db, None, 1000)
        .await
        .unwrap()
        .into_iter()
        .map(|(_, reject)| reject)
        .collect()
}

/// Every kind of event: several listings, changed prices, ends, returns, simultaneous events, crawls with and without
/// scope, an end before the first sighting, and an end of a listing that is never seen.
fn eventful() -> Vec<String> {
    vec![
        gone("early", 1),
        sale("1", 2, 100),
        sale("2", 2, 200),
        rent("3", 3, 300),
        gone("never", 3),
        crawl(3, 4, r#"{"offerType":"sale"}"#),
        sale("1", 5, 110),
        rent("4", 5, 400),
        sale("early", 6, 500),
        gone("4", 7),
        rent("4", 7, 410),
        crawl(6, 8, "{}"),
        sale("1", 9, 110),
        sale("4", 10, 410),
        crawl(9, 11, r#"{"offerType":"rent","type":"apartment"}"#),
        rent("3", 12, 300),
        sale("1", 12, 120),
        sale("1", 12, 130),
        gone("1", 13),
        gone("1", 14),
        sale("2", 15, 210),
        crawl(14, 16, r#"{"type":"apartment"}"#),
        sale("1", 17, 130),
    ]
}

/// The lines in another order, which depends on the seed only.
fn shuffled(lines: &[String], seed: u64) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.sort_by_key(|line| *blake3::hash(format!("{seed}{line}").as_bytes()).as_bytes());
    lines
}
