//! Reading a detail page's HTML into the fields that the mobile interface has.

use czech::fold;
use czech::text::present;
use scraper::{ElementRef, Html};

use crate::json::{Field, Object, Word};
use crate::notation::markup::{selectors, text_of, value_of};
use crate::pages::detail_page::{attribute, first, says};
use crate::pages::html::parse_html;
use crate::reading::PayloadError;

use super::payload::{Advert, Category};

selectors! {
    TITLE = "h1.nadpisdetail";
    TEXT = "div.popisdetail";
    CRUMBS = "div.drobky a[href]";
    ROW = "td.listadvlevo tr";
    CELL = "td";
    LINK = "a[href]";
    CANONICAL = "link[rel=canonical]";
}

/// Folded phrases of a page whose advert is deleted.
const ENDED: [&str; 4] = [
    "inzerat byl smazan",
    "inzerat byl vymazan",
    "inzerat neexistuje",
    "jiz neexistuje",
];

/// Reads the advert on a page.
///
/// # Errors
/// Returns [`PayloadError`] if the page shows no advert, or says that it is deleted.
pub(crate) fn read_advert(html: &str, url: Option<&str>) -> Result<Advert, PayloadError> {
    let html = parse_html(html)?;
    let Some(title) = first(&html, &TITLE, value_of) else {
        return Err(if says(&html, &ENDED, None) {
            PayloadError::Gone {
                said: "the page says that the advert is deleted",
            }
        } else {
            PayloadError::Missing {
                part: "h1.nadpisdetail",
                kind: "bazos detail page",
            }
        });
    };
    let mut advert = Advert {
        title: Field::Value(title),
        description: first(&html, &TEXT, text_of).into(),
        url: url
            .map(str::to_owned)
            .or_else(|| attribute(&html, &CANONICAL, "href"))
            .map(Word)
            .into(),
        ..Advert::default()
    };
    fill_from_crumbs(&html, &mut advert);
    for row in html.select(&ROW) {
        fill_from_row(row, &mut advert);
    }
    Ok(advert)
}

/// Reads kind of offer and section from the links at the top of the page: `…/prodam/byt/`.
fn fill_from_crumbs(html: &Html, advert: &mut Advert) {
    let hrefs = html
        .select(&CRUMBS)
        .filter_map(|link| link.value().attr("href"));
    for href in hrefs {
        let path: Vec<&str> = href
            .split('/')
            .filter(|part| !part.is_empty() && !part.contains([':', '.']))
            .collect();
        match path.as_slice() {
            ["prodam", rest @ ..] => fill_section("sell", rest, advert),
            ["pronajmu", rest @ ..] => fill_section("rent", rest, advert),
            _ => {}
        }
    }
}

fn fill_section(offer: &str, rest: &[&str], advert: &mut Advert) {
    advert.offer = Field::Value(Word(offer.to_owned()));
    if let [section, ..] = rest {
        advert.category = Field::Value(Object(Category {
            url: (*section).to_owned(),
        }));
    }
}

/// Reads a row of the table below the text: `Lokalita:` or `Cena:`. The value is the last cell.
fn fill_from_row(row: ElementRef, advert: &mut Advert) {
    let cells: Vec<ElementRef> = row.select(&CELL).collect();
    let (Some(label), Some(value)) = (cells.first(), cells.last()) else {
        return;
    };
    match fold(&value_of(*label)).as_str() {
        "cena:" => advert.price_formatted = present(&value_of(*value)).map(Word).into(),
        "lokalita:" => fill_locality(*value, advert),
        _ => {}
    }
}

/// Reads the cell of the locality: a link to the map with the postal code, and a link to the town.
fn fill_locality(cell: ElementRef, advert: &mut Advert) {
    for link in cell.select(&LINK) {
        let href = link.value().attr("href").unwrap_or_default();
        let text = present(&value_of(link)).map(Word);
        if let Some((_, rest)) = href.split_once("/maps/place/") {
            let mut parts = rest.split(['/', ',']);
            advert.zip_code = text.into();
            advert.latitude = parts.next().and_then(present).map(Word).into();
            advert.longitude = parts.next().and_then(present).map(Word).into();
        } else {
            advert.locality = text.into();
        }
    }
}
