//! The crawl definition of M&M: one index, without a total.

use schema::CrawlScope;

use super::pages::{read_list, section, shown};
use super::simulated_site::site;

#[test]
fn a_page_of_the_index_is_read_and_each_advert_once() {
    let site = site("mmreality");
    let page = read_list(&site, &section(&site, "nemovitosti"), |list| list).unwrap();
    assert_eq!((page.total, page.more), (None, true));
    assert_eq!(
        shown(&page),
        [
            (
                "960101",
                "https://www.mmreality.cz/nemovitosti/960101/",
                "Prodej, Byt 3+1, 72 m², Hradec Králové | 5 290 000 Kč"
            ),
            (
                "960202",
                "https://www.mmreality.cz/nemovitosti/960202/",
                "Pronájem, Byt 1+kk, Brno | Cena dohodou"
            ),
        ]
    );
}

/// Lists by kind of offer would lack the auctions.
#[test]
fn the_one_index_shows_everything() {
    let site = site("mmreality");
    let sections = (site.crawl.sections)();
    assert_eq!(sections.len(), 1);
    assert_eq!(sections[0].scope, CrawlScope::default());
    assert_eq!(
        (site.crawl.page)(&sections[0], 0).url,
        "https://www.mmreality.cz/nemovitosti/"
    );
    assert_eq!(
        (site.crawl.page)(&sections[0], 1).url,
        "https://www.mmreality.cz/nemovitosti/?page=2"
    );
}

#[test]
fn the_last_page_names_no_next() {
    let site = site("mmreality");
    let last = |list: String| list.replace("rel=\"next\"", "rel=\"last\"");
    assert!(
        !read_list(&site, &section(&site, "nemovitosti"), last)
            .unwrap()
            .more
    );
}

#[test]
fn a_page_without_cards_is_unexpected_unless_it_says_that_there_are_none() {
    let site = site("mmreality");
    let index = section(&site, "nemovitosti");
    let error = read_list(&site, &index, |list| {
        list.replace("data-card-id", "data-id")
    })
    .unwrap_err();
    assert!(error.contains("an answer without cards"), "{error}");
    let says = "<body><p>Nenalezli jsme žádné nemovitosti.</p></body>";
    let empty = read_list(&site, &index, |_| says.to_owned()).unwrap();
    assert_eq!((empty.entries.len(), empty.more), (0, false));
}
