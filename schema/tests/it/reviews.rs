//! What persons decided, a log.

use schema::store::reviews::{self, Decided};
use schema::store::{Db, listings};
use schema::{ListingKey, ListingPair, Review, Timestamp, Verdict};

use crate::samples::stored;

async fn key_of(db: &Db, id: schema::ListingId) -> ListingKey {
    let mut tx = db.begin_read().await.unwrap();
    listings::get(&mut tx, &[id]).await.unwrap().remove(0).key
}

#[tokio::test]
async fn of_the_entries_about_a_pair_the_last_counts_and_all_are_kept() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let ids = [stored(&mut tx, "1").await, stored(&mut tx, "2").await];
        tx.commit().await.unwrap();
        let (one, other) = (key_of(&db, ids[0]).await, key_of(&db, ids[1]).await);
        let unseen = ListingKey::new("zzz", "9");
        let entry = |with: &ListingKey, verdict, at, reason: Option<&str>| Review {
            pair: ListingPair::new(one.clone(), with.clone()).unwrap(),
            verdict,
            reason: reason.map(str::to_owned),
            decided_at: Timestamp(at),
        };
        // The last that was said counts, whatever its clock said.
        let log = [
            entry(&other, Verdict::Same, 30, Some("one \u{10D}íslo popisné")),
            entry(&unseen, Verdict::Different, 20, Some("other floor")),
            entry(&other, Verdict::Forgotten, 10, None),
        ];
        let mut tx = db.begin().await.unwrap();
        for (place, review) in log.iter().enumerate() {
            reviews::add(&mut tx, review).await.unwrap();
            let around = reviews::around(&mut tx, &[ids[1]]).await.unwrap();
            let verdict = if place < 2 {
                Verdict::Same
            } else {
                Verdict::Forgotten
            };
            assert_eq!(
                around,
                [Decided {
                    left: ids[0],
                    right: ids[1],
                    verdict
                }]
            );
        }
        assert_eq!(
            reviews::around(&mut tx, &ids).await.unwrap().len(),
            1,
            "of stored listings only"
        );
        assert_eq!(reviews::in_force(&mut tx).await.unwrap(), log[1..2]);
        tx.commit().await.unwrap();
        let logged = reviews::log(&db).await.unwrap().into_iter();
        assert_eq!(logged.map(|one| one.review).collect::<Vec<_>>(), log);
    })
    .await;
}

#[tokio::test]
async fn a_listing_that_is_queued_for_a_decision_is_not_settled_by_a_run_under_way() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let id = stored(&mut tx, "1").await;
        let version = listings::get(&mut tx, &[id]).await.unwrap()[0].version;
        listings::requeue(&mut tx, &[id]).await.unwrap();
        listings::settle(&mut tx, &[(id, version)]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(listings::pending(&db, 10).await.unwrap(), [id]);
    })
    .await;
}
