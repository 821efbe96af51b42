//! The crawl definition of bezrealitky: lists in the cache of a page, the advert object of a page.

use ingest::crawl_definition::{Access, Answer, Detail};
use serde_json::Value;
use support::simulator::Advert;

use super::pages::{answered, section};
use super::simulated_site::{SimulatedSite, market, site};

fn flats(site: &SimulatedSite, page: u32, adverts: &[Advert]) -> Answer {
    site.answer(
        &(site.crawl.page)(&section(site, "prodej-byt"), page),
        adverts,
    )
}

#[test]
fn only_hosts_that_allow_programs_are_asked() {
    let site = site("bezrealitky");
    assert_eq!(site.crawl.access, Access::Open);
    for section in (site.crawl.sections)() {
        let url = (site.crawl.page)(&section, 1).url;
        assert!(
            url.starts_with("https://www.bezrealitky.cz/vypis/nabidka-"),
            "{url}"
        );
        assert!(url.ends_with("?page=2"), "{url}");
    }
}

#[test]
fn a_page_shows_fifteen_adverts_and_the_discounted_ones_are_another_list() {
    let site = site("bezrealitky");
    let adverts = market(100);
    let answer = flats(&site, 0, &adverts);
    assert!(answer.body.contains("discountedOnly"));
    let page = (site.crawl.read_page)(&section(&site, "prodej-byt"), 0, &answer).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(40), true, 15)
    );
    let last = flats(&site, 2, &adverts);
    let page = (site.crawl.read_page)(&section(&site, "prodej-byt"), 2, &last).unwrap();
    assert_eq!((page.more, page.entries.len()), (false, 10));
    assert!(
        (site.crawl.read_page)(&section(&site, "prodej-dum"), 0, &answer).is_err(),
        "a list of flats is not a list of houses"
    );
}

#[test]
fn a_list_of_another_form_is_unexpected() {
    let site = site("bezrealitky");
    let flats_for_sale = section(&site, "prodej-byt");
    let answer = flats(&site, 0, &market(100));
    for (piece, other) in [
        ("__NEXT_DATA__", "__DATA__"),
        ("listAdverts(", "adverts("),
        ("\"totalCount\":40", "\"total\":40"),
        ("\"Advert:", "\"Offer:"),
        ("\"uri\":", "\"slug\":"),
    ] {
        let changed = match piece {
            // The references are kept, but their targets are removed.
            "\"Advert:" => answer
                .body
                .replace("\"Advert:10301", "\"Offer:10301")
                .replace("\"__ref\":\"Offer", "\"__ref\":\"Advert"),
            _ => answer.body.replace(piece, other),
        };
        assert_ne!(changed, answer.body, "{piece}");
        let read =
            (site.crawl.read_page)(&flats_for_sale, 0, &answered(200, &answer.url, &changed));
        assert!(read.is_err(), "{piece}");
    }
}

#[test]
fn the_payload_is_the_advert_of_the_page() {
    let site = site("bezrealitky");
    let adverts = market(4);
    let entries: Vec<_> = site.walk(&adverts).entries.into_values().collect();
    let asked = &entries[..1];
    let answer = site.answer(&(site.crawl.details)(asked).unwrap(), &adverts);
    let read = (site.crawl.read_details)(asked, &answer).unwrap();
    let [Detail::Payload(payload)] = read.as_slice() else {
        panic!("{read:?}")
    };
    assert_eq!(payload["id"], Value::from(asked[0].offer_id.clone()));
    assert!(payload.get("html").is_none() && payload.get("props").is_none());

    let other = answer.body.replace(
        &format!("\"id\":\"{}\"", asked[0].offer_id),
        "\"id\":\"17\"",
    );
    assert_ne!(other, answer.body);
    let read = (site.crawl.read_details)(asked, &answered(200, &answer.url, &other));
    assert!(read.is_err(), "the page of another advert");
    let (before, _) = answer.body.split_once("\"origAdvert\":").unwrap();
    let without = format!("{before}\"origAdvert\":null}}}}}}</script></body></html>");
    assert!(without.contains("989999-nabidka-podobna"));
    let read = (site.crawl.read_details)(asked, &answered(200, &answer.url, &without)).unwrap();
    assert_eq!(
        read,
        [Detail::Gone {
            reason: "advert is null".to_owned()
        }],
        "a similar advert is another advert"
    );
    let list = (site.crawl.page)(&section(&site, "prodej-byt"), 0).url;
    let led = (site.crawl.read_details)(asked, &answered(200, &list, "<html></html>")).unwrap();
    assert_eq!(
        led,
        [Detail::Gone {
            reason: format!("redirected to {list}")
        }]
    );
    let gate = answered(200, "https://www.bezrealitky.cz/overeni", "<html></html>");
    assert!((site.crawl.read_details)(asked, &gate).is_err());
}
