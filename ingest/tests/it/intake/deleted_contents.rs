//! Contents of adverts that have been gone for longer than the operator keeps them.

use ingest::intake::{listing_record, read_again};
use schema::ListingKey;
use schema::store::Db;
use schema::store::housekeeping::{self, KeepSince};
use schema::store::raw_listings;
use support::on_each_database;

use super::{NOW, gone, hour, replay_lines, sale, states, stored};

/// Deletes the contents of the adverts that were gone before `before`. Returns how many.
async fn delete_contents(db: &Db, before: i64) -> u64 {
    let keep = KeepSince {
        jobs: hour(0),
        crawls: hour(0),
        entries: hour(0),
        contents: Some(hour(before)),
    };
    housekeeping::tidy(db, keep).await.unwrap().contents
}

/// An advert that changed its price and is gone at hour 5, and one that is live.
async fn one_gone_one_live(db: &Db) {
    let lines = [
        sale("1", 1, 100),
        sale("1", 3, 90),
        gone("1", 5),
        sale("2", 1, 50),
        sale("2", 6, 60),
    ];
    replay_lines(db, &lines).await;
}

#[tokio::test]
async fn the_state_of_an_advert_stays_when_its_contents_are_deleted() {
    on_each_database(async |db| {
        one_gone_one_live(&db).await;
        let before = states(&db).await;
        assert_eq!(delete_contents(&db, 5).await, 0, "not gone for long enough");
        assert_eq!(
            delete_contents(&db, 6).await,
            2,
            "those of the live advert stay"
        );
        assert_eq!(states(&db).await, before);
        read_again(&db, NOW, &mut |_| ()).await.unwrap();
        assert_eq!(states(&db).await, before);
        // A late observation is stored, but the state cannot be computed from it any more.
        replay_lines(&db, &[sale("1", 2, 95), sale("2", 2, 55)]).await;
        let key = ListingKey::new("idnes", "1");
        assert_eq!(states(&db).await[&key], before[&key]);

        let listing = &stored(&db).await[&key];
        let record = listing_record(&db, listing).await.unwrap();
        assert_eq!((record.contents.len(), record.deleted_contents), (1, 2));
        let price = record
            .fields
            .iter()
            .find(|field| field.field == "priceTotal");
        assert_eq!(price.unwrap().value, 90.0);
    })
    .await;
}

#[tokio::test]
async fn an_advert_that_returns_goes_on_where_it_ended() {
    on_each_database(async |db| {
        one_gone_one_live(&db).await;
        delete_contents(&db, 6).await;
        replay_lines(&db, &[sale("1", 9, 80)]).await;
        let returned = states(&db)
            .await
            .remove(&ListingKey::new("idnes", "1"))
            .unwrap();
        assert!(returned.is_live());
        let prices: Vec<f64> = returned
            .prices
            .iter()
            .map(|point| point.price_total)
            .collect();
        assert_eq!(prices, [100.0, 90.0, 80.0]);
        assert_eq!(returned.first_seen_at, hour(1));
    })
    .await;
}

#[tokio::test]
async fn a_replay_brings_deleted_contents_back() {
    on_each_database(async |db| {
        one_gone_one_live(&db).await;
        let before = states(&db).await;
        delete_contents(&db, 6).await;
        one_gone_one_live(&db).await;
        assert_eq!(states(&db).await, before);
        let listing = stored(&db).await[&ListingKey::new("idnes", "1")].id;
        let mut tx = db.begin().await.unwrap();
        assert_eq!(
            raw_listings::without_body(&mut tx, listing).await.unwrap(),
            []
        );
        assert_eq!(
            raw_listings::of_listing(&mut tx, listing)
                .await
                .unwrap()
                .len(),
            2
        );
        tx.rollback().await.unwrap();
        // The state follows from the observations again.
        replay_lines(&db, &[sale("1", 2, 95)]).await;
        let prices = &states(&db).await[&ListingKey::new("idnes", "1")].prices;
        assert_eq!(prices.len(), 3);
    })
    .await;
}
