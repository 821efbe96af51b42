//! The crawl definition of realitymix: the total of a list, cards.

use super::pages::{read_list, section, shown};
use super::simulated_site::site;

#[test]
fn a_list_is_read_without_its_advertisements_and_each_advert_once() {
    let site = site("realitymix");
    let page = read_list(&site, &section(&site, "prodej-byty"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (Some(8928), true));
    assert_eq!(
        shown(&page),
        [
            (
                "8700101",
                "https://realitymix.cz/detail/hradec-kralove/prodej-bytu-3-1-s-lodzii-72-m2-slezske-predmesti-8700101.html",
                "Prodej bytu, 3+1, 72 m² | Severní, Hradec Králové | 5 290 000 Kč"
            ),
            (
                "8700202",
                "https://realitymix.cz/detail/nupaky/prostorny-byt-2-1-s-balkonem-8700202.html",
                "Prodej bytu, 2+1, 66 m² | Luční, Nupaky, okr. Praha-východ | Cena na vyžádání"
            ),
        ]
    );
}

#[test]
fn pages_end_at_the_total() {
    let site = site("realitymix");
    let flats = section(&site, "prodej-byty");
    assert_eq!(
        (site.crawl.page)(&flats, 0).url,
        "https://realitymix.cz/reality/byty/prodej"
    );
    assert_eq!(
        (site.crawl.page)(&flats, 1).url,
        "https://realitymix.cz/reality/byty/prodej?stranka=2"
    );
    let counted =
        |count: &str| read_list(&site, &flats, |list| list.replace("8&nbsp;928", count)).unwrap();
    assert!(counted("41").more);
    assert!(!counted("40").more);
}

#[test]
fn a_change_of_any_part_of_the_layout_is_unexpected() {
    let site = site("realitymix");
    let flats = section(&site, "prodej-byty");
    for (piece, other, missing) in [
        (
            "data-list-container",
            "data-results",
            "a container of cards",
        ),
        ("z celkem", "ze všech", "the count of the list"),
        ("/detail/", "/inzerat/", "a card that leads to an advert"),
        ("advert-item", "card", "the cards it counts"),
    ] {
        let error = read_list(&site, &flats, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}
