//! What could not be read.

use schema::ListingState;
use schema::store::housekeeping::{self, KeepSince};
use schema::store::listings;
use schema::store::rejects::{self, Reject};
use schema::store::value_rejects::{self, ValueReject};

use crate::samples::{a_state, day, key, stored, stored_raw};

fn reject(line: u64, content: &[u8]) -> Reject {
    Reject {
        source: "dump.jsonl".into(),
        line,
        reason: "broken JSON".into(),
        content: content.to_vec(),
    }
}

#[tokio::test]
async fn a_reject_is_kept_once_and_as_it_came() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let kept = [reject(1, b"\xff\0{"), reject(2, b"\xff\0{"), reject(2, b"")];
        for (reject, new) in kept
            .iter()
            .map(|reject| (reject, true))
            .chain([(&kept[0], false)])
        {
            assert_eq!(rejects::insert(&mut tx, reject, day(1)).await.unwrap(), new);
        }
        tx.commit().await.unwrap();
        assert_eq!(rejects::count(&db).await.unwrap(), 3);
        let first = rejects::list(&db, None, 2).await.unwrap();
        let rest = rejects::list(&db, first.last().map(|(id, _)| *id), 2)
            .await
            .unwrap();
        let listed: Vec<Reject> = first
            .iter()
            .chain(&rest)
            .map(|(_, reject)| reject.clone())
            .collect();
        assert_eq!(listed, kept);

        let mut tx = db.begin().await.unwrap();
        rejects::delete(&mut tx, &[first[0].0, rest[0].0])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(rejects::list(&db, None, 9).await.unwrap(), first[1..]);
    })
    .await;
}

#[tokio::test]
async fn a_reason_that_quotes_a_nul_is_kept() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let quoting = Reject {
            reason: "unexpected \0".into(),
            ..reject(1, b"\0")
        };
        assert!(rejects::insert(&mut tx, &quoting, day(1)).await.unwrap());
        tx.commit().await.unwrap();
        let (_, listed) = rejects::list(&db, None, 1).await.unwrap().remove(0);
        assert_eq!(
            (listed.reason.as_str(), listed.content),
            ("unexpected \u{FFFD}", b"\0".to_vec())
        );
    })
    .await;
}

#[tokio::test]
async fn values_left_out_are_counted_by_portal_field_and_reason() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let (one, other) = (
            stored_raw(&mut tx, listing, "one").await,
            stored_raw(&mut tx, listing, "other").await,
        );
        let floor = ValueReject {
            field: "floor".into(),
            value: "900".into(),
            reason: "no house is so high".into(),
        };
        let area = ValueReject {
            field: "livingArea".into(),
            value: "9".repeat(20_000),
            reason: "larger than any building".into(),
        };
        for (raw, reject) in [
            (one, &floor),
            (one, &floor),
            (other, &floor),
            (other, &area),
        ] {
            value_rejects::insert(&mut tx, raw, "sreality", reject)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        let counts = value_rejects::counts(&db).await.unwrap();
        let row = |reject: &ValueReject, count| {
            (
                "sreality".to_owned(),
                reject.field.clone(),
                reject.reason.clone(),
                count,
            )
        };
        assert_eq!(counts, [row(&floor, 2), row(&area, 1)]);
        assert_eq!(
            value_rejects::of_listing(&db, listing).await.unwrap(),
            [floor, area]
        );
    })
    .await;
}

#[tokio::test]
async fn values_of_an_advert_that_has_been_gone_for_long_are_deleted() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let reject = ValueReject {
            field: "floor".into(),
            value: "900".into(),
            reason: "no house is so high".into(),
        };
        let mut listings = Vec::new();
        for (number, gone_at) in [
            ("live", None),
            ("lately", Some(day(20))),
            ("long", Some(day(12))),
        ] {
            let state = ListingState {
                gone_at,
                ..a_state()
            };
            let key = key(number);
            let listing = listings::save(&mut tx, &key, &state, true);
            let listing = listing.await.unwrap();
            let raw = stored_raw(&mut tx, listing, "content").await;
            value_rejects::insert(&mut tx, raw, "sreality", &reject)
                .await
                .unwrap();
            listings.push(listing);
        }
        tx.commit().await.unwrap();
        let keep = KeepSince {
            jobs: day(15),
            crawls: day(15),
            entries: day(15),
            contents: None,
        };
        housekeeping::tidy(&db, keep).await.unwrap();
        let mut left = Vec::new();
        for listing in listings {
            left.push(value_rejects::of_listing(&db, listing).await.unwrap().len());
        }
        assert_eq!(left, [1, 1, 0]);
    })
    .await;
}
