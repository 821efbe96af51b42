//! Records that are stored as what they differ in from one of their listings.

use schema::store::offers::{self, FoundOffer, OfferRow};
use schema::store::{Db, Tx, listings, purges};
use schema::{ListingId, ListingState, PortalLink, PriceSeries};

use crate::samples::{a_state, an_offer, key, offer_id};

/// A listing with a text of some length, no part of which occurs twice.
fn wordy(seed: u32) -> ListingState {
    let words = (0..150_u32).map(|number| {
        let word = (number + 1000 * seed).wrapping_mul(2_654_435_761);
        format!("slovo{word:x}")
    });
    let mut state = a_state();
    state.listing.attributes.description = Some(words.collect::<Vec<_>>().join(" "));
    state
}

async fn store_listing(tx: &mut Tx, number: &str, state: &ListingState) -> ListingId {
    listings::save(tx, &key(number), state, true).await.unwrap()
}

/// Stores a record of these listings, with the text of the last.
async fn store_record(tx: &mut Tx, numbers: &[&str]) -> OfferRow {
    let keys: Vec<_> = numbers.iter().map(|number| key(number)).collect();
    let stored = listings::load(tx, &keys).await.unwrap();
    let behind: Vec<_> = keys.iter().map(|key| &stored[key]).collect();
    let mut record = OfferRow {
        portal_links: behind
            .iter()
            .map(|one| PortalLink::from_listing(one))
            .collect(),
        price_history: behind
            .iter()
            .map(|one| PriceSeries::from_listing(one))
            .collect(),
        ..an_offer("offer")
    };
    let said = &behind.last().unwrap().state.listing.attributes;
    record
        .offer
        .attributes
        .description
        .clone_from(&said.description);
    let change = offers::next_change(tx, 1).await.unwrap();
    offers::save(tx, &record, change).await.unwrap();
    record
}

async fn found(db: &Db) -> FoundOffer {
    let found = offers::detail(db, &offer_id("offer")).await.unwrap();
    found.unwrap()
}

async fn assert_is_stored(db: &Db, record: &OfferRow) {
    let detail = found(db).await.detail;
    assert_eq!(detail.offer, record.offer);
    assert_eq!(detail.portal_links, record.portal_links);
    assert_eq!(detail.price_history, record.price_history);
}

/// How many bytes are stored.
const SIZE: &str = "SELECT CAST(length(document) AS BIGINT) FROM offer_documents";

#[tokio::test]
async fn a_record_takes_little_more_than_what_its_listing_does_not_say() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        store_listing(&mut tx, "1", &wordy(1)).await;
        store_listing(&mut tx, "2", &wordy(2)).await;
        let record = store_record(&mut tx, &["1", "2"]).await;
        tx.commit().await.unwrap();
        assert_is_stored(&database.db, &record).await;
        // The text alone has two thousand letters, half of them random.
        let size = database.number(SIZE).await;
        assert!(size < 700, "{}: {size}", database.name);
        database.db.close().await;
    }
}

#[tokio::test]
async fn a_record_stays_as_it_is_when_its_listing_changes_or_is_purged() {
    for database in support::databases().await {
        let db = &database.db;
        let mut tx = db.begin().await.unwrap();
        let listing = store_listing(&mut tx, "1", &wordy(1)).await;
        let record = store_record(&mut tx, &["1"]).await;
        // A text without any word of the former one, a shorter one, and the former one again.
        for state in [wordy(3), a_state(), wordy(1)] {
            assert_eq!(store_listing(&mut tx, "1", &state).await, listing);
        }
        store_listing(&mut tx, "1", &wordy(4)).await;
        tx.commit().await.unwrap();
        assert_is_stored(db, &record).await;

        let mut tx = db.begin().await.unwrap();
        store_listing(&mut tx, "2", &wordy(5)).await;
        listings::assign(&mut tx, &[(listing, &record.offer.id)])
            .await
            .unwrap();
        let other = listings::load(&mut tx, &[key("2")]).await.unwrap()[&key("2")].id;
        listings::assign(&mut tx, &[(other, &record.offer.id)])
            .await
            .unwrap();
        purges::delete_listings(&mut tx, &[listing]).await.unwrap();
        tx.commit().await.unwrap();
        assert_is_stored(db, &record).await;
        database.db.close().await;
    }
}
