//! The merged records of a database, identified by their listings.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt;
use schema::store::offers::{self, FoundOffer};
use schema::store::{Db, listings};
use schema::{ListingKey, OfferId};

/// The listings of each record, by its id. Listings without a record are left out.
///
/// # Panics
/// If the database fails.
pub async fn clusters(db: &Db) -> BTreeMap<OfferId, BTreeSet<ListingKey>> {
    let mut clusters = BTreeMap::<_, BTreeSet<_>>::new();
    let mut standings = listings::member_states(db);
    while let Some(standing) = standings.try_next().await.expect("the listings") {
        if let Some(offer) = standing.offer_id {
            clusters.entry(offer).or_default().insert(standing.key);
        }
    }
    clusters
}

/// Every record by its listings, with the same id in all records, so that databases with different random ids can be
/// compared.
///
/// # Panics
/// If the database fails, or a listing belongs to a record that does not exist.
pub async fn records(db: &Db) -> BTreeMap<BTreeSet<ListingKey>, FoundOffer> {
    let mut records = BTreeMap::new();
    for (id, keys) in clusters(db).await {
        let found = offers::detail(db, &id)
            .await
            .expect("the record can be read");
        let mut found = found.expect("the record that a listing belongs to");
        assert_eq!(
            found.detail.offer.id, id,
            "a listing belongs to a record that was retired"
        );
        found.detail.offer.id = OfferId::parse("any").expect("an id");
        records.insert(keys, found);
    }
    records
}
