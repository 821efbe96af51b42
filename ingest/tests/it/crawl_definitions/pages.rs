//! What holds for the portals of pages: lists in their true form, what leads away from an advert, real pages.

use czech::text::clean;
use ingest::crawl_definition::{Access, Answer, Detail, IndexEntry, IndexPage, Section, Volatile};
use scraper::{ElementRef, Html, Selector};

use super::stand::{Stand, stand};
use crate::payloads::{page, real};

/// The portals, each with a gate that leads programs away.
const PORTALS: [(&str, &str); 5] = [
    ("idnes", "https://reality.idnes.cz/overeni/"),
    ("realitymix", "https://realitymix.cz/overeni"),
    (
        "ceskereality",
        "https://www.ceskereality.cz/bot-trap-8f3c17a2/",
    ),
    ("remax", "https://www.remax-czech.cz/overeni"),
    (
        "mmreality",
        "https://www.mmreality.cz/cdn-cgi/challenge-platform/",
    ),
];

fn stands() -> Vec<(Stand, &'static str)> {
    PORTALS
        .iter()
        .map(|(site_id, gate)| (stand(site_id), *gate))
        .collect()
}

pub fn section(stand: &Stand, name: &str) -> Section {
    (stand.crawl.sections)()
        .into_iter()
        .find(|section| section.name == name)
        .unwrap()
}

pub fn answered(status: u16, url: &str, body: &str) -> Answer {
    Answer {
        status,
        url: url.to_owned(),
        body: body.to_owned(),
    }
}

/// The authored second page of a list, as it is answered for a section.
pub fn read_list(
    stand: &Stand,
    section: &Section,
    change: impl Fn(String) -> String,
) -> Result<IndexPage, String> {
    let url = (stand.crawl.page)(section, 1).url;
    let answer = answered(200, &url, &change(page(stand.portal.site_id, "list")));
    (stand.crawl.read_page)(section, 1, &answer).map_err(|error| error.to_string())
}

/// Numbers, addresses and teasers of a page's adverts.
pub fn shown(page: &IndexPage) -> Vec<(&str, &str, &str)> {
    page.entries
        .iter()
        .map(|entry| {
            (
                entry.offer_id.as_str(),
                entry.url.as_str(),
                entry.teaser.as_str(),
            )
        })
        .collect()
}

fn first_section(stand: &Stand) -> Section {
    (stand.crawl.sections)().remove(0)
}

/// The detail of the fixture `flat-sale`, asked for by the address that it gives as its own.
fn asked(stand: &Stand) -> (Vec<IndexEntry>, String) {
    let html = page(stand.portal.site_id, "flat-sale");
    let reading = stand
        .portal
        .read_payload(&serde_json::Value::from(html.as_str()))
        .unwrap();
    let url = reading.url.unwrap();
    let offer_id = ingest::pages::listing_at(&url).unwrap().offer_id;
    (
        vec![IndexEntry {
            offer_id,
            url,
            teaser: String::new(),
            payload: None,
        }],
        html,
    )
}

#[test]
fn a_redirect_to_a_list_is_the_end_and_one_to_a_gate_is_none() {
    for (stand, gate) in stands() {
        let (asked, html) = asked(&stand);
        let read = |answer: Answer| (stand.crawl.read_details)(&asked, &answer);
        let there = read(answered(200, &asked[0].url, &html)).unwrap();
        assert!(
            matches!(there.as_slice(), [Detail::Payload(_)]),
            "{there:?}"
        );
        let list = (stand.crawl.page)(&first_section(&stand), 0).url;
        let gone = read(answered(200, &list, &page(stand.portal.site_id, "list"))).unwrap();
        assert!(
            matches!(gone.as_slice(), [Detail::Gone { reason }] if reason.contains(&list)),
            "{gone:?}"
        );
        let error = read(answered(
            200,
            gate,
            "<html><body>Ověřte, že nejste robot</body></html>",
        ))
        .unwrap_err();
        assert!(error.to_string().starts_with(gate), "{error}");
    }
}

#[test]
fn the_page_of_an_ended_advert_is_its_end() {
    for (stand, _) in stands() {
        let (asked, _) = asked(&stand);
        let ended = answered(200, &asked[0].url, &page(stand.portal.site_id, "ended"));
        let read = (stand.crawl.read_details)(&asked, &ended).unwrap();
        assert!(matches!(read.as_slice(), [Detail::Gone { .. }]), "{read:?}");
        for status in [404, 410] {
            let read =
                (stand.crawl.read_details)(&asked, &answered(status, &asked[0].url, "")).unwrap();
            assert_eq!(
                read,
                [Detail::Gone {
                    reason: format!("HTTP {status}")
                }]
            );
        }
    }
}

#[test]
fn a_list_that_says_nothing_is_no_list() {
    for (stand, _) in stands() {
        let section = first_section(&stand);
        assert!(
            read_list(&stand, &section, |list| list).is_ok(),
            "{}",
            stand.portal.site_id
        );
        let nothing = read_list(&stand, &section, |_| {
            "<html><body><main></main></body></html>".to_owned()
        });
        let said = nothing.unwrap_err();
        assert!(
            said.contains("without") && said.contains("expected a list of"),
            "{said}"
        );
    }
}

#[test]
fn a_page_that_is_gone_is_the_end_of_a_list_but_not_its_beginning() {
    for (stand, _) in stands() {
        let section = first_section(&stand);
        let missing = answered(404, &section.query, "");
        let end = (stand.crawl.read_page)(&section, 7, &missing).unwrap();
        assert_eq!((end.entries.len(), end.more), (0, false));
        assert!((stand.crawl.read_page)(&section, 0, &missing).is_err());
    }
}

#[test]
fn lists_and_portals_that_forbid_programs_are_known() {
    let forbidden: Vec<&str> = stands()
        .iter()
        .filter(|(stand, _)| matches!(stand.crawl.access, Access::Forbidden { .. }))
        .map(|(stand, _)| stand.portal.site_id)
        .collect();
    assert_eq!(forbidden, ["ceskereality", "mmreality"]);
}

#[test]
fn what_changes_by_itself_is_named_by_selectors_that_parse() {
    for (stand, _) in stands() {
        let Volatile::Elements(selectors) = stand.crawl.volatile else {
            panic!("{stand:?}")
        };
        for selector in selectors {
            assert!(Selector::parse(selector).is_ok(), "{selector}");
        }
    }
}

/// What is left of a page without its volatile elements: text, and where links and images lead.
pub fn lasting(stand: &Stand, html: &str) -> String {
    let Volatile::Elements(selectors) = stand.crawl.volatile else {
        panic!("{stand:?}")
    };
    let unshown = ["script", "style", "noscript", "template"];
    let selectors: Vec<Selector> = selectors
        .iter()
        .chain(&unshown)
        .map(|selector| Selector::parse(selector).unwrap())
        .collect();
    let mut left = Vec::new();
    keep(
        Html::parse_document(html).root_element(),
        &selectors,
        &mut left,
    );
    clean(&left.join(" "))
}

fn keep(element: ElementRef, volatile: &[Selector], left: &mut Vec<String>) {
    if volatile.iter().any(|selector| selector.matches(&element)) {
        return;
    }
    left.extend(
        ["href", "src"]
            .iter()
            .filter_map(|name| element.value().attr(name))
            .map(str::to_owned),
    );
    for child in element.children() {
        match (ElementRef::wrap(child), child.value().as_text()) {
            (Some(inner), _) => keep(inner, volatile, left),
            (None, text) => left.extend(text.map(|text| text.to_string())),
        }
    }
}

#[test]
fn neighbours_do_not_count_and_the_advert_does() {
    for (stand, _) in stands() {
        let html = page(stand.portal.site_id, "flat-sale");
        let left = lasting(&stand, &html);
        for foreign in ["5 950 000", "Beroun", "example.cz", "email-protection"] {
            assert!(
                !left.contains(foreign),
                "{}: {foreign}",
                stand.portal.site_id
            );
        }
        let reading = stand
            .portal
            .read_payload(&serde_json::Value::from(html))
            .unwrap();
        let description = reading.listing.attributes.description.unwrap();
        let words = description.split(['\n', ',']).next_back().unwrap().trim();
        assert!(left.contains(words), "{}: {words}", stand.portal.site_id);
        let title = reading.listing.attributes.title.unwrap();
        assert!(left.contains(&title), "{}: {title}", stand.portal.site_id);
    }
}

/// Agents, calculators and forms change without the advert.
#[test]
fn of_a_real_page_only_the_advert_counts() {
    for (stand, _) in stands() {
        for file in ["detail_a1.html", "detail_portal_html.html"] {
            let Some(html) = real(&format!("{}/{file}", stand.portal.site_id)) else {
                continue;
            };
            let left = lasting(&stand, &html);
            let title = stand
                .portal
                .read_payload(&serde_json::Value::from(html))
                .unwrap()
                .listing
                .attributes
                .title;
            assert!(
                left.contains(&title.unwrap()),
                "{} {file}",
                stand.portal.site_id
            );
            for foreign in ["Jan Novák", "splátk", "Úroková", "osobních údajů", "©"] {
                assert!(
                    !left.contains(foreign),
                    "{} {file}: {foreign}",
                    stand.portal.site_id
                );
            }
        }
    }
}

/// The same advert, asked for twice: what differs does not count.
#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_is_the_same_on_the_next_visit() {
    let (Some(first), Some(second)) = (
        real("ceskereality/detail_a1.html"),
        real("ceskereality/detail_a2.html"),
    ) else {
        return;
    };
    assert_ne!(first, second);
    let stand = stand("ceskereality");
    assert_eq!(lasting(&stand, &first), lasting(&stand, &second));
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_is_a_detail_of_its_address() {
    for (stand, _) in stands() {
        let Some(html) = real(&format!("{}/detail_a1.html", stand.portal.site_id)) else {
            return;
        };
        let reading = stand
            .portal
            .read_payload(&serde_json::Value::from(html.as_str()))
            .unwrap();
        let url = reading.url.unwrap();
        let offer_id = ingest::pages::listing_at(&url).unwrap().offer_id;
        let asked = [IndexEntry {
            offer_id,
            url: url.clone(),
            teaser: String::new(),
            payload: None,
        }];
        let read = (stand.crawl.read_details)(&asked, &answered(200, &url, &html)).unwrap();
        assert!(
            matches!(read.as_slice(), [Detail::Payload(_)]),
            "{}",
            stand.portal.site_id
        );
        let list = (stand.crawl.read_page)(&first_section(&stand), 0, &answered(200, &url, &html));
        assert!(
            list.is_err(),
            "{}: a detail is no list",
            stand.portal.site_id
        );
    }
}
