//! Contents as they came.

use schema::store::raw_listings::{self, RawId};
use schema::store::{Tx, listings, observations, purges};
use schema::{ListingId, ListingKey, RawForm, RawListing};

use crate::opening::run;
use crate::samples::{a_raw, a_state, day, insert_raw, stored};

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
            let (id, new) = insert_raw(&mut tx, listing, &raw).await.unwrap();
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
        let (first, _) = insert_raw(&mut tx, listing, &a_raw("a")).await.unwrap();
        for _ in 0..3 {
            let again = insert_raw(&mut tx, listing, &a_raw("a")).await.unwrap();
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
            let (id, new) = insert_raw(&mut tx, listing, raw).await.unwrap();
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
        let known = insert_raw(&mut tx, one, &a_raw("known")).await.unwrap().0;
        let (a, b, c) = (a_raw("known"), a_raw("fresh"), a_raw("known"));
        let seen = [(one, &a), (one, &b), (one, &b), (other, &c)].map(|(listing, raw)| {
            raw_listings::NewContent {
                listing,
                site_id: "sreality",
                raw,
                hash: raw.content_hash(),
                ahead: None,
            }
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
            insert_raw(&mut tx, ListingId(404), &a_raw("a"))
                .await
                .is_err()
        );
    })
    .await;
}

#[tokio::test]
async fn each_of_many_contents_needs_its_listing() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let raws: Vec<RawListing> = (0..100).map(|n| a_raw(&n.to_string())).collect();
        let content = |(number, raw)| raw_listings::NewContent {
            listing: if number < 99 { listing } else { ListingId(404) },
            site_id: "sreality",
            raw,
            hash: raw.content_hash(),
            ahead: None,
        };
        let seen: Vec<_> = raws.iter().enumerate().map(content).collect();
        tx.commit().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        assert!(raw_listings::insert_all(&mut tx, &seen).await.is_err());
        tx.rollback().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let stored = raw_listings::insert_all(&mut tx, &seen[..99])
            .await
            .unwrap();
        assert!(stored.iter().all(|(_, new)| *new));
    })
    .await;
}

/// A page of an advert: two thousand words that all pages have, and a few of its own.
fn page(number: u64) -> RawListing {
    let shared = |word: u64| {
        format!(
            "<li class=\"p{word}\">{}</li>",
            word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        )
    };
    let own = |word: u64| {
        (number * 1000 + word)
            .wrapping_mul(0xd1b5_4a32_d192_ed03)
            .to_string()
    };
    RawListing {
        form: RawForm::Payload,
        url: Some(format!("https://portal.example/{number}")),
        body: (0..400).map(shared).chain((0..20).map(own)).collect(),
    }
}

/// How many bytes are stored.
const SIZE: &str = "SELECT CAST(SUM(length(body)) AS BIGINT) FROM raw_listings";

#[tokio::test]
async fn pages_of_a_portal_are_compressed_with_what_they_have_in_common() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        let mut pages = Vec::new();
        for number in 0..30 {
            pages.push((stored(&mut tx, &number.to_string()).await, page(number)));
        }
        // The first page comes alone, before there is a dictionary.
        let (first, later) = pages.split_first().unwrap();
        insert_raw(&mut tx, first.0, &first.1).await.unwrap();
        let contents: Vec<_> = later
            .iter()
            .map(|(listing, raw)| raw_listings::NewContent {
                listing: *listing,
                site_id: "sreality",
                raw,
                hash: raw.content_hash(),
                ahead: None,
            })
            .collect();
        raw_listings::insert_all(&mut tx, &contents).await.unwrap();
        tx.commit().await.unwrap();

        let alone = zstd::bulk::compress(first.1.body.as_bytes(), 3)
            .unwrap()
            .len();
        let [alone, pages_later] = [alone, later.len()].map(|size| i64::try_from(size).unwrap());
        let together = database.number(SIZE).await - alone;
        assert!(
            together * 4 < pages_later * alone,
            "{together} bytes for {} pages; one alone takes {alone}",
            later.len()
        );
        let mut tx = database.db.begin().await.unwrap();
        for (listing, raw) in &pages {
            let contents = raw_listings::of_listing(&mut tx, *listing).await.unwrap();
            assert_eq!(contents.len(), 1);
            assert_eq!(contents[0].1, *raw);
        }
        tx.rollback().await.unwrap();
        database.db.close().await;
    }
}

/// Stores a listing of a portal that no other test uses, because a process remembers the last dictionary of each portal.
async fn stored_on(tx: &mut Tx, site_id: &str, number: u64) -> ListingId {
    let key = ListingKey::new(site_id, number.to_string());
    listings::save(tx, &key, &a_state(), true).await.unwrap()
}

#[tokio::test]
async fn what_was_compressed_ahead_comes_back_as_it_came_on_its_portal_and_on_another() {
    const PORTAL: &str = "ahead.example";
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let mut pages = Vec::new();
        for number in 0..30 {
            let listing = stored_on(&mut tx, PORTAL, number).await;
            pages.push((listing, page(number)));
        }
        let content = |listing, site_id, raw, ahead| raw_listings::NewContent {
            listing,
            site_id,
            raw,
            hash: RawListing::content_hash(raw),
            ahead,
        };
        let contents: Vec<_> = pages
            .iter()
            .map(|(listing, raw)| content(*listing, PORTAL, raw, None))
            .collect();
        raw_listings::insert_all(&mut tx, &contents).await.unwrap();

        let raw = page(30);
        let ahead = raw_listings::compress_ahead(&[(PORTAL, &raw), ("unknown.example", &raw)]);
        assert!(ahead[0].is_some(), "the portal has a dictionary");
        assert!(ahead[1].is_none(), "nothing of this portal was stored");
        for site_id in [PORTAL, "other.example"] {
            let listing = stored_on(&mut tx, site_id, 30).await;
            let content = content(listing, site_id, &raw, ahead[0].as_ref());
            raw_listings::insert_all(&mut tx, &[content]).await.unwrap();
            let stored = raw_listings::of_listing(&mut tx, listing).await.unwrap();
            assert_eq!(stored[0].1, raw);
        }
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_body_that_was_deleted_comes_back_with_its_content() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        let (gone, live) = (stored(&mut tx, "1").await, stored(&mut tx, "2").await);
        let (content, _) = insert_raw(&mut tx, gone, &a_raw("a")).await.unwrap();
        insert_raw(&mut tx, live, &a_raw("b")).await.unwrap();
        tx.commit().await.unwrap();
        let end = format!(
            "UPDATE listings SET gone_at = {} WHERE id = {}",
            day(5).millis(),
            gone.0
        );
        run(&database, end).await;

        let mut tx = database.db.begin().await.unwrap();
        for (before, deleted) in [(day(5), 0), (day(6), 1), (day(6), 0)] {
            let found = raw_listings::delete_bodies(&mut tx, before).await.unwrap();
            assert_eq!(found, deleted, "{before} on {}", database.name);
        }
        assert_eq!(raw_listings::of_listing(&mut tx, gone).await.unwrap(), []);
        assert_eq!(
            raw_listings::without_body(&mut tx, gone).await.unwrap(),
            [content]
        );
        assert_eq!(
            raw_listings::of_listing(&mut tx, live).await.unwrap().len(),
            1
        );

        let again = insert_raw(&mut tx, gone, &a_raw("a")).await.unwrap();
        assert_eq!(again, (content, false));
        assert_eq!(raw_listings::without_body(&mut tx, gone).await.unwrap(), []);
        let contents = raw_listings::of_listing(&mut tx, gone).await.unwrap();
        assert_eq!(contents, [(content, a_raw("a"))]);
        tx.commit().await.unwrap();
        database.db.close().await;
    }
}

#[tokio::test]
async fn a_small_change_is_stored_as_a_difference_and_outlives_the_content_before() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let words = (1..2_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let long: Vec<String> = words.map(|word| format!("{word:x}")).collect();
        let (before, after) = (
            a_raw(&long.join(" ")),
            a_raw(&(long.join(" ") + " nová cena")),
        );
        insert_raw(&mut tx, listing, &before).await.unwrap();
        let (id, _) = insert_raw(&mut tx, listing, &after).await.unwrap();
        observations::record(&mut tx, listing, day(3), Some(id))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        // A body of twenty thousand random digits does not fit into this length.
        let large = "DELETE FROM raw_listings WHERE base IS NOT NULL AND length(body) > 1000";
        run(&database, large).await;
        let mut tx = database.db.begin().await.unwrap();
        let contents = raw_listings::of_listing(&mut tx, listing).await.unwrap();
        assert_eq!(contents.last(), Some(&(id, after.clone())));
        purges::delete_unseen_contents(&mut tx, &[listing])
            .await
            .unwrap();
        let contents = raw_listings::of_listing(&mut tx, listing).await.unwrap();
        assert_eq!(contents, [(id, after)], "{}", database.name);
        tx.rollback().await.unwrap();
        database.db.close().await;
    }
}
