//! The merged records of a database, named by their listings.

use std::collections::{BTreeMap, BTreeSet};

use schema::store::offers::{self, FoundOffer};
use schema::store::{Db, listings};
use schema::{ListingKey, OfferId};

/// Listings read at a time.
const PAGE: u32 = 5_000;

/// Which listings are in each record, by its id. A listing that belongs to none yet is left out.
///
/// # Panics
/// When the database fails.
pub async fn clusters(db: &Db) -> BTreeMap<OfferId, BTreeSet<ListingKey>> {
    let (mut clusters, mut after) = (BTreeMap::<_, BTreeSet<_>>::new(), None);
    loop {
        let page = listings::clusters(db, after, PAGE).await.expect("the listings");
        let Some((last, ..)) = page.last() else { return clusters };
        after = Some(*last);
        for (_, key, offer) in page {
            if let Some(offer) = offer {
                clusters.entry(offer).or_default().insert(key);
            }
        }
    }
}

/// Every record by its listings, all with one and the same id: what two databases agree on whose ids were drawn apart.
///
/// # Panics
/// When the database fails, or a listing belongs to a record that is not there.
pub async fn records(db: &Db) -> BTreeMap<BTreeSet<ListingKey>, FoundOffer> {
    let mut records = BTreeMap::new();
    for (id, keys) in clusters(db).await {
        let found = offers::detail(db, &id).await.expect("the record can be read");
        let mut found = found.expect("the record that a listing belongs to");
        assert_eq!(found.detail.offer.id, id, "a listing belongs to a record that was retired");
        found.detail.offer.id = OfferId::parse("any").expect("an id");
        records.insert(keys, found);
    }
    records
}
