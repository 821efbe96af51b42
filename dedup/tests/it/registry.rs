//! Matching with the address registry: which addresses it joins, which it keeps separate, and what happens with
//! another edition.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use dedup::addresses::Addresses;
use dedup::profile::Profile;
use dedup::worker::{self, DedupReport, Listings};
use gazetteer::registry::{self, Registry};
use schema::StoredListing;
use schema::store::{Db, offers};
use serde_json::{Value, json};
use support::on_each_database;

use super::feeding::{NOW, deduplicate, listings_of, record_of, rng, seen, stored, take_in};
use super::market;

/// The authored edition: the town Kvíčalov with the streets Lipová and náměstí Míru, and the village Žďárská Lhota.
static REGISTRY: LazyLock<Addresses> = LazyLock::new(|| {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ruian");
    let names = [
        "20260630_OB_599901_ADR.csv",
        "20260630_OB_599902_ADR.csv",
        "20260630_ST_UZSZ.xml",
    ];
    let paths: Vec<_> = names.into_iter().map(|name| files.join(name)).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gazetteer");
    registry::import(&paths, &file, &|_| ()).unwrap();
    Addresses::with_registry(Arc::new(Registry::open(&file).unwrap()))
});

async fn deduplicate_with_registry(db: &Db) -> DedupReport {
    worker::run(
        Listings {
            db,
            addresses: &REGISTRY,
        },
        NOW,
        &mut rng(),
        &|_| (),
    )
    .await
    .unwrap()
}

fn flat(street: &str, number: u32, text: &str) -> Value {
    json!({
        "offerType": "sale", "type": "apartment", "title": "Prodej bytu 3+1", "city": "Kvíčalov",
        "street": street, "address": format!("{street} {number}, Kvíčalov"), "arrangement": "3+1",
        "livingArea": 72, "floor": 3, "priceTotal": 4_890_000, "description": text,
    })
}

const ONE_TEXT: &str =
    "Prodáme slunný byt s lodžií ve zrekonstruovaném domě, sklep, nové rozvody, klid.";
const OTHER_TEXT: &str =
    "Nabízíme k prodeji prostorné bydlení blízko školy, volné ihned, financování zajistíme.";

async fn profiles(db: &Db, addresses: &Addresses) -> [Profile; 2] {
    let mut listings: Vec<StoredListing> = stored(db).await;
    listings.sort_by(|one, other| one.key.cmp(&other.key));
    [0, 1].map(|place| Profile::from_listing(&listings[place], addresses))
}

async fn are_one_record(db: &Db) -> bool {
    record_of(db, "sreality", "1").await == record_of(db, "idnes", "2").await
}

async fn two(db: &Db, one: &Value, other: &Value) {
    take_in(
        db,
        &[seen("sreality", "1", 1, one), seen("idnes", "2", 2, other)],
    )
    .await;
}

#[tokio::test]
async fn spellings_of_one_street_match_only_with_the_registry() {
    for spelling in ["Lipové", "Lypova"] {
        on_each_database(async |db| {
            two(
                &db,
                &flat("Lipová", 17, ONE_TEXT),
                &flat(spelling, 17, OTHER_TEXT),
            )
            .await;
            deduplicate(&db).await;
            assert!(!are_one_record(&db).await, "{spelling}, without");
            deduplicate_with_registry(&db).await;
            assert!(are_one_record(&db).await, "{spelling}, with");
            let [one, other] = profiles(&db, &REGISTRY).await;
            assert_eq!(
                (one.place.address_point, other.place.address_point),
                (Some(99_990_004), Some(99_990_004))
            );
        })
        .await;
    }
}

#[tokio::test]
async fn an_official_address_matches_an_unregistered_one_by_either_name() {
    on_each_database(async |db| {
        two(
            &db,
            &flat("Lipová", 17, ONE_TEXT),
            &flat("Lypova", 17, OTHER_TEXT),
        )
        .await;
        let [misspelt, official] = profiles(&db, &Addresses::default()).await;
        let [corrected, known] = profiles(&db, &REGISTRY).await;
        assert_eq!(
            official.place.same_street(&misspelt.place),
            Some(false),
            "which is why it takes the registry"
        );
        for unknown in [&official, &misspelt] {
            assert_eq!(corrected.place.same_street(&unknown.place), Some(true));
            assert_eq!(unknown.place.same_street(&corrected.place), Some(true));
            assert!(
                corrected.place.same_house(&unknown.place)
                    && !corrected.place.is_different_house(&unknown.place)
            );
            let shared = dedup::explanation::shared_keys(&corrected, unknown);
            assert!(
                shared.values().any(|rule| *rule == "house number"),
                "{shared:?}"
            );
        }
        assert_eq!(known.place.same_street(&corrected.place), Some(true));
    })
    .await;
}

#[tokio::test]
async fn an_address_that_is_not_in_the_registry_is_read_as_without_it() {
    on_each_database(async |db| {
        two(&db, &market::flat(), &market::other_flat()).await;
        assert_eq!(
            profiles(&db, &REGISTRY).await,
            profiles(&db, &Addresses::default()).await
        );
    })
    .await;
}

#[tokio::test]
async fn two_streets_of_one_town_stay_different() {
    on_each_database(async |db| {
        two(
            &db,
            &flat("Lipová", 1, ONE_TEXT),
            &flat("nám. Míru", 1, OTHER_TEXT),
        )
        .await;
        deduplicate_with_registry(&db).await;
        assert!(!are_one_record(&db).await);
    })
    .await;
}

#[tokio::test]
async fn another_edition_matches_every_listing_once() {
    on_each_database(async |db| {
        two(
            &db,
            &flat("Lipová", 17, ONE_TEXT),
            &flat("Lipové", 17, OTHER_TEXT),
        )
        .await;
        deduplicate(&db).await;
        let queued = [
            deduplicate_with_registry(&db).await.listings,
            deduplicate_with_registry(&db).await.listings,
        ];
        assert_eq!(queued, [2, 0]);
        let registry = Listings {
            db: &db,
            addresses: &REGISTRY,
        };
        assert!(worker::is_current(registry).await.unwrap());
        assert!(!worker::is_current(listings_of(&db)).await.unwrap());
        assert_eq!(
            (
                deduplicate(&db).await.listings,
                deduplicate(&db).await.listings
            ),
            (2, 0)
        );
        assert!(
            !are_one_record(&db).await,
            "without the registry the records are as before"
        );
    })
    .await;
}

#[tokio::test]
async fn a_record_gets_district_and_region_from_the_registry_if_no_portal_states_them() {
    on_each_database(async |db| {
        two(
            &db,
            &flat("Lipová", 17, ONE_TEXT),
            &flat("Lipové", 17, OTHER_TEXT),
        )
        .await;
        let district = async || {
            let id = record_of(&db, "sreality", "1").await;
            let found = offers::detail(&db, &id).await.unwrap().unwrap();
            let facts = found.detail.offer.attributes;
            (facts.district, facts.region)
        };
        deduplicate(&db).await;
        assert_eq!(district().await, (None, None));
        deduplicate_with_registry(&db).await;
        assert_eq!(
            district().await,
            (
                Some("Pelhřimov".to_owned()),
                Some("Kraj Vysočina".to_owned())
            )
        );
    })
    .await;
}
