//! Why two listings are in different records.

use dedup::addresses::Addresses;
use dedup::blocking::MAX_BLOCK_SIZE;
use dedup::clustering::{Constraints, LinkOutcome};
use dedup::engine::{Components, ScoredPair};
use dedup::explanation::SeparationReason;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::worker::{self, UnseenListing};
use schema::store::{Db, reviews};
use schema::{ListingKey, ListingPair, Review, StoredListing, Timestamp, Verdict};
use serde_json::{Value, json};
use support::on_each_database;

use super::feeding::{deduplicate, seen, stored, take_in};
use super::market;

fn with(facts: &[(&str, Value)]) -> Value {
    let mut flat = market::flat();
    for (name, value) in facts {
        flat[*name] = value.clone();
    }
    flat
}

fn pair(one: &str, other: &str) -> ListingPair {
    let key = |text: &str| {
        text.split_once('/')
            .map(|(site, number)| ListingKey::new(site, number))
            .unwrap()
    };
    ListingPair::new(key(one), key(other)).unwrap()
}

async fn reasons(db: &Db, one: &str, other: &str) -> Vec<SeparationReason> {
    let wanted = pair(one, other);
    let all = stored(db).await;
    let id = |key: &ListingKey| all.iter().find(|listing| listing.key == *key).unwrap().id;
    let together = |listing: &&StoredListing| [&wanted.left, &wanted.right].contains(&&listing.key);
    let records: Vec<_> = all
        .iter()
        .filter(together)
        .map(|listing| &listing.offer_id)
        .collect();
    assert_ne!(records[0], records[1], "{wanted} are in different records");
    let mut tx = db.begin_read().await.unwrap();
    let in_force = reviews::in_force(&mut tx).await.unwrap();
    worker::reasons_apart(
        &mut tx,
        &Addresses::default(),
        (id(&wanted.left), id(&wanted.right)),
        &in_force,
    )
    .await
    .unwrap()
}

async fn decide(db: &Db, one: &str, verdict: Verdict, other: &str) {
    let reason = Some("seen on the spot".to_owned());
    let review = Review {
        pair: pair(one, other),
        verdict,
        reason,
        decided_at: Timestamp(7),
    };
    worker::record_decision(db, &review, UnseenListing::Refused)
        .await
        .unwrap();
    deduplicate(db).await;
}

#[tokio::test]
async fn listings_that_were_never_compared_are_reported_with_their_weight() {
    on_each_database(async |db| {
        take_in(
            &db,
            &[
                seen("sreality", "1", 1, &market::flat()),
                seen("idnes", "2", 1, &market::other_flat()),
            ],
        )
        .await;
        deduplicate(&db).await;
        let found = reasons(&db, "sreality/1", "idnes/2").await;
        assert!(
            matches!(
                &*found,
                [
                    SeparationReason::NoCommonKey,
                    SeparationReason::LowWeight { .. }
                ]
            ),
            "{found:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn blocks_that_are_too_large_are_named() {
    on_each_database(async |db| {
        take_in(&db, &market::crowd(MAX_BLOCK_SIZE + 4, 0)).await;
        deduplicate(&db).await;
        let found = reasons(&db, "sreality/c0", "idnes/c1").await;
        let Some(SeparationReason::LargeBlocks { blocks, bound }) = found.first() else {
            panic!("{found:?}")
        };
        assert!(
            !blocks.is_empty()
                && blocks
                    .iter()
                    .all(|block| block.listings == MAX_BLOCK_SIZE + 4),
            "{blocks:?}"
        );
        assert_eq!(*bound, MAX_BLOCK_SIZE);
    })
    .await;
}

#[tokio::test]
async fn a_veto_and_a_persons_decision_are_named() {
    on_each_database(async |db| {
        let unit = |number: &str| with(&[("unitNumber", json!(number))]);
        take_in(
            &db,
            &[
                seen("sreality", "1", 1, &unit("12")),
                seen("idnes", "2", 1, &unit("14")),
            ],
        )
        .await;
        take_in(
            &db,
            &[
                seen("bazos", "3", 1, &market::flat()),
                seen("bezrealitky", "4", 1, &market::flat()),
            ],
        )
        .await;
        deduplicate(&db).await;
        let found = reasons(&db, "sreality/1", "idnes/2").await;
        assert!(
            matches!(&*found, [SeparationReason::Vetoed { veto }] if veto.contains("unit")),
            "{found:?}"
        );
        decide(&db, "bazos/3", Verdict::Different, "bezrealitky/4").await;
        let found = reasons(&db, "bazos/3", "bezrealitky/4").await;
        let [SeparationReason::Decided { decision }] = &*found else {
            panic!("{found:?}")
        };
        assert_eq!(
            (decision.reason.as_deref(), decision.decided_at),
            (Some("seen on the spot"), Timestamp(7))
        );
    })
    .await;
}

#[tokio::test]
async fn the_third_listing_that_does_not_fit_is_named_with_its_reason() {
    on_each_database(async |db| {
        let unit = |number: &str| with(&[("unitNumber", json!(number))]);
        // The second matches both others; it is in one record with one of them, which excludes the other.
        let lines = [
            seen("sreality", "1", 1, &unit("12")),
            seen("idnes", "2", 1, &market::flat()),
            seen("bezrealitky", "3", 1, &unit("14")),
        ];
        take_in(&db, &lines).await;
        decide(&db, "sreality/1", Verdict::Same, "idnes/2").await;
        let found = reasons(&db, "idnes/2", "bezrealitky/3").await;
        let [SeparationReason::Inconsistent(found)] = &*found else {
            panic!("{found:?}")
        };
        let sides = [&found.one, &found.other]
            .map(|side| (side.listing.to_string(), side.one_with.clone()));
        assert!(
            sides.contains(&("sreality/1".to_owned(), Some(ListingKey::new("idnes", "2")))),
            "{sides:?}"
        );
        assert!(
            sides.contains(&("bezrealitky/3".to_owned(), None)),
            "{sides:?}"
        );
        assert!(
            found
                .veto
                .as_deref()
                .is_some_and(|veto| veto.contains("unit")),
            "{found:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_decision_about_a_third_listing_is_named() {
    on_each_database(async |db| {
        let sites = [("sreality", "1"), ("idnes", "2"), ("bezrealitky", "3")];
        take_in(
            &db,
            &sites.map(|(site, number)| seen(site, number, 1, &market::flat())),
        )
        .await;
        decide(&db, "sreality/1", Verdict::Same, "idnes/2").await;
        decide(&db, "sreality/1", Verdict::Different, "bezrealitky/3").await;
        let found = reasons(&db, "idnes/2", "bezrealitky/3").await;
        let [SeparationReason::Inconsistent(found)] = &*found else {
            panic!("{found:?}")
        };
        assert_eq!(
            found.decision.as_ref().map(|review| review.verdict),
            Some(Verdict::Different)
        );
    })
    .await;
}

/// The components of live listings on these portals, with links of these weights.
fn linked(sites: &[&str], links: &[(u32, u32, f32)]) -> (Vec<Profile>, Components) {
    let mut listings = super::engine::listings(sites.len(), 1);
    for (number, (listing, site)) in listings.iter_mut().zip(sites).enumerate() {
        listing.key = ListingKey::new(*site, number.to_string());
        listing.state.gone_at = None;
    }
    let profiles: Vec<Profile> = listings
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect();
    let pair = |(left, right, weight): &(u32, u32, f32)| ScoredPair {
        left: *left,
        right: *right,
        weight: *weight,
        vetoed: false,
    };
    let pairs: Vec<ScoredPair> = links.iter().map(pair).collect();
    let components = Components::build(
        &WeightTable::default(),
        &profiles,
        &pairs,
        &Constraints::default(),
    );
    (profiles, components)
}

#[test]
fn look_alikes_make_a_link_too_weak() {
    let (profiles, components) = linked(
        &["idnes", "sreality", "sreality"],
        &[(0, 1, 0.5), (0, 2, 0.5)],
    );
    let outcome = components.link_outcome(&profiles, 0, 1);
    assert!(
        matches!(outcome, Some(LinkOutcome::TooWeak(left)) if left < 0.0),
        "{outcome:?}"
    );
    assert_eq!(
        components.link_outcome(&profiles, 1, 2),
        None,
        "the link does not exist"
    );
}

#[test]
fn a_look_alike_that_has_found_another_match_does_not_count() {
    let portals = ["idnes", "idnes", "sreality", "sreality"];
    let with_weight = |weight| {
        let (profiles, components) = linked(&portals, &[(0, 2, 0.5), (0, 3, 0.5), (1, 3, weight)]);
        components.link_outcome(&profiles, 0, 2)
    };
    assert_eq!(with_weight(2.0), Some(LinkOutcome::Joined));
    let outcome = with_weight(1.0);
    assert!(
        matches!(outcome, Some(LinkOutcome::TooWeak(_))),
        "{outcome:?}"
    );
}
