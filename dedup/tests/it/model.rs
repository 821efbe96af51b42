//! Records made by another version of the model are rebuilt.

use dedup::worker::MODEL;
use schema::store::Db;
use schema::store::derivations::{self, Derivation};
use support::{clusters, on_each_database};

use super::feeding::{deduplicate, seen, take_in};
use super::market::{flat, other_flat};

async fn version(db: &Db) -> Option<i64> {
    let mut tx = db.begin().await.unwrap();
    derivations::version(&mut tx, Derivation::Matching)
        .await
        .unwrap()
}

#[tokio::test]
async fn another_version_of_the_model_matches_every_listing_once() {
    on_each_database(async |db| {
        let lines = [
            seen("sreality", "1", 1, &flat()),
            seen("idnes", "2", 2, &flat()),
            seen("idnes", "3", 3, &other_flat()),
        ];
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        let records = clusters(&db).await;
        assert_eq!(
            (version(&db).await, deduplicate(&db).await.listings),
            (Some(MODEL), 0)
        );
        let mut tx = db.begin().await.unwrap();
        derivations::set_version(&mut tx, Derivation::Matching, MODEL - 1)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(deduplicate(&db).await.listings, 3);
        assert_eq!(
            (version(&db).await, deduplicate(&db).await.listings),
            (Some(MODEL), 0)
        );
        assert_eq!(clusters(&db).await, records);
    })
    .await;
}
