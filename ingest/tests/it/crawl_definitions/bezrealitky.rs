//! What is bezrealitky's own: lists in the cache of a page, the advert object of a page.

use ingest::crawl_definition::{Access, Answer, Detail};
use serde_json::Value;
use support::simulator::Advert;

use super::pages::{answered, section};
use super::stand::{Stand, market, stand};

fn flats(stand: &Stand, page: u32, adverts: &[Advert]) -> Answer {
    stand.answer(
        &(stand.crawl.page)(&section(stand, "prodej-byt"), page),
        adverts,
    )
}

#[test]
fn only_hosts_that_allow_programs_are_asked() {
    let stand = stand("bezrealitky");
    assert_eq!(stand.crawl.access, Access::Open);
    for section in (stand.crawl.sections)() {
        let url = (stand.crawl.page)(&section, 1).url;
        assert!(
            url.starts_with("https://www.bezrealitky.cz/vypis/nabidka-"),
            "{url}"
        );
        assert!(url.ends_with("?page=2"), "{url}");
    }
}

#[test]
fn a_page_shows_fifteen_and_the_discounted_ones_are_another_list() {
    let stand = stand("bezrealitky");
    let adverts = market(100);
    let answer = flats(&stand, 0, &adverts);
    assert!(answer.body.contains("discountedOnly"));
    let page = (stand.crawl.read_page)(&section(&stand, "prodej-byt"), 0, &answer).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(40), true, 15)
    );
    let last = flats(&stand, 2, &adverts);
    let page = (stand.crawl.read_page)(&section(&stand, "prodej-byt"), 2, &last).unwrap();
    assert_eq!((page.more, page.entries.len()), (false, 10));
    assert!(
        (stand.crawl.read_page)(&section(&stand, "prodej-dum"), 0, &answer).is_err(),
        "flats are no houses"
    );
}

#[test]
fn a_list_that_is_not_as_it_was_is_unexpected() {
    let stand = stand("bezrealitky");
    let flats_for_sale = section(&stand, "prodej-byt");
    let answer = flats(&stand, 0, &market(100));
    for (piece, other) in [
        ("__NEXT_DATA__", "__DATA__"),
        ("listAdverts(", "adverts("),
        ("\"totalCount\":40", "\"total\":40"),
        ("\"Advert:", "\"Offer:"),
        ("\"uri\":", "\"slug\":"),
    ] {
        let changed = match piece {
            // The references stay, what they lead to does not.
            "\"Advert:" => answer
                .body
                .replace("\"Advert:10301", "\"Offer:10301")
                .replace("\"__ref\":\"Offer", "\"__ref\":\"Advert"),
            _ => answer.body.replace(piece, other),
        };
        assert_ne!(changed, answer.body, "{piece}");
        let read =
            (stand.crawl.read_page)(&flats_for_sale, 0, &answered(200, &answer.url, &changed));
        assert!(read.is_err(), "{piece}");
    }
}

#[test]
fn the_payload_is_the_advert_of_the_page_and_no_other() {
    let stand = stand("bezrealitky");
    let adverts = market(4);
    let entries: Vec<_> = stand.walk(&adverts).entries.into_values().collect();
    let asked = &entries[..1];
    let answer = stand.answer(&(stand.crawl.details)(asked).unwrap(), &adverts);
    let read = (stand.crawl.read_details)(asked, &answer).unwrap();
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
    let read = (stand.crawl.read_details)(asked, &answered(200, &answer.url, &other));
    assert!(read.is_err(), "the page of another advert");
    let (before, _) = answer.body.split_once("\"origAdvert\":").unwrap();
    let without = format!("{before}\"origAdvert\":null}}}}}}</script></body></html>");
    assert!(without.contains("989999-nabidka-podobna"));
    let read = (stand.crawl.read_details)(asked, &answered(200, &answer.url, &without)).unwrap();
    assert_eq!(
        read,
        [Detail::Gone {
            reason: "advert is null".to_owned()
        }],
        "a similar advert is another"
    );
    let list = (stand.crawl.page)(&section(&stand, "prodej-byt"), 0).url;
    let led = (stand.crawl.read_details)(asked, &answered(200, &list, "<html></html>")).unwrap();
    assert_eq!(
        led,
        [Detail::Gone {
            reason: format!("redirected to {list}")
        }]
    );
    let gate = answered(200, "https://www.bezrealitky.cz/overeni", "<html></html>");
    assert!((stand.crawl.read_details)(asked, &gate).is_err());
}
