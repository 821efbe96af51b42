//! With which version of the code derived data were made.

use schema::store::derivations::{self, Derivation};
use schema::store::listings;

use crate::samples::stored;

#[tokio::test]
async fn a_version_is_kept_by_name_and_replaced() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        assert_eq!(
            derivations::version(&mut tx, Derivation::Matching)
                .await
                .unwrap(),
            None
        );
        derivations::set_version(&mut tx, Derivation::Matching, 1)
            .await
            .unwrap();
        derivations::set_version(&mut tx, Derivation::Matching, 7)
            .await
            .unwrap();
        derivations::set_version(&mut tx, Derivation::AddressRegistry, 2)
            .await
            .unwrap();
        assert_eq!(
            derivations::version(&mut tx, Derivation::Matching)
                .await
                .unwrap(),
            Some(7)
        );
    })
    .await;
}

#[tokio::test]
async fn every_listing_can_be_queued_again() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let (one, other) = (stored(&mut tx, "1").await, stored(&mut tx, "2").await);
        let versions: Vec<_> = listings::get(&mut tx, &[one, other])
            .await
            .unwrap()
            .iter()
            .map(|found| (found.id, found.version))
            .collect();
        listings::settle(&mut tx, &versions).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(listings::pending_count(&db).await.unwrap(), 0);
        let mut tx = db.begin().await.unwrap();
        listings::requeue_all(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(listings::pending(&db, 10).await.unwrap(), [one, other]);
    })
    .await;
}
