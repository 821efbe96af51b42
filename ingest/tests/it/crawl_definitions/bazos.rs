//! The crawl definition of bazos: offsets in paths, cards of other sites, rows that count visits.

use ingest::crawl_definition::{Detail, IndexEntry};

use super::pages::{answered, lasting, read_list, section, shown};
use super::simulated_site::{market, site};
use crate::payloads::{page, real};

#[test]
fn a_list_is_read_without_other_sites_and_each_advert_once() {
    let site = site("bazos");
    let page = read_list(&site, &section(&site, "prodam-byt"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (Some(6_990), true));
    assert_eq!(
        shown(&page),
        [
            (
                "230000101",
                "https://reality.bazos.cz/inzerat/230000101/byt-2-1-kladno-balkon.php",
                "Byt 2+1 Kladno, balkon, OV | Kladno 272 01 | 4 390 000 Kč | Prodám cihlový byt 2+1 o výměře 54 m2 v \
                 ulici Vodárenská 1204, Kladno - Kročehlavy. Byt je ve 3. patře čtyřpatrového domu ..."
            ),
            (
                "230000115",
                "https://reality.bazos.cz/inzerat/230000115/prodam-byt-3-1-plzen.php",
                "Prodám byt 3+1 v Plzni, ul. Koterovská | Plzeň 326 00 | V textu | Byt 3+1 po rekonstrukci ..."
            ),
        ]
    );
}

#[test]
fn pages_are_numbered_by_offset_in_the_path_and_end_at_the_total() {
    let site = site("bazos");
    let flats = section(&site, "pronajmu-podnajem");
    let address = |page| (site.crawl.page)(&flats, page).url;
    assert_eq!(address(0), "https://reality.bazos.cz/pronajmu/podnajem/");
    assert_eq!(address(3), "https://reality.bazos.cz/pronajmu/podnajem/60/");
    assert!(
        !(site.crawl.sections)()
            .iter()
            .any(|section| section.name == "prodam-podnajem")
    );
    let last = |list: String| list.replace("z 6 990", "z 40");
    assert!(!read_list(&site, &flats, last).unwrap().more);
}

#[test]
fn a_change_of_any_part_of_the_layout_is_unexpected() {
    let site = site("bazos");
    let flats = section(&site, "prodam-byt");
    for (piece, other) in [
        ("inzeratynadpis", "inzeratyhlava"),
        ("Zobrazeno", "Ukázáno"),
        ("class=nadpis", "class=titulek"),
        ("class=\"inzeraty ", "class=\"karta "),
        ("maincontent", "content"),
    ] {
        assert!(
            read_list(&site, &flats, |list| list.replace(piece, other)).is_err(),
            "{piece}"
        );
    }
    let detail = answered(200, &flats.query, &page("bazos", "detail-page"));
    assert!(
        (site.crawl.read_page)(&flats, 0, &detail).is_err(),
        "a detail is not a list"
    );
}

#[test]
fn an_empty_list_is_recognised_by_its_words() {
    let site = site("bazos");
    let answer = site.answer(
        &(site.crawl.page)(&section(&site, "prodam-sklad"), 0),
        &market(3),
    );
    let page = (site.crawl.read_page)(&section(&site, "prodam-sklad"), 0, &answer).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(0), false, 0)
    );
    let cut = answered(200, &answer.url, &answer.body.replace("Žádný inzerát", ""));
    assert!((site.crawl.read_page)(&section(&site, "prodam-sklad"), 0, &cut).is_err());
}

#[test]
fn the_content_includes_the_advert_but_no_counters_bumps_or_neighbours() {
    let site = site("bazos");
    let html = page("bazos", "detail-page");
    let left = lasting(&site, &html);
    for other in [
        ("261 lidí", "4000 lidí"),
        ("[10.11. 2026]", "[11.11. 2026]"),
        ("2 490 000", "2 390 000"),
    ] {
        assert!(html.contains(other.0));
        assert_eq!(
            lasting(&site, &html.replace(other.0, other.1)),
            left,
            "{other:?}"
        );
    }
    for other in [
        ("4 390 000", "4 290 000"),
        ("272 01", "272 02"),
        ("cihlový byt", "byt"),
        ("balkon, OV", "OV"),
    ] {
        assert_ne!(
            lasting(&site, &html.replace(other.0, other.1)),
            left,
            "{other:?}"
        );
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_is_a_detail_of_its_address() {
    let Some(html) = real("bazos/detail_page_214464437_2026-02-09.html") else {
        return;
    };
    let site = site("bazos");
    let url = "https://reality.bazos.cz/inzerat/214464437/moderni-apartman-s-dispozici-2kk-v-sea-paradise-apartments.php";
    let asked = [IndexEntry {
        offer_id: "214464437".to_owned(),
        url: url.to_owned(),
        teaser: String::new(),
        payload: None,
    }];
    let read = (site.crawl.read_details)(&asked, &answered(200, url, &html)).unwrap();
    assert!(matches!(read.as_slice(), [Detail::Payload(_)]));
    let left = lasting(&site, &html);
    assert!(left.contains("2 457 000 Kč") && left.contains("987 66"));
    for volatile in [
        "2261 lidí",
        "41685",
        "9.2. 2026",
        "3 200 000 Kč",
        "Clemens Kuby",
    ] {
        assert!(html.contains(volatile), "{volatile}");
        assert!(!left.contains(volatile), "{volatile}");
    }
}
