//! The crawl definition of remax: attributes of cards, and pages past the last.

use super::pages::{answered, read_list, section, shown};
use super::simulated_site::site;

#[test]
fn a_list_is_read_from_the_attributes_of_its_cards() {
    let site = site("remax");
    let page = read_list(&site, &section(&site, "prodej"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (Some(6124), true));
    assert_eq!(
        shown(&page),
        [
            (
                "480101",
                "https://www.remax-czech.cz/reality/detail/480101/prodej-bytu-3-1-v-osobnim-vlastnictvi-72-m2-hradec-kralove",
                "Prodej bytu 3+1 v osobním vlastnictví 72 m², Hradec Králové | Severní, Hradec Králové - Slezské Předměstí | 5 290 000 Kč"
            ),
            (
                "480202",
                "https://www.remax-czech.cz/reality/detail/480202/prodej-chaty-chalupy-108-m2-roztoky",
                "Prodej chaty / chalupy 108 m², Roztoky | Roztoky | Dohodou"
            ),
        ]
    );
}

#[test]
fn a_page_without_cards_is_the_end_if_the_total_says_so() {
    let site = site("remax");
    let sales = section(&site, "prodej");
    let request = (site.crawl.page)(&sales, 2);
    assert_eq!(
        request.url,
        "https://www.remax-czech.cz/reality/vyhledavani/?sale=1&stranka=3"
    );
    let without_cards = |count: u64| {
        let body = format!(
            "<body>z celkem <span>{count}</span> nalezených<div class=\"pl-items\"></div></body>"
        );
        (site.crawl.read_page)(&sales, 2, &answered(200, &request.url, &body))
    };
    let end = without_cards(42).unwrap();
    assert_eq!(
        (end.entries.len(), end.total, end.more),
        (0, Some(42), false)
    );
    assert_eq!(
        without_cards(43).unwrap_err().found,
        "an answer without the cards it counts"
    );
}

#[test]
fn a_change_of_any_part_of_the_layout_is_unexpected() {
    let site = site("remax");
    let sales = section(&site, "prodej");
    for (piece, other, missing) in [
        (
            "class=\"pl-items\"",
            "class=\"results\"",
            "a container of cards",
        ),
        ("z celkem", "ze všech", "the count of the list"),
        ("data-url", "data-href", "a card that leads to an advert"),
        ("pl-items__item", "card", "the cards it counts"),
    ] {
        let error = read_list(&site, &sales, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}
