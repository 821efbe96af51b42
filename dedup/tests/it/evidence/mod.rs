//! Single pieces of evidence, on pairs of listings that are otherwise equal.

mod prices;
mod times;

use dedup::addresses::Addresses;
use dedup::blocking::Blocks;
use dedup::profile::Profile;
use dedup::scoring;
use dedup::weight_table::WeightTable;
use dedup::{engine, statistics};
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
    evidence: Evidence,
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
        evidence: Evidence::default(),
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
    let point = |(at, price): &(u32, f64)| PricePoint {
        at: day(*at),
        price_total: *price,
    };
    let state = ListingState {
        listing: Listing {
            attributes,
            evidence: advert.evidence.clone(),
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
    let blocks = Blocks::from_entries(engine::blocking_entries(&profiles));
    statistics::apply_to_all(&mut profiles, &blocks);
    profiles
}

/// The levels of the first two adverts within the whole set.
fn levels(adverts: &[Advert]) -> Vec<String> {
    let profiles = profiles(adverts);
    let (one, other) = engine::ordered_by_key(&profiles[0], &profiles[1]);
    scoring::explain_match(&WeightTable::default(), one, other)
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
fn land_of_another_size_is_another_plot_and_a_flat_of_nearly_its_size_may_be_the_same() {
    let pair = |kind: &str, field: &str| {
        let of = |size: f64| json!({"type": kind, "arrangement": null, field: size});
        [
            advert("sreality", "1", of(925.0)),
            advert("idnes", "2", of(883.0)),
        ]
    };
    reaches(&pair("land", "landArea"), "within 20 %");
    reaches(&pair("commercial", "livingArea"), "within 8 %");
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
    for (one, other) in [
        ("Mírová", "Míírová"),
        ("Husova", "Husoav"),
        ("Klegova", "Kleova"),
        ("náměstí Míru", "námsětí Míru"),
        ("Raisovo náměstí", "Raisovo nnáměstí"),
        ("Jarmily Glazarové", "ulicce Jarmily Glazarové"),
    ] {
        reaches(&pair(one, other), "the same street");
    }
    for (one, other) in [
        ("Jasmínová", "Jasanová"),
        ("Luční", "Lučná"),
        ("Polní", "Polská"),
        ("Jasná", "Jasní"),
        ("Lipová", "Lidová"),
    ] {
        reaches(&pair(one, other), "different streets");
    }
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
fn years_that_approval_or_a_guess_explains_are_no_contradiction() {
    let pair = |one, other| {
        [("sreality", "1", one), ("idnes", "2", other)].map(|(site, number, year)| {
            let mut advert = advert(site, number, json!({}));
            advert.evidence.year_built = Some(year);
            advert
        })
    };
    reaches(&pair(1985, 1985), "built in the same year");
    reaches(&pair(1936, 1985), "built more than five years apart");
    let near = levels(&pair(1985, 1987));
    assert!(
        near.iter().all(|level| !level.starts_with("built")),
        "{near:#?}"
    );
}

#[test]
fn municipalities_of_one_name_are_told_apart_by_the_code_that_a_portal_states() {
    // Several municipalities have this name.
    let pair = |one, other| {
        [("mmreality", "1", one), ("sreality", "2", other)].map(|(site, number, code)| {
            let mut advert = advert(site, number, json!({"city": "Nová Ves"}));
            advert.evidence.municipality_code = code;
            advert
        })
    };
    reaches(
        &pair(Some(513_661), Some(535_117)),
        "different municipalities",
    );
    reaches(
        &pair(Some(513_661), Some(513_661)),
        "the same small municipality",
    );
    reaches(&pair(Some(513_661), None), "the same small municipality");
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
    copy.evidence.same_as = Some(ListingKey::new("sreality", "1"));
    let adverts = [advert("sreality", "1", json!({})), copy];
    reaches(&adverts, "one says that it is a copy of the other");
    let mut profiles = profiles(&adverts);
    assert!(engine::candidates(&mut profiles).contains(0, 1));
}

#[test]
fn a_third_advert_that_states_both_numbers_of_a_house_joins_two_that_state_one_each() {
    let flat = |site: &'static str, number: &str, house: &str| {
        let address = format!("Koterovská {house}, Plzeň");
        let facts =
            json!({"street": "Koterovská", "address": address, "livingArea": 72.4, "floor": 3});
        let mut flat = advert(site, number, facts);
        flat.prices = vec![(1, 4_893_000.0)];
        flat
    };
    let clusters = |adverts: &[Advert]| {
        let constraints = dedup::clustering::Constraints::default();
        engine::partition(
            &WeightTable::default(),
            &mut profiles(adverts),
            &constraints,
        )
        .clusters
        .len()
    };
    let mut adverts = vec![flat("idnes", "1", "31"), flat("bazos", "2", "188")];
    assert_eq!(clusters(&adverts), 2, "the numbers differ");
    adverts.push(flat("sreality", "3", "188/31"));
    assert_eq!(clusters(&adverts), 1);
    adverts[1] = flat("bazos", "2", "45");
    assert_eq!(
        clusters(&adverts),
        2,
        "the house does not have the number 45"
    );
}
