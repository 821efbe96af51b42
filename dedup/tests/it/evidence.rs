//! Single pieces of evidence, on pairs of listings that are otherwise equal.

use dedup::addresses::Addresses;
use dedup::engine;
use dedup::profile::Profile;
use dedup::scoring;
use dedup::statistics::Statistics;
use schema::{
    Attributes, Evidence, Listing, ListingId, ListingKey, ListingState, PricePoint, StoredListing,
    Timestamp,
};
use serde_json::{Value, json};

/// A listing of a portal with its first and last day and its prices by day.
struct Advert {
    site: &'static str,
    number: String,
    facts: Value,
    days: (u32, Option<u32>),
    prices: Vec<(u32, f64)>,
    same_as: Option<ListingKey>,
}

fn day(day: u32) -> Timestamp {
    super::feeding::hour(24 * i64::from(day))
}

fn advert(site: &'static str, number: &str, facts: Value) -> Advert {
    let prices = vec![(1, 4_890_000.0)];
    Advert {
        site,
        number: number.to_owned(),
        facts,
        days: (1, None),
        prices,
        same_as: None,
    }
}

fn profile(row: i64, advert: &Advert) -> Profile {
    let mut facts =
        json!({"offerType": "sale", "type": "apartment", "city": "Plzeň", "arrangement": "3+1"});
    facts
        .as_object_mut()
        .unwrap()
        .extend(advert.facts.as_object().unwrap().clone());
    let attributes: Attributes = serde_json::from_value(facts).unwrap();
    let evidence = Evidence {
        same_as: advert.same_as.clone(),
        ..Evidence::default()
    };
    let point = |(at, price): &(u32, f64)| PricePoint {
        at: day(*at),
        price_total: *price,
    };
    let state = ListingState {
        listing: Listing {
            attributes,
            evidence,
        },
        url: None,
        first_seen_at: day(advert.days.0),
        last_seen_at: day(advert.days.1.unwrap_or(advert.days.0)),
        last_changed_at: day(advert.days.0),
        gone_at: advert.days.1.map(day),
        prices: advert.prices.iter().map(point).collect(),
    };
    let key = ListingKey::new(advert.site, &advert.number);
    let listing = StoredListing {
        id: ListingId(row),
        key,
        state,
        version: 1,
        offer_id: None,
    };
    Profile::from_listing(&listing, &Addresses::default())
}

fn profiles(adverts: &[Advert]) -> Vec<Profile> {
    let mut profiles: Vec<Profile> = (1..)
        .zip(adverts)
        .map(|(row, advert)| profile(row, advert))
        .collect();
    Statistics::collect(&profiles, &engine::blocking_entries(&profiles))
        .apply_to_all(&mut profiles);
    profiles
}

/// The levels of the first two adverts within the whole set.
fn levels(adverts: &[Advert]) -> Vec<String> {
    let profiles = profiles(adverts);
    let (one, other) = engine::ordered_by_key(&profiles[0], &profiles[1]);
    scoring::explain_match(one, other)
        .bars
        .into_iter()
        .map(|bar| bar.level)
        .collect()
}

fn reaches(adverts: &[Advert], level: &str) {
    let levels = levels(adverts);
    assert!(
        levels.iter().any(|reached| reached == level),
        "{level:?} is not among {levels:#?}"
    );
}

#[test]
fn one_wrong_letter_does_not_change_a_street() {
    let street = |name: &str| json!({"street": name});
    let pair = |one, other| {
        [
            advert("sreality", "1", street(one)),
            advert("idnes", "2", street(other)),
        ]
    };
    reaches(&pair("Na Zbořenci", "Na Zbořeenci"), "the same street");
    reaches(&pair("Koterovská", "Kotreovská"), "the same street");
    reaches(&pair("Jasmínová", "Jasanová"), "different streets");
    reaches(&pair("Luční", "Lučná"), "different streets");
}

#[test]
fn a_point_that_many_adverts_share_is_not_evidence() {
    let pin = || json!({"location": {"lat": 49.7471, "lng": 13.3774}});
    let site = |number: usize| ["sreality", "idnes", "bazos"][number % 3];
    let crowd = |count: usize| -> Vec<Advert> {
        (0..count)
            .map(|number| advert(site(number), &number.to_string(), pin()))
            .collect()
    };
    reaches(&crowd(2), "pins at one point that few adverts share");
    reaches(&crowd(6), "pins at one point that some adverts share");
    assert!(
        !levels(&crowd(14))
            .iter()
            .any(|level| level.starts_with("pins at one point"))
    );
}

#[test]
fn a_phone_number_is_weaker_evidence_if_more_adverts_state_it() {
    let text = || json!({"description": "Prodám byt, volejte 777 123 456."});
    let crowd = |count: usize| -> Vec<Advert> {
        (0..count)
            .map(|number| advert("bazos", &number.to_string(), text()))
            .collect()
    };
    reaches(&crowd(3), "the same phone number, which few adverts state");
    reaches(&crowd(9), "the same phone number, which some adverts state");
    reaches(
        &crowd(20),
        "the same phone number, which many adverts state",
    );
}

#[test]
fn two_live_adverts_on_one_portal_are_two_flats_only_if_removals_are_known() {
    let mut adverts = vec![
        advert("sreality", "1", json!({})),
        advert("sreality", "2", json!({})),
    ];
    adverts[1].days = (20, None);
    reaches(
        &adverts,
        "one was last seen before the other appeared on the same portal",
    );
    let mut gone = advert("sreality", "3", json!({"city": "Zlín"}));
    gone.days = (1, Some(9));
    adverts.push(gone);
    reaches(&adverts, "both live on one portal at the same time");
}

#[test]
fn floors_in_texts_are_compared_more_strictly_than_floors_in_fields() {
    let pair =
        |one: Value, other: Value| [advert("sreality", "1", one), advert("idnes", "2", other)];
    let field = |floor: i64| json!({"floor": floor});
    let words = |text: &str| json!({"description": text});
    reaches(&pair(field(2), field(3)), "one floor apart");
    reaches(
        &pair(words("byt ve 2. patře domu"), words("byt ve 4. NP domu")),
        "one floor apart in the texts",
    );
    reaches(
        &pair(words("byt ve 2. patře domu"), words("byt ve 3. NP domu")),
        "the same floor in both texts",
    );
}

#[test]
fn a_living_area_and_a_plot_may_be_swapped() {
    let house =
        |living: i64, land: i64| json!({"type": "house", "livingArea": living, "landArea": land});
    let pair = [
        advert("sreality", "1", house(118, 438)),
        advert("idnes", "2", house(438, 118)),
    ];
    reaches(&pair, "living area and plot swapped");
}

#[test]
fn a_short_unit_number_is_weak_evidence() {
    let text = |unit: &str| json!({"description": format!("Nabízíme byt č. {unit} v novém domě.")});
    let pair = |unit| {
        [
            advert("sreality", "1", text(unit)),
            advert("idnes", "2", text(unit)),
        ]
    };
    reaches(&pair("2"), "the same short unit number");
    reaches(&pair("A204"), "the same unit number");
}

#[test]
fn a_copy_is_compared_with_its_original_whatever_else_they_state() {
    let mut copy = advert(
        "realingo",
        "77",
        json!({"city": "Zlín", "arrangement": "1+kk"}),
    );
    copy.same_as = Some(ListingKey::new("sreality", "1"));
    let adverts = [advert("sreality", "1", json!({})), copy];
    reaches(&adverts, "one says that it is a copy of the other");
    let mut profiles = profiles(&adverts);
    assert!(engine::candidates(&mut profiles).contains(0, 1));
}

#[test]
fn a_third_advert_that_asked_both_prices_explains_why_two_differ() {
    let facts = || json!({"street": "Koterovská", "livingArea": 72});
    let mut first = advert("idnes", "1", facts());
    first.prices = vec![(1, 10_800_000.0)];
    let mut second = advert("bazos", "2", facts());
    second.prices = vec![(1, 8_000_000.0)];
    let mut third = advert("sreality", "3", facts());
    third.prices = vec![(1, 10_800_000.0), (40, 8_000_000.0)];
    let clusters = |adverts: &[Advert]| {
        engine::partition(
            &mut profiles(adverts),
            &dedup::clustering::Constraints::default(),
        )
        .clusters
        .len()
    };
    assert_eq!(clusters(&[first, second, third]), 1);
}
