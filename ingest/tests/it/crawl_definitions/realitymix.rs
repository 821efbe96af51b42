//! What is realitymix's own: the count of a list, cards.

use super::pages::{read_list, section, shown};
use super::stand::stand;

#[test]
fn a_list_is_read_without_its_advertisements_and_each_advert_once() {
    let stand = stand("realitymix");
    let page = read_list(&stand, &section(&stand, "prodej-byty"), |list| list).unwrap();
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
fn pages_end_where_the_count_does() {
    let stand = stand("realitymix");
    let flats = section(&stand, "prodej-byty");
    assert_eq!(
        (stand.crawl.page)(&flats, 0).url,
        "https://realitymix.cz/reality/byty/prodej"
    );
    assert_eq!(
        (stand.crawl.page)(&flats, 1).url,
        "https://realitymix.cz/reality/byty/prodej?stranka=2"
    );
    let counted =
        |count: &str| read_list(&stand, &flats, |list| list.replace("8&nbsp;928", count)).unwrap();
    assert!(counted("41").more);
    assert!(!counted("40").more);
}

#[test]
fn a_changed_layout_is_unexpected_in_each_of_its_parts() {
    let stand = stand("realitymix");
    let flats = section(&stand, "prodej-byty");
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
        let error = read_list(&stand, &flats, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}
