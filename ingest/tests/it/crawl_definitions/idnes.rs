//! The crawl definition of idnes: page numbers, cards, and the right one of several counts.

use super::pages::{read_list, section, shown};
use super::simulated_site::{market, site};

#[test]
fn a_list_is_read_without_its_advertisements_and_each_advert_once() {
    let site = site("idnes");
    let page = read_list(&site, &section(&site, "prodej-byty"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (Some(53), true));
    assert_eq!(
        shown(&page),
        [
            (
                "6b0000000000000000000101",
                "https://reality.idnes.cz/detail/prodej/byt/kolin-nadrazni/6b0000000000000000000101/",
                "prodej bytu 3+kk 78 m² | Nádražní, Kolín - Kolín V, okres Kolín | 5 490 000 Kč"
            ),
            (
                "6b0000000000000000000201",
                "https://reality.idnes.cz/detail/prodej/byt/nesebar/6b0000000000000000000201/",
                "prodej bytu 1+kk 32 m² | Nesebar, Bulharsko | 1 428 325 Kč"
            ),
            (
                "6b0000000000000000000202",
                "https://reality.idnes.cz/detail/prodej/byt/olomouc-repcinska/6b0000000000000000000202/",
                "prodej bytu 1+1 43 m² | Řepčínská, Olomouc - Řepčín | Cena na vyžádání"
            ),
        ]
    );
}

#[test]
fn the_bare_address_is_the_first_page() {
    let site = site("idnes");
    let flats = section(&site, "pronajem-byty");
    let address = |page| (site.crawl.page)(&flats, page).url;
    assert_eq!(address(0), "https://reality.idnes.cz/s/pronajem/byty/");
    assert_eq!(
        address(1),
        "https://reality.idnes.cz/s/pronajem/byty/?page=1"
    );
    assert_eq!((site.crawl.sections)().len(), 10);
}

#[test]
fn the_last_page_has_no_next() {
    let site = site("idnes");
    let last = |list: String| {
        list.replace(
            "class=\"btn paging__item next\"",
            "class=\"btn paging__item\"",
        )
    };
    let page = read_list(&site, &section(&site, "prodej-byty"), last).unwrap();
    assert!(!page.more);
}

#[test]
fn a_change_of_any_part_of_the_layout_is_unexpected() {
    let site = site("idnes");
    let flats = section(&site, "prodej-byty");
    for (piece, other, missing) in [
        ("hledanireality", "clanek", "the class of a search page"),
        ("snippet-s-result-paginator-", "snippet-pager", "a pager"),
        (
            "c-products__link",
            "c-products__a",
            "a card that leads to an advert",
        ),
        ("c-products__item", "c-card", "the cards it counts"),
    ] {
        let error = read_list(&site, &flats, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}

/// A crawl needs the prices in lists. If no card on a page has a price, the layout has changed.
#[test]
fn a_page_of_cards_without_prices_is_unexpected() {
    let site = site("idnes");
    let flats = section(&site, "prodej-byty");
    let adverts = market(40);
    let mut answer = site.answer(&(site.crawl.page)(&flats, 0), &adverts);
    assert!((site.crawl.read_page)(&flats, 0, &answer).is_ok());
    answer.body = answer.body.replace("c-products__price", "c-products__cost");
    let error = (site.crawl.read_page)(&flats, 0, &answer).unwrap_err();
    assert_eq!(error.found, "an answer without a card with title and price");
}
