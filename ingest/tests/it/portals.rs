//! Tests of every portal.

use std::path::Path;

use ingest::portals::PORTALS;
use proptest::prelude::*;
use serde_json::Value;

use crate::payloads::{CASES, any_json, cases};

#[test]
fn every_portal_has_a_fixture_of_every_case_and_a_readme() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    for portal in PORTALS {
        let folder = fixtures.join(portal.site_id);
        assert!(folder.join("README.md").is_file(), "{}", portal.site_id);
        for case in CASES {
            let given =
                ["json", "html"].map(|form| folder.join(format!("{case}.{form}")).is_file());
            assert!(given.contains(&true), "{}/{case}", portal.site_id);
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_json_and_any_text_read_without_panic(payload in any_json(), text in "\\PC{0,300}") {
        for portal in PORTALS {
            let _ = portal.read_payload(&payload);
            let _ = portal.read_payload(&Value::from(text.as_str()));
        }
    }
}
