//! What holds for every portal.

use std::path::Path;

use ingest::portals::{PORTALS, portal};
use proptest::prelude::*;
use serde_json::Value;

use crate::payloads::{CASES, any_json, mangled_page};

/// The portals whose fixtures are detail pages.
const PAGES: [&str; 5] = ["idnes", "realitymix", "ceskereality", "remax", "mmreality"];

#[test]
fn every_portal_has_a_fixture_of_every_case_and_a_readme() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    for portal in PORTALS {
        let folder = fixtures.join(portal.site_id);
        assert!(folder.join("README.md").is_file(), "{}", portal.site_id);
        for case in CASES {
            let given = ["json", "html"].map(|form| folder.join(format!("{case}.{form}")).is_file());
            assert!(given.contains(&true), "{}/{case}", portal.site_id);
        }
    }
}

#[test]
fn agents_and_their_offices_are_in_no_field() {
    for site_id in PAGES {
        for case in CASES {
            let reading = crate::payloads::read_page(site_id, &crate::payloads::page(site_id, case));
            let mut listing = reading.listing;
            listing.attributes.description = None;
            let fields = serde_json::to_string(&listing).unwrap();
            for foreign in ["Vymyšlená", "Tyršova", "Vzorov", "example.cz", "700 000"] {
                assert!(!fields.contains(foreign), "{site_id}/{case}: {foreign} in {fields}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_json_and_any_text_read_without_panic(payload in any_json(), text in "\\PC{0,300}") {
        for portal in PORTALS {
            let _ = (portal.read)(&payload);
            let _ = (portal.read)(&Value::from(text.as_str()));
        }
    }

    #[test]
    fn a_mangled_page_reads_without_panic_and_stays_in_sense(
        (site_id, html) in prop::sample::select(PAGES.to_vec())
            .prop_flat_map(|site_id| (Just(site_id), mangled_page(site_id)))
    ) {
        if let Ok(mut reading) = (portal(site_id).unwrap().read)(&Value::from(html)) {
            prop_assert!(ingest::sense::keep_sense(&mut reading.listing).is_empty());
        }
    }
}
