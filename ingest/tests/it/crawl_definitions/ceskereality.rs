//! The crawl definition of ceskereality: lists that end early, places, empty lists.

use std::collections::HashSet;

use ingest::crawl_definition::Section;
use support::simulator::{Advert, Kind};

use super::pages::{answered, read_list, section, shown};
use super::simulated_site::{SimulatedSite, site};

fn region(site: &SimulatedSite, name: &str) -> Section {
    let flats = section(site, "prodej-byty");
    let regions = (site.crawl.split)(&flats, 8221);
    regions
        .into_iter()
        .find(|section| section.name == format!("prodej-byty/{name}"))
        .unwrap()
}

#[test]
fn a_list_is_read_without_the_carousel_on_it() {
    let site = site("ceskereality");
    let page = read_list(&site, &region(&site, "kralovehradecky-kraj"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (Some(421), true));
    assert_eq!(
        shown(&page),
        [
            (
                "3900101",
                "https://www.ceskereality.cz/prodej/byty/byty-3-1/hradec-kralove/prodej-bytu-3-1-72-m2-severni-3900101.html",
                "Prodej bytu 3+1 72 m² Hradec Králové, Severní | 5 290 000 Kč"
            ),
            (
                "3900202",
                "https://www.ceskereality.cz/prodej/byty/byty-2-1/trutnov/prodej-bytu-2-1-56-m2-3900202.html",
                "Prodej bytu 2+1 56 m² Trutnov | Cena na dotaz"
            ),
        ]
    );
}

#[test]
fn a_list_that_the_portal_ends_early_is_walked_by_place() {
    let site = site("ceskereality");
    let split = |section: &Section, total| (site.crawl.split)(section, total);
    let flats = section(&site, "prodej-byty");
    assert_eq!(split(&flats, 240), []);
    let regions = split(&flats, 241);
    assert_eq!(regions.len(), 14);
    assert!(regions.iter().all(|region| region.scope == flats.scope));
    assert_eq!(regions[1].query, "/prodej/byty/stredocesky-kraj/");
    assert_eq!(split(&regions[1], 1980), []);
    let districts: Vec<Section> = regions
        .iter()
        .flat_map(|region| split(region, 1981))
        .collect();
    // 76 okresy and the 22 districts of Prague.
    assert_eq!(districts.len(), 98);
    assert_eq!(
        districts
            .iter()
            .map(|district| &district.query)
            .collect::<HashSet<_>>()
            .len(),
        98
    );
    let kolin = districts
        .iter()
        .find(|district| district.query == "/prodej/byty/kolin/")
        .unwrap();
    assert_eq!(kolin.name, "prodej-byty/stredocesky-kraj/kolin");
    assert_eq!(split(kolin, 9999), []);
    assert_eq!(
        (site.crawl.page)(kolin, 98).url,
        "https://www.ceskereality.cz/prodej/byty/kolin/?strana=99"
    );
}

/// The list of the whole country has twelve pages; the thirteenth is answered with 404.
#[test]
fn more_adverts_than_a_list_shows_are_all_found() {
    let site = site("ceskereality");
    let flat = |number| Advert {
        number,
        kind: Kind::FlatSale,
        price: 4_000_000,
        revision: 0,
    };
    let adverts: Vec<Advert> = (1..=300).rev().map(flat).collect();
    let flats = section(&site, "prodej-byty");
    assert_eq!(
        site.answer(&(site.crawl.page)(&flats, 11), &adverts).status,
        200
    );
    assert_eq!(
        site.answer(&(site.crawl.page)(&flats, 12), &adverts).status,
        404
    );
    assert_eq!(site.walk(&adverts).entries.len(), adverts.len());
}

#[test]
fn an_empty_list_names_its_kind_and_its_place() {
    let site = site("ceskereality");
    let read = |section: &Section, heading: &str| {
        let frame = "<header class=\"main-header --dark --banner\"></header>";
        let body = format!("<body>{frame}<main><h1 class=\"base-h1\">{heading}</h1></main></body>");
        (site.crawl.read_page)(
            section,
            0,
            &answered(200, "https://www.ceskereality.cz/", &body),
        )
    };
    let [vysocina, prague] =
        ["kraj-vysocina", "praha-hlavni-mesto"].map(|name| region(&site, name));
    assert_eq!(
        read(&vysocina, "Prodej bytů Kraj Vysočina").unwrap().total,
        Some(0)
    );
    assert_eq!(
        read(&prague, "Prodej bytů v okrese Praha").unwrap().total,
        Some(0)
    );
    assert!(
        read(&prague, "Prodej bytů Kraj Vysočina").is_err(),
        "another place"
    );
    assert!(
        read(&vysocina, "Pronájem bytů Kraj Vysočina").is_err(),
        "another kind of offer"
    );
    assert!(read(&vysocina, "Příliš mnoho požadavků").is_err());
}

#[test]
fn a_change_of_any_part_of_the_layout_is_unexpected() {
    let site = site("ceskereality");
    let flats = region(&site, "kralovehradecky-kraj");
    for (piece, other, missing) in [
        ("Máme tady", "Nabízíme", "the count of the list"),
        ("i-estate__", "estate__", "a card that leads to an advert"),
        (
            "class=\"i-estate\"",
            "class=\"card\"",
            "the cards it counts",
        ),
        ("pagination-arrow", "arrow", "an arrow to the next page"),
    ] {
        let error = read_list(&site, &flats, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}

#[test]
fn the_last_page_has_its_arrow_disabled() {
    let site = site("ceskereality");
    let last = |list: String| {
        list.replace(
            "pagination-arrow --next",
            "pagination-arrow --disabled --next",
        )
    };
    assert!(
        !read_list(&site, &region(&site, "kralovehradecky-kraj"), last)
            .unwrap()
            .more
    );
}
