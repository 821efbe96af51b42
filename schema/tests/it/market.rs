//! The records with their adverts, page by page.

use schema::store::{Db, listings, market, offers};
use schema::{ListingKey, OfferId, PricePoint, Timestamp};

use crate::samples::{a_state, an_offer};

/// An offer with adverts that ask these prices.
async fn save(db: &Db, id: &str, adverts: &[(&str, &[f64])]) {
    let mut tx = db.begin().await.unwrap();
    let change = offers::next_change(&mut tx, 1).await.unwrap();
    offers::save(&mut tx, &an_offer(id), change).await.unwrap();
    for (site, prices) in adverts {
        let mut state = a_state();
        state.prices = prices
            .iter()
            .zip(1..)
            .map(|(price, at)| PricePoint {
                at: Timestamp(at),
                price_total: *price,
            })
            .collect();
        let key = ListingKey::new(*site, id);
        let listing = listings::save(&mut tx, &key, &state, true).await.unwrap();
        let id = OfferId::parse(id).unwrap();
        listings::assign(&mut tx, &[(listing, &id)]).await.unwrap();
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn every_record_has_its_own_adverts_and_prices_whatever_the_size_of_a_page() {
    support::on_each_database(async |db| {
        save(&db, "a", &[("one", &[3.0, 2.0]), ("two", &[])]).await;
        save(&db, "b", &[]).await;
        save(&db, "c", &[("one", &[9.0])]).await;
        let whole = market::page(&db, 0, 10).await.unwrap();
        let told: Vec<Vec<(&str, Vec<f64>)>> = whole
            .iter()
            .map(|record| {
                let adverts = record.adverts.iter();
                let prices =
                    |it: &market::MarketAdvert| it.prices.iter().map(|it| it.price_total).collect();
                adverts
                    .map(|it| (it.site_id.as_str(), prices(it)))
                    .collect()
            })
            .collect();
        assert_eq!(
            told,
            [
                vec![("one", vec![3.0, 2.0]), ("two", vec![])],
                vec![],
                vec![("one", vec![9.0])],
            ]
        );
        let (mut after, mut paged) = (0, Vec::new());
        while let Some(record) = market::page(&db, after, 1).await.unwrap().pop() {
            after = record.row;
            paged.push(record);
        }
        assert_eq!(paged, whole);
    })
    .await;
}
