//! The portals that serve HTML pages: authored lists, redirects away from an advert, and real pages.

use czech::text::clean;
use ingest::crawl_definition::{Access, Answer, Detail, IndexEntry, IndexPage, Section, Volatile};
use scraper::{ElementRef, Html, Selector};

use super::simulated_site::{SimulatedSite, site};
use crate::payloads::{page, real};

/// The portals, each with the address of a bot check to which it redirects programs.
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

fn sites() -> Vec<(SimulatedSite, &'static str)> {
    PORTALS
        .iter()
        .map(|(site_id, gate)| (site(site_id), *gate))
        .collect()
}

pub fn section(site: &SimulatedSite, name: &str) -> Section {
    (site.crawl.sections)()
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

/// Reads the authored second page of a list, changed by `change`, as the answer for a section.
pub fn read_list(
    site: &SimulatedSite,
    section: &Section,
    change: impl Fn(String) -> String,
) -> Result<IndexPage, String> {
    let url = (site.crawl.page)(section, 1).url;
    let answer = answered(200, &url, &change(page(site.portal.site_id, "list")));
    (site.crawl.read_page)(section, 1, &answer).map_err(|error| error.to_string())
}

/// The numbers, addresses and teasers of a page's adverts.
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

fn first_section(site: &SimulatedSite) -> Section {
    (site.crawl.sections)().remove(0)
}

/// The index entry of the fixture `flat-sale`, with the address that its page states, and the page.
fn asked(site: &SimulatedSite) -> (Vec<IndexEntry>, String) {
    let html = page(site.portal.site_id, "flat-sale");
    let reading = site
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
fn a_redirect_to_a_list_ends_an_advert_and_one_to_a_bot_check_does_not() {
    for (site, gate) in sites() {
        let (asked, html) = asked(&site);
        let read = |answer: Answer| (site.crawl.read_details)(&asked, &answer);
        let there = read(answered(200, &asked[0].url, &html)).unwrap();
        assert!(
            matches!(there.as_slice(), [Detail::Payload(_)]),
            "{there:?}"
        );
        let list = (site.crawl.page)(&first_section(&site), 0).url;
        let gone = read(answered(200, &list, &page(site.portal.site_id, "list"))).unwrap();
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
fn a_redirect_to_the_front_page_says_nothing_about_an_advert() {
    for (site, _) in sites() {
        let (asked, _) = asked(&site);
        let (scheme, rest) = asked[0].url.split_once("://").unwrap();
        let host = rest.split('/').next().unwrap();
        let list = page(site.portal.site_id, "list");
        for front in [
            format!("{scheme}://{host}/"),
            format!("{scheme}://{host}/?gate=1"),
        ] {
            for status in [200, 404] {
                let error = (site.crawl.read_details)(&asked, &answered(status, &front, &list));
                assert!(error.is_err(), "{front}: {error:?}");
            }
        }
    }
}

#[test]
fn the_page_of_an_ended_advert_ends_it() {
    for (site, _) in sites() {
        let (asked, _) = asked(&site);
        let ended = answered(200, &asked[0].url, &page(site.portal.site_id, "ended"));
        let read = (site.crawl.read_details)(&asked, &ended).unwrap();
        assert!(matches!(read.as_slice(), [Detail::Gone { .. }]), "{read:?}");
        for status in [404, 410] {
            let read =
                (site.crawl.read_details)(&asked, &answered(status, &asked[0].url, "")).unwrap();
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
fn a_page_without_the_parts_of_a_list_is_unexpected() {
    for (site, _) in sites() {
        let section = first_section(&site);
        assert!(
            read_list(&site, &section, |list| list).is_ok(),
            "{}",
            site.portal.site_id
        );
        let nothing = read_list(&site, &section, |_| {
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
fn a_404_ends_a_list_except_on_its_first_page() {
    for (site, _) in sites() {
        let section = first_section(&site);
        let missing = answered(404, &section.query, "");
        let end = (site.crawl.read_page)(&section, 7, &missing).unwrap();
        assert_eq!((end.entries.len(), end.more), (0, false));
        assert!((site.crawl.read_page)(&section, 0, &missing).is_err());
    }
}

#[test]
fn portals_that_forbid_programs_are_marked() {
    let forbidden: Vec<&str> = sites()
        .iter()
        .filter(|(site, _)| matches!(site.crawl.access, Access::Forbidden { .. }))
        .map(|(site, _)| site.portal.site_id)
        .collect();
    assert_eq!(forbidden, ["ceskereality", "mmreality"]);
}

#[test]
fn the_selectors_of_volatile_elements_parse() {
    for (site, _) in sites() {
        let Volatile::Elements(selectors) = site.crawl.volatile else {
            panic!("{site:?}")
        };
        for selector in selectors {
            assert!(Selector::parse(selector).is_ok(), "{selector}");
        }
    }
}

/// The content of a page without its volatile elements: the text, and the targets of links and images.
pub fn lasting(site: &SimulatedSite, html: &str) -> String {
    let Volatile::Elements(selectors) = site.crawl.volatile else {
        panic!("{site:?}")
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
fn the_content_includes_the_advert_and_no_neighbours() {
    for (site, _) in sites() {
        let html = page(site.portal.site_id, "flat-sale");
        let left = lasting(&site, &html);
        for foreign in ["5 950 000", "Beroun", "example.cz", "email-protection"] {
            assert!(
                !left.contains(foreign),
                "{}: {foreign}",
                site.portal.site_id
            );
        }
        let reading = site
            .portal
            .read_payload(&serde_json::Value::from(html))
            .unwrap();
        let description = reading.listing.attributes.description.unwrap();
        let words = description.split(['\n', ',']).next_back().unwrap().trim();
        assert!(left.contains(words), "{}: {words}", site.portal.site_id);
        let title = reading.listing.attributes.title.unwrap();
        assert!(left.contains(&title), "{}: {title}", site.portal.site_id);
    }
}

/// Agents, calculators and forms change although the advert does not.
#[test]
fn the_content_of_a_real_page_is_only_the_advert() {
    for (site, _) in sites() {
        for file in ["detail_a1.html", "detail_portal_html.html"] {
            let Some(html) = real(&format!("{}/{file}", site.portal.site_id)) else {
                continue;
            };
            let left = lasting(&site, &html);
            let title = site
                .portal
                .read_payload(&serde_json::Value::from(html))
                .unwrap()
                .listing
                .attributes
                .title;
            assert!(
                left.contains(&title.unwrap()),
                "{} {file}",
                site.portal.site_id
            );
            for foreign in ["Jan Novák", "splátk", "Úroková", "osobních údajů", "©"] {
                assert!(
                    !left.contains(foreign),
                    "{} {file}: {foreign}",
                    site.portal.site_id
                );
            }
        }
    }
}

/// The same advert, requested twice. The pages differ only in volatile elements.
#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_has_the_same_content_on_the_next_visit() {
    let (Some(first), Some(second)) = (
        real("ceskereality/detail_a1.html"),
        real("ceskereality/detail_a2.html"),
    ) else {
        return;
    };
    assert_ne!(first, second);
    let site = site("ceskereality");
    assert_eq!(lasting(&site, &first), lasting(&site, &second));
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_is_a_detail_of_its_address() {
    for (site, _) in sites() {
        let Some(html) = real(&format!("{}/detail_a1.html", site.portal.site_id)) else {
            return;
        };
        let reading = site
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
        let read = (site.crawl.read_details)(&asked, &answered(200, &url, &html)).unwrap();
        assert!(
            matches!(read.as_slice(), [Detail::Payload(_)]),
            "{}",
            site.portal.site_id
        );
        let list = (site.crawl.read_page)(&first_section(&site), 0, &answered(200, &url, &html));
        assert!(
            list.is_err(),
            "{}: a detail is not a list",
            site.portal.site_id
        );
    }
}
