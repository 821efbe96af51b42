//! The listing is recognised by the URL of its page.

use ingest::pages::listing_at;
use ingest::portals::PORTALS;
use serde_json::Value;

use crate::payloads::{CASES, dumped_lines, payload, real};

/// Checks every line that has a URL and a listing, and returns how many lines have both.
fn assert_leads_to_its_listing(lines: impl Iterator<Item = String>) -> usize {
    let mut checked = 0;
    for line in lines {
        let line: Value = serde_json::from_str(&line).unwrap();
        let (Some(url), Some(number)) = (line["url"].as_str(), line["offerId"].as_str()) else {
            continue;
        };
        let listing = listing_at(url).unwrap_or_else(|| panic!("{url} leads to no listing"));
        assert_eq!(
            (listing.site_id.as_str(), listing.offer_id.as_str()),
            (line["siteId"].as_str().unwrap(), number)
        );
        checked += 1;
    }
    checked
}

#[test]
fn the_urls_of_every_portal_are_known() {
    for portal in PORTALS {
        let leads_to_portal = |case: &str| {
            let reading = portal.read_payload(&payload(portal.site_id, case)).unwrap();
            let listing = reading.url.as_deref().and_then(listing_at);
            listing.is_some_and(|listing| listing.site_id == portal.site_id)
        };
        assert!(
            CASES.iter().any(|case| leads_to_portal(case)),
            "{}",
            portal.site_id
        );
    }
}

#[test]
fn every_url_of_the_demo_dumps_leads_to_its_listing() {
    assert!(assert_leads_to_its_listing(dumped_lines("").into_iter()) > 400);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_url_of_5438_real_lines_leads_to_its_listing() {
    let dumps = ["../real/prague4.jsonl", "../real/hlidac.jsonl"].map(real);
    let [Some(prague), Some(others)] = dumps else {
        return;
    };
    let lines = prague.lines().chain(others.lines()).map(str::to_owned);
    assert_eq!(assert_leads_to_its_listing(lines), 5438);
}
