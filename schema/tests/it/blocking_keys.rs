//! Blocks of listings that share a key.

use schema::ListingId;
use schema::store::blocking_keys;

#[tokio::test]
async fn a_listing_has_the_keys_it_was_given_last() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let (one, other) = (ListingId(1), ListingId(2));
        blocking_keys::replace(&mut tx, one, &[5, i64::MIN, 5, i64::MAX])
            .await
            .unwrap();
        blocking_keys::replace_all(&mut tx, &[(one, &[7, i64::MAX]), (other, &[7])])
            .await
            .unwrap();
        let keys = blocking_keys::of_listings(&mut tx, &[other, one, ListingId(3)])
            .await
            .unwrap();
        assert_eq!(keys, [(one, 7), (one, i64::MAX), (other, 7)]);
        blocking_keys::replace(&mut tx, one, &[]).await.unwrap();
        assert_eq!(
            blocking_keys::of_listings(&mut tx, &[one]).await.unwrap(),
            []
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_block_is_read_up_to_one_more_than_its_cap() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for listing in 1..=6 {
            let keys: &[i64] = if listing <= 2 { &[-3, 100] } else { &[100] };
            blocking_keys::replace(&mut tx, ListingId(listing), keys)
                .await
                .unwrap();
        }
        let members = blocking_keys::members(&mut tx, &[100, -3, 100, 42], 3)
            .await
            .unwrap();
        let expected = [(-3, 1), (-3, 2), (100, 1), (100, 2), (100, 3), (100, 4)];
        assert_eq!(
            members,
            expected.map(|(key, listing)| (key, ListingId(listing)))
        );
        let all = blocking_keys::members(&mut tx, &[100], 6).await.unwrap();
        assert_eq!(all.len(), 6);
        assert_eq!(
            blocking_keys::members(&mut tx, &[100], 0)
                .await
                .unwrap()
                .len(),
            1
        );
        let sizes = blocking_keys::sizes(&mut tx, &[100, -3, 42]).await.unwrap();
        assert_eq!(sizes, std::collections::HashMap::from([(100, 6), (-3, 2)]));
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn long_lists_are_read_and_written_whole() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listings: Vec<ListingId> = (1..=12_000).map(ListingId).collect();
        let keys: Vec<[i64; 2]> = listings.iter().map(|id| [id.0, -id.0]).collect();
        let given: Vec<_> = listings
            .iter()
            .zip(&keys)
            .map(|(id, keys)| (*id, keys.as_slice()))
            .collect();
        blocking_keys::replace_all(&mut tx, &given).await.unwrap();
        assert_eq!(
            blocking_keys::of_listings(&mut tx, &listings)
                .await
                .unwrap()
                .len(),
            24_000
        );
        let wanted: Vec<i64> = keys.concat();
        assert_eq!(
            blocking_keys::members(&mut tx, &wanted, 10)
                .await
                .unwrap()
                .len(),
            24_000
        );
        tx.commit().await.unwrap();
    })
    .await;
}
