//! Contents as they came.

use schema::store::raw_listings::{self, RawId};
use schema::{ListingId, RawForm, RawListing};

use crate::samples::{a_raw, day, stored};

#[tokio::test]
async fn a_content_comes_back_as_it_came() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let long = "{\"popis\":\"Žluťoučký kůň\\u0000\"} ".repeat(5_000);
        let raws = [
            RawListing {
                form: RawForm::Payload,
                url: Some("https://portal.example/1".into()),
                body: long,
            },
            RawListing {
                form: RawForm::Listing,
                url: None,
                body: String::new(),
            },
            RawListing {
                form: RawForm::Payload,
                url: None,
                body: "NUL \0 inside".into(),
            },
        ];
        let mut expected = Vec::new();
        for raw in raws {
            let (id, new) = raw_listings::insert(&mut tx, listing, &raw, day(1))
                .await
                .unwrap();
            assert!(new);
            expected.push((id, raw));
        }
        tx.commit().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        assert_eq!(
            raw_listings::of_listing(&mut tx, listing).await.unwrap(),
            expected
        );
        tx.rollback().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_same_content_is_stored_once() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let (first, _) = raw_listings::insert(&mut tx, listing, &a_raw("a"), day(5))
            .await
            .unwrap();
        for at in [day(5), day(9), day(2)] {
            let again = raw_listings::insert(&mut tx, listing, &a_raw("a"), at)
                .await
                .unwrap();
            assert_eq!(again, (first, false));
        }
        assert_eq!(
            raw_listings::of_listing(&mut tx, listing)
                .await
                .unwrap()
                .len(),
            1
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn form_page_and_listing_tell_contents_apart() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let one = stored(&mut tx, "1").await;
        let other = stored(&mut tx, "2").await;
        let raw = a_raw("a");
        let listed = RawListing {
            form: RawForm::Listing,
            ..raw.clone()
        };
        let paged = RawListing {
            url: Some(String::new()),
            ..raw.clone()
        };
        let mut ids = Vec::new();
        for (listing, raw) in [(one, &raw), (one, &listed), (one, &paged), (other, &raw)] {
            let (id, new) = raw_listings::insert(&mut tx, listing, raw, day(1))
                .await
                .unwrap();
            assert!(new);
            ids.push(id);
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn many_at_once_do_what_one_by_one_does() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let one = stored(&mut tx, "1").await;
        let other = stored(&mut tx, "2").await;
        let known = raw_listings::insert(&mut tx, one, &a_raw("known"), day(1))
            .await
            .unwrap()
            .0;
        let (a, b, c) = (a_raw("known"), a_raw("fresh"), a_raw("known"));
        let seen = [
            (one, &a, day(3)),
            (one, &b, day(4)),
            (one, &b, day(2)),
            (other, &c, day(1)),
        ]
        .map(|(listing, raw, at)| raw_listings::NewContent {
            listing,
            raw,
            hash: raw.content_hash(),
            at,
        });
        let stored = raw_listings::insert_all(&mut tx, &seen).await.unwrap();
        assert_eq!(stored[0], (known, false));
        assert!(stored[1].1);
        assert_eq!(stored[2], (stored[1].0, false), "given twice, new once");
        assert!(stored[3].1 && stored[3].0 != known);
        let bodies: Vec<(RawId, RawListing)> =
            raw_listings::of_listing(&mut tx, one).await.unwrap();
        assert_eq!(bodies, [(known, a), (stored[1].0, b)]);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_content_needs_its_listing() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        assert!(
            raw_listings::insert(&mut tx, ListingId(404), &a_raw("a"), day(1))
                .await
                .is_err()
        );
    })
    .await;
}
