//! Records to store.

use schema::store::{Db, offers};
use schema::{Attributes, Location, Offer, OfferId, OfferType, PropertyType, Timestamp};

/// A live flat for sale in Prague, first seen in May and last changed in July 2026.
///
/// # Panics
/// If the id is not one.
pub fn flat(id: &str) -> Offer {
    let at = |text: &str| text.parse::<Timestamp>().expect("an instant");
    Offer {
        id: OfferId::parse(id).expect("an id"),
        first_seen_at: at("2026-05-01T06:00:00Z"),
        last_changed_at: at("2026-07-01T06:00:00Z"),
        is_live: true,
        attributes: Attributes {
            location: Some(Location {
                lat: 50.0755,
                lng: 14.4378,
            }),
            district: Some("Praha".to_owned()),
            offer_type: Some(OfferType::Sale),
            property_type: Some(PropertyType::Apartment),
            ..Attributes::default()
        },
    }
}

/// Merges one stored record into another. Returns the number of the change.
///
/// # Panics
/// If a text is not an id, or the database fails.
pub async fn retire(db: &Db, retired: &str, into: &str) -> i64 {
    let [retired, into] = [retired, into].map(|text| OfferId::parse(text).expect("an id"));
    let mut tx = db.begin().await.expect("a transaction");
    let change = offers::next_change(&mut tx, 1).await.expect("a number");
    offers::retire(&mut tx, &retired, &into, change)
        .await
        .expect("both are stored");
    tx.commit().await.expect("the database works");
    change
}
