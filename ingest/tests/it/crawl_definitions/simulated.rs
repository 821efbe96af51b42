//! What holds for the client of every portal that is simulated.

use ingest::crawl_definition::{Answer, Detail, IndexEntry, UnexpectedAnswer};
use ingest::pages::listing_at;
use schema::{CrawlScope, OfferType, PropertyType};
use support::simulator::{Advert, Kind, sentence};

use super::stand::{Found, Stand, market, scope_name, stands};

/// How many adverts are on a portal: several pages of its largest list, where it pages by twenty.
const COUNT: u64 = 110;

fn kind_of(kind: Kind) -> (OfferType, PropertyType) {
    match kind {
        Kind::FlatSale => (OfferType::Sale, PropertyType::Apartment),
        Kind::FlatRent => (OfferType::Rent, PropertyType::Apartment),
        Kind::HouseSale => (OfferType::Sale, PropertyType::House),
        Kind::LandSale => (OfferType::Sale, PropertyType::Land),
    }
}

/// The entries of adverts, in their order.
fn entries(stand: &Stand, found: &Found, adverts: &[Advert]) -> Vec<IndexEntry> {
    let entry = |advert: &Advert| found.entries[&(stand.simulated.offer_id)(advert.number)].clone();
    adverts.iter().map(entry).collect()
}

#[test]
fn a_walk_of_all_lists_shows_every_advert_and_no_other() {
    let adverts = market(COUNT);
    for stand in stands() {
        let found = stand.walk(&adverts);
        let mut expected: Vec<String> = adverts
            .iter()
            .map(|advert| (stand.simulated.offer_id)(advert.number))
            .collect();
        expected.sort();
        assert_eq!(
            found.entries.keys().cloned().collect::<Vec<_>>(),
            expected,
            "{}",
            stand.portal.site_id
        );
    }
}

#[test]
fn an_advert_is_shown_by_a_list_of_a_scope_that_it_lies_in() {
    let adverts = market(20);
    for stand in stands() {
        let found = stand.walk(&adverts);
        let scopes: Vec<CrawlScope> = (stand.crawl.sections)()
            .into_iter()
            .map(|section| section.scope)
            .collect();
        for advert in &adverts {
            let (offer, property) = kind_of(advert.kind);
            let shown = &found.scopes[&(stand.simulated.offer_id)(advert.number)];
            for scope in scopes
                .iter()
                .filter(|scope| scope.covers(Some(offer), Some(property)))
            {
                assert!(
                    shown.contains(&scope_name(*scope)),
                    "{} {advert:?}",
                    stand.portal.site_id
                );
            }
        }
    }
}

#[test]
fn every_detail_reads_to_what_is_advertised() {
    let adverts: Vec<Advert> = market(20)
        .into_iter()
        .map(|advert| Advert {
            revision: 3,
            ..advert
        })
        .collect();
    for stand in stands() {
        let found = stand.walk(&adverts);
        let entries = entries(&stand, &found, &adverts);
        let details = stand.details(&entries, &adverts).unwrap();
        for ((advert, entry), detail) in adverts.iter().zip(&entries).zip(details) {
            let Detail::Payload(payload) = detail else {
                panic!("{entry:?}: {detail:?}")
            };
            let payloads = [Some(payload), entry.payload.clone()];
            for payload in payloads.into_iter().flatten() {
                let reading = stand.portal.read_payload(&payload).unwrap();
                let attributes = &reading.listing.attributes;
                let kind = (
                    attributes.offer_type.unwrap(),
                    attributes.property_type.unwrap(),
                );
                assert_eq!(kind, kind_of(advert.kind), "{entry:?}");
                assert_eq!(
                    attributes.price_total,
                    Some(advert.price as f64),
                    "{entry:?}"
                );
                assert!(
                    attributes
                        .description
                        .as_deref()
                        .unwrap()
                        .contains(&sentence(advert)),
                    "{entry:?}"
                );
            }
            let listing = listing_at(&entry.url).unwrap();
            assert_eq!(
                (listing.site_id.as_str(), &listing.offer_id),
                (stand.portal.site_id, &entry.offer_id)
            );
        }
    }
}

#[test]
fn a_portal_of_pages_is_not_asked_for_an_advert_whose_page_nobody_knows() {
    for stand in stands() {
        let offer_id = (stand.simulated.offer_id)(1);
        let nowhere = IndexEntry {
            offer_id,
            url: String::new(),
            teaser: String::new(),
            payload: None,
        };
        // Interfaces are asked by number.
        let by_number = ["sreality", "realingo"].contains(&stand.portal.site_id);
        let request = (stand.crawl.details)(&[nowhere]);
        assert_eq!(
            request.is_some(),
            by_number,
            "{}: {request:?}",
            stand.portal.site_id
        );
    }
}

#[test]
fn a_retired_advert_is_gone_and_the_others_are_not() {
    let adverts = market(60);
    for stand in stands() {
        let found = stand.walk(&adverts);
        let entries = entries(&stand, &found, &adverts);
        let left: Vec<Advert> = adverts
            .iter()
            .filter(|advert| advert.number % 2 == 0)
            .cloned()
            .collect();
        let details = stand.details(&entries, &left).unwrap();
        for (advert, detail) in adverts.iter().zip(details) {
            let gone = matches!(&detail, Detail::Gone { reason } if !reason.is_empty());
            assert_eq!(
                gone,
                advert.number % 2 == 1,
                "{} {advert:?}: {detail:?}",
                stand.portal.site_id
            );
        }
    }
}

#[test]
fn an_empty_portal_has_empty_lists() {
    for stand in stands() {
        let found = stand.walk(&[]);
        assert!(found.entries.is_empty());
        assert_eq!(
            found.pages,
            (stand.crawl.sections)().len(),
            "{}",
            stand.portal.site_id
        );
    }
}

#[test]
fn a_teaser_moves_with_the_price_and_with_nothing_else_that_happens() {
    let adverts = market(20);
    let cheaper = |advert: &Advert| Advert {
        price: advert.price - 1_000,
        ..advert.clone()
    };
    let fewer: Vec<Advert> = adverts.iter().skip(3).map(cheaper).collect();
    for stand in stands() {
        let [before, again, after] =
            [&adverts, &adverts, &fewer].map(|adverts| stand.walk(adverts));
        assert_eq!(before.entries, again.entries);
        for advert in &fewer {
            let id = (stand.simulated.offer_id)(advert.number);
            let [before, after] = [&before, &after].map(|found| &found.entries[&id].teaser);
            assert_ne!(before, after, "{} {id}", stand.portal.site_id);
        }
        let moved = stand.walk(adverts.get(1..).unwrap());
        for (id, entry) in &moved.entries {
            assert_eq!(entry, &before.entries[id]);
        }
    }
}

/// What a portal answers in place of what was asked for.
fn mangled(answer: &Answer) -> Vec<Answer> {
    let with = |status: u16, body: &str| Answer {
        status,
        body: body.to_owned(),
        ..answer.clone()
    };
    let rebuilt = answer
        .body
        .replace("class=\"", "class=\"v2-")
        .replace("id=\"", "id=\"v2-")
        .replace("\":", "V2\":");
    vec![
        with(
            403,
            "<html><body><h1>Ověřte, že nejste robot</h1></body></html>",
        ),
        with(
            200,
            "<html><body><h1>Ověřte, že nejste robot</h1></body></html>",
        ),
        with(200, ""),
        with(200, "{}"),
        with(200, "[]"),
        with(200, "null"),
        with(200, &rebuilt),
        with(400, &answer.body),
    ]
}

#[test]
fn an_answer_that_is_no_list_is_no_empty_list() {
    let adverts = market(20);
    for stand in stands() {
        for section in (stand.crawl.sections)() {
            let answer = stand.answer(&(stand.crawl.page)(&section, 0), &adverts);
            for answer in mangled(&answer) {
                let read = (stand.crawl.read_page)(&section, 0, &answer);
                let error: UnexpectedAnswer = read.expect_err(&answer.body);
                assert!(
                    !error.found.is_empty() && error.found.chars().count() < 200,
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn an_answer_that_is_no_detail_ends_no_advert() {
    let adverts = market(5);
    for stand in stands() {
        let found = stand.walk(&adverts);
        for entry in found.entries.into_values() {
            let asked = [entry];
            let answer = stand.answer(&(stand.crawl.details)(&asked).unwrap(), &adverts);
            for answer in mangled(&answer) {
                let read = (stand.crawl.read_details)(&asked, &answer);
                let changed = answer.body.contains("V2\":") || answer.body.contains("=\"v2-");
                match read {
                    Err(_) => {}
                    // A page whose frame alone was rebuilt still reads.
                    Ok(details) => assert!(
                        changed && matches!(details.as_slice(), [Detail::Payload(_)]),
                        "{asked:?}: {details:?}"
                    ),
                }
            }
        }
    }
}

#[test]
fn nothing_that_a_portal_answers_makes_its_client_panic() {
    for stand in stands() {
        for section in (stand.crawl.sections)() {
            for body in [
                "\u{0}",
                "{\"data\":{}}",
                "{\"pagination\":{\"total\":1}}",
                "<div class=\"inzeraty\">",
            ] {
                let answer = Answer {
                    status: 200,
                    url: String::new(),
                    body: body.to_owned(),
                };
                let _read = (stand.crawl.read_page)(&section, u32::MAX, &answer);
                let _read = (stand.crawl.read_details)(&[], &answer);
            }
            let _request = (stand.crawl.page)(&section, u32::MAX);
            let _request = (stand.crawl.details)(&[]);
        }
    }
}
