//! Scored pairs.

use schema::store::matches;
use schema::{ListingId, StoredMatch};

fn pair(left: i64, right: i64, weight: f64) -> StoredMatch {
    StoredMatch {
        left: ListingId(left),
        right: ListingId(right),
        weight,
        vetoed: weight < 0.0,
    }
}

#[tokio::test]
async fn matches_are_found_from_either_side() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let stored = [
            pair(1, 2, 0.1 + 0.2),
            pair(1, 3, -4.5),
            pair(2, 3, 7.0),
            pair(4, 5, 1.0),
        ];
        matches::insert_all(&mut tx, &stored).await.unwrap();
        let around = |ids: &'static [i64]| ids.iter().map(|id| ListingId(*id)).collect::<Vec<_>>();
        assert_eq!(
            matches::around(&mut tx, &around(&[3])).await.unwrap(),
            stored[1..3]
        );
        assert_eq!(
            matches::around(&mut tx, &around(&[1, 2, 3])).await.unwrap(),
            stored[..3]
        );
        assert_eq!(matches::around(&mut tx, &around(&[9])).await.unwrap(), []);
        assert_eq!(matches::all(&mut tx).await.unwrap(), stored);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_touched_a_listing_is_replaced() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        matches::insert_all(
            &mut tx,
            &[pair(1, 2, 1.0), pair(2, 3, 2.0), pair(3, 4, 3.0)],
        )
        .await
        .unwrap();
        matches::replace_around(&mut tx, &[ListingId(2)], &[pair(2, 4, 5.0)])
            .await
            .unwrap();
        let all: Vec<ListingId> = (1..=4).map(ListingId).collect();
        assert_eq!(
            matches::around(&mut tx, &all).await.unwrap(),
            [pair(2, 4, 5.0), pair(3, 4, 3.0)]
        );
        matches::insert_all(&mut tx, &[pair(3, 4, -1.0)])
            .await
            .unwrap();
        assert_eq!(
            matches::around(&mut tx, &[ListingId(3)]).await.unwrap(),
            [pair(3, 4, -1.0)]
        );
        matches::clear(&mut tx).await.unwrap();
        assert_eq!(matches::around(&mut tx, &all).await.unwrap(), []);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn any_number_is_stored_at_once() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let many: Vec<StoredMatch> = (0..1_234)
            .map(|number| pair(number, number + 1, number as f64))
            .collect();
        matches::insert_all(&mut tx, &many).await.unwrap();
        let all: Vec<ListingId> = (0..7_000).map(ListingId).collect();
        assert_eq!(matches::around(&mut tx, &all).await.unwrap(), many);
        assert!(
            matches::insert_all(&mut tx, &[pair(2, 1, 0.0)])
                .await
                .is_err(),
            "the smaller number is left"
        );
        tx.rollback().await.unwrap();
    })
    .await;
}
