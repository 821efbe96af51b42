//! Tests of every portal that serves detail pages. All portals have the same cases, each in the portal's form.

use ingest::portals::portal;
use ingest::reading::{PayloadError, Reading};
use proptest::prelude::*;
use schema::Taken;
use serde_json::{Value, json};

use crate::payloads::{
    CASES, assert_pages_reviewed, cases, mangled_page, page, page_with, read_page,
};

/// The portals whose fixtures are detail pages.
const PAGES: [&str; 5] = ["idnes", "realitymix", "ceskereality", "remax", "mmreality"];

fn reading(site_id: &str, case: &str) -> Reading {
    read_page(site_id, &page(site_id, case))
}

fn read_payload_of(site_id: &str, payload: &Value) -> Result<Reading, PayloadError> {
    portal(site_id).unwrap().read_payload(payload)
}

#[test]
fn every_page_reads_as_reviewed() {
    for site_id in PAGES {
        assert_pages_reviewed(site_id);
    }
}

#[test]
fn every_known_value_is_used() {
    for site_id in PAGES {
        for case in CASES {
            let reading = reading(site_id, case);
            let mut reasons = reading.unread.iter().map(|reject| reject.reason.as_str());
            match case {
                "office-rent" => assert!(reasons.eq(["not a price of the whole"]), "{site_id}"),
                "foreign" => assert!(
                    reasons.any(|reason| reason == "the property is abroad"),
                    "{site_id}"
                ),
                "unknown-codes" => {}
                _ => assert!(
                    reading.unread.is_empty(),
                    "{site_id}/{case}: {:?}",
                    reading.unread
                ),
            }
        }
    }
}

#[test]
fn a_page_with_its_address_reads_like_the_page_alone() {
    for site_id in PAGES {
        let alone = reading(site_id, "flat-sale");
        let payload = json!({"url": alone.url, "html": page(site_id, "flat-sale")});
        assert_eq!(read_payload_of(site_id, &payload).unwrap(), alone);
    }
}

#[test]
fn a_page_that_says_so_ends_the_listing_unless_the_text_says_it_of_another_advert() {
    for site_id in PAGES {
        let ended = read_payload_of(site_id, &Value::from(page(site_id, "ended")));
        assert!(matches!(ended, Err(PayloadError::Gone { .. })), "{site_id}");
        let first = "Nabízíme k prodeji";
        let quotes =
            "Jiná nabídka již není aktivní, jiná nemovitost již není v nabídce. Nabízíme k prodeji";
        let quoting = page_with(site_id, "flat-sale", first, quotes)
            .listing
            .attributes;
        assert_eq!(
            quoting.price_total,
            reading(site_id, "flat-sale").listing.attributes.price_total
        );
    }
}

#[test]
fn a_payload_that_is_not_a_detail_page_is_refused() {
    for site_id in PAGES {
        for payload in [json!(7), json!([]), json!({"url": "x"})] {
            assert!(
                matches!(
                    read_payload_of(site_id, &payload),
                    Err(PayloadError::Shape { .. })
                ),
                "{site_id}"
            );
        }
        let forbidden = json!("<html><body><h1>403 Forbidden</h1></body></html>");
        let refused = read_payload_of(site_id, &forbidden)
            .unwrap_err()
            .to_string();
        let which = format!(", which every {site_id} detail page carries");
        assert!(
            refused.starts_with("the payload has no ") && refused.ends_with(&which),
            "{refused}"
        );
    }
}

#[test]
fn prices_on_request_and_per_square_metre_are_left_out() {
    for site_id in PAGES {
        let price = |case: &str| reading(site_id, case).listing.attributes.price_total;
        assert_eq!(
            [price("price-on-request"), price("office-rent")],
            [None; 2],
            "{site_id}"
        );
        assert!(
            price("flat-sale").is_some() && price("flat-rent").is_some(),
            "{site_id}"
        );
    }
}

#[test]
fn a_share_on_offer_is_not_a_share_of_common_parts() {
    for site_id in PAGES {
        let share = |case: &str| reading(site_id, case).listing.evidence.share;
        assert_eq!(share("share").as_deref(), Some("1/2"), "{site_id}");
        assert_eq!(
            [share("flat-sale"), share("land-sale")],
            [None, None],
            "{site_id}"
        );
    }
}

#[test]
fn only_the_listing_itself_is_marked_as_reserved() {
    for site_id in PAGES {
        let taken = |case: &str| reading(site_id, case).listing.evidence.taken;
        assert_eq!(
            [taken("reserved"), taken("flat-sale")],
            [Some(Taken::Reserved), None],
            "{site_id}"
        );
    }
}

#[test]
fn ground_floors_and_plots_read_alike_on_every_portal() {
    for site_id in PAGES {
        let floor = |case: &str| reading(site_id, case).listing.attributes.floor;
        assert_eq!(
            [floor("ground-floor"), floor("flat-sale")],
            [Some(0), Some(3)],
            "{site_id}"
        );
        let land = reading(site_id, "land-sale").listing;
        assert!(land.attributes.land_area.is_some(), "{site_id}");
        assert_eq!(
            [land.attributes.living_area, land.evidence.total_area],
            [None; 2],
            "{site_id}"
        );
    }
}

#[test]
fn prague_is_its_own_region_and_district() {
    for site_id in PAGES {
        let attributes = reading(site_id, "price-on-request").listing.attributes;
        let [city, district, quarter] = [
            attributes.city,
            attributes.district,
            attributes.neighborhood,
        ];
        assert_eq!(
            [city.as_deref(), district.as_deref()],
            [Some("Praha"); 2],
            "{site_id}"
        );
        assert_eq!(quarter.as_deref(), Some("Střešovice"), "{site_id}");
        assert_eq!(
            attributes.region.as_deref(),
            Some("Hlavní město Praha"),
            "{site_id}"
        );
    }
}

#[test]
fn of_the_place_of_property_abroad_only_the_municipality_is_kept() {
    for site_id in PAGES {
        let attributes = reading(site_id, "foreign").listing.attributes;
        assert_eq!(attributes.location, None, "{site_id}");
        let finer = [
            attributes.street,
            attributes.neighborhood,
            attributes.district,
            attributes.region,
        ];
        assert_eq!(finer, [None, None, None, None], "{site_id}");
        assert!(attributes.city.is_some(), "{site_id}");
    }
}

#[test]
fn no_field_contains_agents_or_their_offices() {
    for site_id in PAGES {
        for case in CASES {
            let mut listing = reading(site_id, case).listing;
            listing.attributes.description = None;
            let fields = serde_json::to_string(&listing).unwrap();
            for foreign in ["Vymyšlená", "Tyršova", "Vzorov", "example.cz", "700 000"] {
                assert!(
                    !fields.contains(foreign),
                    "{site_id}/{case}: {foreign} in {fields}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_mangled_page_reads_without_panic_and_within_bounds(
        (site_id, html) in prop::sample::select(PAGES.to_vec())
            .prop_flat_map(|site_id| (Just(site_id), mangled_page(site_id)))
    ) {
        if let Ok(mut reading) = read_payload_of(site_id, &Value::from(html)) {
            prop_assert!(ingest::value_bounds::remove_implausible_values(&mut reading.listing).is_empty());
        }
    }
}
