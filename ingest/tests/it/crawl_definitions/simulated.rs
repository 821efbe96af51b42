//! Tests of the crawl definition of every simulated portal.

use ingest::crawl_definition::{Answer, Detail, IndexEntry, UnexpectedAnswer};
use ingest::pages::listing_at;
use schema::{CrawlScope, OfferType, PropertyType};
use support::simulator::{Advert, Kind, sentence};

use super::simulated_site::{Found, SimulatedSite, market, scope_name, sites};

/// The number of adverts on a portal. With 20 adverts on a page, its largest list has several pages.
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
fn entries(site: &SimulatedSite, found: &Found, adverts: &[Advert]) -> Vec<IndexEntry> {
    let entry = |advert: &Advert| found.entries[&(site.simulated.offer_id)(advert.number)].clone();
    adverts.iter().map(entry).collect()
}

#[test]
fn a_walk_of_all_lists_shows_every_advert_and_no_other() {
    let adverts = market(COUNT);
    for site in sites() {
        let found = site.walk(&adverts);
        let mut expected: Vec<String> = adverts
            .iter()
            .map(|advert| (site.simulated.offer_id)(advert.number))
            .collect();
        expected.sort();
        assert_eq!(
            found.entries.keys().cloned().collect::<Vec<_>>(),
            expected,
            "{}",
            site.portal.site_id
        );
    }
}

#[test]
fn an_advert_is_in_a_list_of_every_scope_that_covers_it() {
    let adverts = market(20);
    for site in sites() {
        let found = site.walk(&adverts);
        let scopes: Vec<CrawlScope> = (site.crawl.sections)()
            .into_iter()
            .map(|section| section.scope)
            .collect();
        for advert in &adverts {
            let (offer, property) = kind_of(advert.kind);
            let shown = &found.scopes[&(site.simulated.offer_id)(advert.number)];
            for scope in scopes
                .iter()
                .filter(|scope| scope.covers(Some(offer), Some(property)))
            {
                assert!(
                    shown.contains(&scope_name(*scope)),
                    "{} {advert:?}",
                    site.portal.site_id
                );
            }
        }
    }
}

#[test]
fn every_detail_is_read_as_the_simulated_advert() {
    let adverts: Vec<Advert> = market(20)
        .into_iter()
        .map(|advert| Advert {
            revision: 3,
            ..advert
        })
        .collect();
    for site in sites() {
        let found = site.walk(&adverts);
        let entries = entries(&site, &found, &adverts);
        let details = site.details(&entries, &adverts).unwrap();
        for ((advert, entry), detail) in adverts.iter().zip(&entries).zip(details) {
            let Detail::Payload(payload) = detail else {
                panic!("{entry:?}: {detail:?}")
            };
            let payloads = [Some(payload), entry.payload.clone()];
            for payload in payloads.into_iter().flatten() {
                let reading = site.portal.read_payload(&payload).unwrap();
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
                (site.portal.site_id, &entry.offer_id)
            );
        }
    }
}

#[test]
fn an_advert_without_a_page_url_is_requested_only_by_number() {
    for site in sites() {
        let offer_id = (site.simulated.offer_id)(1);
        let nowhere = IndexEntry {
            offer_id,
            url: String::new(),
            teaser: String::new(),
            payload: None,
        };
        // These two have an API that is asked by number.
        let by_number = ["sreality", "realingo"].contains(&site.portal.site_id);
        let request = (site.crawl.details)(&[nowhere]);
        assert_eq!(
            request.is_some(),
            by_number,
            "{}: {request:?}",
            site.portal.site_id
        );
    }
}

#[test]
fn a_removed_advert_is_gone_and_the_others_are_not() {
    let adverts = market(60);
    for site in sites() {
        let found = site.walk(&adverts);
        let entries = entries(&site, &found, &adverts);
        let left: Vec<Advert> = adverts
            .iter()
            .filter(|advert| advert.number % 2 == 0)
            .cloned()
            .collect();
        let details = site.details(&entries, &left).unwrap();
        for (advert, detail) in adverts.iter().zip(details) {
            let gone = matches!(&detail, Detail::Gone { reason } if !reason.is_empty());
            assert_eq!(
                gone,
                advert.number % 2 == 1,
                "{} {advert:?}: {detail:?}",
                site.portal.site_id
            );
        }
    }
}

#[test]
fn an_empty_portal_has_empty_lists() {
    for site in sites() {
        let found = site.walk(&[]);
        assert!(found.entries.is_empty());
        assert_eq!(
            found.pages,
            (site.crawl.sections)().len(),
            "{}",
            site.portal.site_id
        );
    }
}

#[test]
fn a_teaser_changes_only_with_its_own_advert() {
    let adverts = market(20);
    let cheaper = |advert: &Advert| Advert {
        price: advert.price - 1_000,
        ..advert.clone()
    };
    let fewer: Vec<Advert> = adverts.iter().skip(3).map(cheaper).collect();
    for site in sites() {
        let [before, again, after] = [&adverts, &adverts, &fewer].map(|adverts| site.walk(adverts));
        assert_eq!(before.entries, again.entries);
        for advert in &fewer {
            let id = (site.simulated.offer_id)(advert.number);
            let [before, after] = [&before, &after].map(|found| &found.entries[&id].teaser);
            assert_ne!(before, after, "{} {id}", site.portal.site_id);
        }
        let moved = site.walk(adverts.get(1..).unwrap());
        for (id, entry) in &moved.entries {
            assert_eq!(entry, &before.entries[id]);
        }
    }
}

/// Answers that a portal may send instead of the requested one.
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
fn an_answer_that_is_not_a_list_is_unexpected() {
    let adverts = market(20);
    for site in sites() {
        for section in (site.crawl.sections)() {
            let answer = site.answer(&(site.crawl.page)(&section, 0), &adverts);
            for answer in mangled(&answer) {
                let read = (site.crawl.read_page)(&section, 0, &answer);
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
fn an_answer_that_is_not_a_detail_ends_no_advert() {
    let adverts = market(5);
    for site in sites() {
        let found = site.walk(&adverts);
        for entry in found.entries.into_values() {
            let asked = [entry];
            let answer = site.answer(&(site.crawl.details)(&asked).unwrap(), &adverts);
            for answer in mangled(&answer) {
                let read = (site.crawl.read_details)(&asked, &answer);
                let changed = answer.body.contains("V2\":") || answer.body.contains("=\"v2-");
                match read {
                    Err(_) => {}
                    // If only the frame of the page has changed, the page is still read.
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
fn no_answer_makes_a_crawl_definition_panic() {
    for site in sites() {
        for section in (site.crawl.sections)() {
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
                let _read = (site.crawl.read_page)(&section, u32::MAX, &answer);
                let _read = (site.crawl.read_details)(&[], &answer);
            }
            let _request = (site.crawl.page)(&section, u32::MAX);
            let _request = (site.crawl.details)(&[]);
        }
    }
}
