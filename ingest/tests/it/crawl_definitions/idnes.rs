//! What is idnes's own: numbers of pages, cards, the count among other counts.

use super::pages::{read_list, section, shown};
use super::stand::{market, stand};

#[test]
fn a_list_is_read_without_its_advertisements_and_each_advert_once() {
    let stand = stand("idnes");
    let page = read_list(&stand, &section(&stand, "prodej-byty"), |list| list).unwrap();
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
    let stand = stand("idnes");
    let flats = section(&stand, "pronajem-byty");
    let address = |page| (stand.crawl.page)(&flats, page).url;
    assert_eq!(address(0), "https://reality.idnes.cz/s/pronajem/byty/");
    assert_eq!(
        address(1),
        "https://reality.idnes.cz/s/pronajem/byty/?page=1"
    );
    assert_eq!((stand.crawl.sections)().len(), 10);
}

#[test]
fn the_last_page_has_no_next() {
    let stand = stand("idnes");
    let last = |list: String| {
        list.replace(
            "class=\"btn paging__item next\"",
            "class=\"btn paging__item\"",
        )
    };
    let page = read_list(&stand, &section(&stand, "prodej-byty"), last).unwrap();
    assert!(!page.more);
}

#[test]
fn a_changed_layout_is_unexpected_in_each_of_its_parts() {
    let stand = stand("idnes");
    let flats = section(&stand, "prodej-byty");
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
        let error = read_list(&stand, &flats, |list| list.replace(piece, other)).unwrap_err();
        assert!(
            error.contains(&format!("an answer without {missing}")),
            "{piece}: {error}"
        );
    }
}

/// Prices are what a list is watched for: a page on which no card says one has changed.
#[test]
fn a_page_of_cards_without_prices_is_unexpected() {
    let stand = stand("idnes");
    let flats = section(&stand, "prodej-byty");
    let adverts = market(40);
    let mut answer = stand.answer(&(stand.crawl.page)(&flats, 0), &adverts);
    assert!((stand.crawl.read_page)(&flats, 0, &answer).is_ok());
    answer.body = answer.body.replace("c-products__price", "c-products__cost");
    let error = (stand.crawl.read_page)(&flats, 0, &answer).unwrap_err();
    assert_eq!(error.found, "an answer without a card with title and price");
}
