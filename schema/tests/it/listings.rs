//! The state of portal listings.

use futures::TryStreamExt;
use schema::store::listings::{self, MemberState, Processed, Save};
use schema::store::{StoreError, observations};
use schema::{
    Crawl, CrawlScope, ListingId, ListingKey, ListingState, OfferId, OfferType, PricePoint,
};

use crate::samples::{a_state, day, key, offer_id, stored, stored_raw};

#[tokio::test]
async fn a_state_comes_back_as_it_was() {
    support::on_each_database(async |db| {
        let mut state = a_state();
        state.gone_at = Some(day(13));
        state.prices.push(PricePoint {
            at: day(10),
            price_total: 0.1 + 0.2,
        });
        let mut tx = db.begin().await.unwrap();
        let id = listings::save(&mut tx, &key("1"), &state, true)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let mut tx = db.begin().await.unwrap();
        let loaded = listings::load(&mut tx, &[key("1"), key("unknown")])
            .await
            .unwrap();
        assert_eq!(loaded.len(), 1);
        let listing = &loaded[&key("1")];
        assert_eq!(
            (listing.id, &listing.key, listing.version),
            (id, &key("1"), 1)
        );
        assert_eq!((&listing.state, &listing.offer_id), (&state, &None));
        assert_eq!(
            listings::get(&mut tx, &[id, ListingId(404), id])
                .await
                .unwrap(),
            std::slice::from_ref(listing)
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn only_a_change_raises_the_version() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let id = stored(&mut tx, "1").await;
        let seen_again = ListingState {
            last_seen_at: day(14),
            ..a_state()
        };
        assert_eq!(
            listings::save(&mut tx, &key("1"), &seen_again, false)
                .await
                .unwrap(),
            id
        );
        let listing = listings::get(&mut tx, &[id]).await.unwrap().remove(0);
        assert_eq!((listing.version, listing.state), (1, seen_again.clone()));

        let prices = vec![
            PricePoint {
                at: day(11),
                price_total: 1.0,
            },
            PricePoint {
                at: day(15),
                price_total: 2.0,
            },
        ];
        let changed = ListingState {
            prices,
            url: None,
            ..seen_again
        };
        listings::save(&mut tx, &key("1"), &changed, true)
            .await
            .unwrap();
        let listing = listings::get(&mut tx, &[id]).await.unwrap().remove(0);
        assert_eq!((listing.version, listing.state), (2, changed.clone()));

        let no_price = ListingState {
            prices: Vec::new(),
            ..changed
        };
        listings::save(&mut tx, &key("1"), &no_price, true)
            .await
            .unwrap();
        assert_eq!(
            listings::get(&mut tx, &[id]).await.unwrap().remove(0).state,
            no_price
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn many_at_once_do_what_one_by_one_does() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let known = stored(&mut tx, "known").await;
        let keys: Vec<_> = (0..1_200)
            .map(|number| key(&number.to_string()))
            .chain([key("known")])
            .collect();
        let state = ListingState {
            last_seen_at: day(15),
            ..a_state()
        };
        let saves: Vec<_> = keys
            .iter()
            .enumerate()
            .map(|(place, key)| Save {
                key,
                state: &state,
                changed: place % 2 == 0,
                ahead: None,
            })
            .collect();
        let ids = listings::save_all(&mut tx, &saves).await.unwrap();
        assert_eq!(ids.last(), Some(&known));
        let stored = listings::load(&mut tx, &keys).await.unwrap();
        for (place, (key, id)) in keys.iter().zip(&ids).enumerate() {
            assert_eq!(
                (stored[key].id, &stored[key].state),
                (*id, &state),
                "{place}"
            );
        }
        assert_eq!(stored[&key("known")].version, 2);
        let twice = [saves[0], saves[0]];
        assert!(matches!(
            listings::save_all(&mut tx, &twice).await,
            Err(StoreError::Unstorable { .. })
        ));
        tx.commit().await.unwrap();
        assert_eq!(
            listings::pending_count(&db).await.unwrap(),
            1_201,
            "a new listing is always pending"
        );
        assert_eq!(listings::count(&db).await.unwrap(), 1_201);
    })
    .await;
}

#[tokio::test]
async fn a_listing_stays_pending_until_its_latest_version_is_settled() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let (one, other) = (stored(&mut tx, "1").await, stored(&mut tx, "2").await);
        tx.commit().await.unwrap();
        assert_eq!(listings::pending(&db, 10).await.unwrap(), [one, other]);
        assert_eq!(listings::pending(&db, 1).await.unwrap(), [one]);

        let mut tx = db.begin().await.unwrap();
        listings::save(&mut tx, &key("2"), &a_state(), true)
            .await
            .unwrap();
        listings::settle(&mut tx, &[(one, 1), (other, 1)])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            listings::pending(&db, 10).await.unwrap(),
            [other],
            "its version has moved on"
        );
        assert_eq!(listings::pending_count(&db).await.unwrap(), 1);

        let mut tx = db.begin().await.unwrap();
        listings::settle(&mut tx, &[(other, 2)]).await.unwrap();
        listings::save(&mut tx, &key("1"), &a_state(), false)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            listings::pending_count(&db).await.unwrap(),
            0,
            "what did not change is not pending"
        );
    })
    .await;
}

#[tokio::test]
async fn a_processed_listing_gets_its_record_and_stays_pending_only_in_a_later_version() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let [matched, later, neighbour] = [
            stored(&mut tx, "1").await,
            stored(&mut tx, "2").await,
            stored(&mut tx, "3").await,
        ];
        listings::save(&mut tx, &key("2"), &a_state(), true)
            .await
            .unwrap();
        let offer = offer_id("one");
        let processed = |listing, version| Processed {
            listing,
            offer: Some(&offer),
            version,
        };
        let all = [
            processed(matched, Some(1)),
            processed(later, Some(1)),
            processed(neighbour, None),
        ];
        listings::process(&mut tx, &all).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            listings::pending(&db, 10).await.unwrap(),
            [later, neighbour]
        );
        let of_one = listings::of_offer(&db, &offer).await.unwrap();
        assert_eq!(of_one.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn listings_are_found_by_their_offer() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let [a, b, c] = [
            stored(&mut tx, "a").await,
            stored(&mut tx, "b").await,
            stored(&mut tx, "c").await,
        ];
        let (one, other) = (offer_id("one"), offer_id("other"));
        listings::assign(&mut tx, &[(a, &one), (b, &other), (c, &one)])
            .await
            .unwrap();
        let ids = |listings: Vec<schema::StoredListing>| {
            listings.iter().map(|one| one.id).collect::<Vec<_>>()
        };
        let both = listings::of_offers(&mut tx, &[other.clone(), one.clone()])
            .await
            .unwrap();
        assert_eq!(ids(both), [a, b, c]);
        listings::assign(&mut tx, &[(c, &other)]).await.unwrap();
        tx.commit().await.unwrap();
        let of_one = listings::of_offer(&db, &one).await.unwrap();
        assert_eq!(of_one[0].offer_id, Some(one.clone()));
        assert_eq!(ids(of_one), [a]);
        let member_states: Vec<MemberState> =
            listings::member_states(&db).try_collect().await.unwrap();
        let member = |id, name, offer: &OfferId| MemberState {
            id,
            key: key(name),
            offer_id: Some(offer.clone()),
            is_live: a_state().gone_at.is_none(),
        };
        assert_eq!(
            member_states,
            [
                member(a, "a", &one),
                member(b, "b", &other),
                member(c, "c", &other)
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn a_listing_compressed_ahead_is_stored_as_its_state_says() {
    const PORTAL: &str = "listing-ahead.example";
    support::on_each_database(async |db| {
        let state_of = |number: usize| {
            let mut state = a_state();
            let description = format!("A long text that adverts share, and number {number}. ");
            state.listing.attributes.description = Some(description.repeat(20));
            state
        };
        let states: Vec<ListingState> = (0..40).map(state_of).collect();
        let mut tx = db.begin().await.unwrap();
        for (number, state) in states.iter().enumerate() {
            let key = ListingKey::new(PORTAL, number.to_string());
            listings::save(&mut tx, &key, state, true).await.unwrap();
        }
        // A dictionary needs many listings at once.
        let keys: Vec<ListingKey> = (0..40)
            .map(|number| ListingKey::new(PORTAL, number.to_string()))
            .collect();
        let save = |(key, state)| Save {
            key,
            state,
            changed: true,
            ahead: None,
        };
        let saves: Vec<Save<'_>> = keys.iter().zip(&states).map(save).collect();
        listings::save_all(&mut tx, &saves).await.unwrap();

        let (new, changed) = (state_of(41), state_of(42));
        let seen = (&new.listing, new.url.as_deref());
        let ahead = listings::compress_listings(&[
            (PORTAL, seen.0, seen.1),
            ("unknown.example", seen.0, seen.1),
        ]);
        assert!(ahead[0].is_some(), "the portal has a dictionary");
        assert!(ahead[1].is_none(), "nothing of this portal was stored");
        for (site_id, state) in [(PORTAL, &new), (PORTAL, &changed), ("other.example", &new)] {
            let key = ListingKey::new(site_id, "ahead");
            let save = Save {
                key: &key,
                state,
                changed: true,
                ahead: ahead[0].as_ref(),
            };
            listings::save_all(&mut tx, &[save]).await.unwrap();
            let key = [key];
            let stored = listings::load(&mut tx, &key).await.unwrap();
            assert_eq!(&stored[&key[0]].state, state, "{}", key[0]);
        }
    })
    .await;
}

#[tokio::test]
async fn every_listing_is_among_the_standings_once_however_many_there_are() {
    support::on_each_database(async |db| {
        let keys: Vec<ListingKey> = (0..5_001).map(|number| key(&format!("{number}"))).collect();
        let state = a_state();
        let saves: Vec<Save<'_>> = keys
            .iter()
            .map(|key| Save {
                key,
                state: &state,
                changed: true,
                ahead: None,
            })
            .collect();
        let mut tx = db.begin().await.unwrap();
        let ids = listings::save_all(&mut tx, &saves).await.unwrap();
        tx.commit().await.unwrap();
        let member_states: Vec<MemberState> =
            listings::member_states(&db).try_collect().await.unwrap();
        let found: Vec<ListingId> = member_states.into_iter().map(|member| member.id).collect();
        assert_eq!(found, ids);
    })
    .await;
}

#[tokio::test]
async fn pages_walk_every_listing_once() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for number in 0..7 {
            stored(&mut tx, &number.to_string()).await;
        }
        tx.commit().await.unwrap();
        let mut seen = Vec::new();
        while let page = listings::page(&db, seen.last().copied(), 3).await.unwrap()
            && !page.is_empty()
        {
            assert!(page.iter().all(|listing| listing.state == a_state()));
            seen.extend(page.iter().map(|listing| listing.id));
        }
        assert_eq!(seen.len(), 7);
        assert!(seen.is_sorted());
    })
    .await;
}

/// A crawl from day 20 to day 22.
fn crawl(scope: CrawlScope) -> Crawl {
    Crawl {
        site_id: "sreality".to_owned(),
        started_at: day(20),
        observed_at: day(22),
        scope,
    }
}

#[tokio::test]
async fn a_crawl_ends_what_it_did_not_show() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let missed = stored(&mut tx, "missed").await;
        for (number, at) in [("at start", 20), ("within", 21), ("at end", 22)] {
            let id = stored(&mut tx, number).await;
            let raw = stored_raw(&mut tx, id, "a").await;
            observations::record(&mut tx, id, day(at), Some(raw))
                .await
                .unwrap();
        }
        let before_and_after = stored(&mut tx, "before and after").await;
        let raw = stored_raw(&mut tx, before_and_after, "a").await;
        for at in [19, 23] {
            observations::record(&mut tx, before_and_after, day(at), Some(raw))
                .await
                .unwrap();
        }
        let young = ListingState {
            first_seen_at: day(20),
            ..a_state()
        };
        listings::save(&mut tx, &key("young"), &young, true)
            .await
            .unwrap();
        let gone = ListingState {
            gone_at: Some(day(22)),
            ..a_state()
        };
        listings::save(&mut tx, &key("gone before"), &gone, true)
            .await
            .unwrap();
        let gone_later = ListingState {
            gone_at: Some(day(23)),
            ..a_state()
        };
        let gone_later = listings::save(&mut tx, &key("gone later"), &gone_later, true)
            .await
            .unwrap();
        let elsewhere = ListingKey::new("idnes", "missed");
        listings::save(&mut tx, &elsewhere, &a_state(), true)
            .await
            .unwrap();

        let ended = listings::not_seen_in(&mut tx, &crawl(CrawlScope::default()))
            .await
            .unwrap();
        assert_eq!(ended, [missed, before_and_after, gone_later]);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_crawl_ends_nothing_outside_its_scope() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let sale = stored(&mut tx, "sale").await;
        let mut silent = a_state();
        silent.listing.attributes.offer_type = None;
        let silent = listings::save(&mut tx, &key("silent"), &silent, true)
            .await
            .unwrap();
        let of = |offer_type| {
            crawl(CrawlScope {
                offer_type,
                property_type: None,
            })
        };
        for (offer_type, expected) in [
            (None, vec![sale, silent]),
            (Some(OfferType::Sale), vec![sale]),
            (Some(OfferType::Rent), vec![]),
        ] {
            let ended = listings::not_seen_in(&mut tx, &of(offer_type))
                .await
                .unwrap();
            assert_eq!(ended, expected);
        }
        tx.commit().await.unwrap();
    })
    .await;
}

#[test]
fn a_listing_of_an_older_version_reads_without_what_it_did_not_know() {
    let stored = r#"{"attributes":{"location":null,"city":"Brno"},"evidence":{"orderCode":"N-1","later":1}}"#;
    let listing: schema::Listing = serde_json::from_str(stored).unwrap();
    assert_eq!(listing.attributes.city.as_deref(), Some("Brno"));
    assert_eq!(listing.evidence.order_code.as_deref(), Some("N-1"));
    assert_eq!(
        (listing.evidence.same_as, listing.evidence.pin),
        (None, None)
    );
}
