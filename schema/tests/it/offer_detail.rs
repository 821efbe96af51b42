//! A record with all that stands behind it.

use schema::store::offers::{self, OfferRow};
use schema::store::{Db, listings};
use schema::{
    ListingId, ListingKey, ListingState, PortalLink, PricePoint, PriceSeries, StoredListing,
};

use crate::samples::{a_state, an_offer, day, key, offer_id};

/// Stores a record with these listings behind it.
async fn save(db: &Db, id: &str, behind: &[(ListingKey, ListingState)]) {
    let behind: Vec<StoredListing> = behind
        .iter()
        .map(|(key, state)| StoredListing {
            id: ListingId(0),
            key: key.clone(),
            state: state.clone(),
            version: 1,
            offer_id: Some(offer_id(id)),
        })
        .collect();
    let row = OfferRow {
        portal_links: behind.iter().map(PortalLink::from_listing).collect(),
        price_history: behind.iter().map(PriceSeries::from_listing).collect(),
        ..an_offer(id)
    };
    let mut tx = db.begin().await.unwrap();
    let change = offers::next_change(&mut tx, 1).await.unwrap();
    offers::save(&mut tx, &row, change).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_detail_has_every_link_and_every_price_in_the_order_stored() {
    let points = vec![
        PricePoint {
            at: day(3),
            price_total: 5_000_000.0,
        },
        PricePoint {
            at: day(9),
            price_total: 4_900_000.5,
        },
    ];
    let seen = |at, prices: &[PricePoint]| ListingState {
        first_seen_at: day(at),
        prices: prices.to_vec(),
        ..a_state()
    };
    let gone = ListingState {
        gone_at: Some(day(15)),
        url: None,
        ..seen(3, &points)
    };
    support::on_each_database(async |db| {
        let behind = [
            (key("30"), gone.clone()),
            (ListingKey::new("idnes", "99"), seen(5, &points)),
            (key("10"), seen(5, &[])),
            (key("20"), seen(5, &points[..1])),
        ];
        save(&db, "a", &behind).await;
        save(&db, "b", &[(key("other"), a_state())]).await;
        let found = offers::detail(&db, &offer_id("a")).await.unwrap().unwrap();
        assert_eq!(
            (found.detail.offer, found.expired_at),
            (an_offer("a").offer, None)
        );
        let order = [
            ("sreality", "30"),
            ("idnes", "99"),
            ("sreality", "10"),
            ("sreality", "20"),
        ];
        let links: Vec<(&str, &str)> = found
            .detail
            .portal_links
            .iter()
            .map(|link| (link.site_id.as_str(), link.offer_id.as_str()))
            .collect();
        assert_eq!(links, order);
        let first = PortalLink {
            offer_id: "30".to_owned(),
            site_id: "sreality".to_owned(),
            url: None,
            is_live: false,
            first_seen_at: day(3),
        };
        assert_eq!(found.detail.portal_links[0], first);
        let expected = order.iter().zip([&points[..], &points, &[], &points[..1]]);
        let expected = expected.map(|((site, number), points)| PriceSeries {
            offer_id: (*number).to_owned(),
            site_id: (*site).to_owned(),
            points: points.to_vec(),
        });
        assert_eq!(found.detail.price_history, expected.collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test]
async fn a_detail_shows_a_listing_as_its_record_took_it_in() {
    support::on_each_database(async |db| {
        save(&db, "a", &[(key("1"), a_state())]).await;
        let merged = offers::detail(&db, &offer_id("a")).await.unwrap();
        let gone = ListingState {
            gone_at: Some(day(25)),
            ..a_state()
        };
        let mut tx = db.begin().await.unwrap();
        let listing = listings::save(&mut tx, &key("1"), &gone, true)
            .await
            .unwrap();
        listings::assign(&mut tx, &[(listing, &offer_id("a"))])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(offers::detail(&db, &offer_id("a")).await.unwrap(), merged);
    })
    .await;
}

#[tokio::test]
async fn a_detail_follows_aliases() {
    support::on_each_database(async |db| {
        save(&db, "a", &[(key("1"), a_state())]).await;
        save(&db, "b", &[]).await;
        save(&db, "c", &[]).await;
        let mut tx = db.begin().await.unwrap();
        let change = offers::next_change(&mut tx, 2).await.unwrap();
        offers::retire(&mut tx, &offer_id("c"), &offer_id("b"), change)
            .await
            .unwrap();
        offers::retire(&mut tx, &offer_id("b"), &offer_id("a"), change + 1)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let asked = offers::detail(&db, &offer_id("a")).await.unwrap().unwrap();
        assert_eq!(asked.detail.portal_links.len(), 1);
        for alias in ["b", "c"] {
            assert_eq!(
                offers::detail(&db, &offer_id(alias)).await.unwrap(),
                Some(asked.clone())
            );
        }
        assert_eq!(
            offers::detail(&db, &offer_id("unknown")).await.unwrap(),
            None
        );
    })
    .await;
}

#[tokio::test]
async fn a_detail_knows_when_the_record_expired() {
    support::on_each_database(async |db| {
        let mut offer = an_offer("a");
        offer.offer.is_live = false;
        offer.expired_at = Some(day(33));
        let mut tx = db.begin().await.unwrap();
        let change = offers::next_change(&mut tx, 1).await.unwrap();
        offers::save(&mut tx, &offer, change).await.unwrap();
        tx.commit().await.unwrap();
        let found = offers::detail(&db, &offer_id("a")).await.unwrap().unwrap();
        assert_eq!(
            (found.expired_at, found.detail.offer.is_live),
            (Some(day(33)), false)
        );
    })
    .await;
}
