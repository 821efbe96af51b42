//! The detail page's HTML, read into the fields that the mobile interface has.

use czech::fold;
use czech::text::present;
use scraper::{ElementRef, Html};

use crate::notation::markup::{selectors, text_of, value_of};
use crate::portals::document::document;
use crate::portals::lenient::{Field, Object, Word};
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
    BODY = "body";
}

/// What a page says whose advert is deleted, folded.
const ENDED: [&str; 4] = [
    "inzerat byl smazan",
    "inzerat byl vymazan",
    "inzerat neexistuje",
    "jiz neexistuje",
];

/// The advert on the page.
///
/// # Errors
/// The page shows none, or says that it is deleted.
pub fn advert(html: &str, url: Option<&str>) -> Result<Advert, PayloadError> {
    let html = document(html)?;
    let Some(title) = html
        .select(&TITLE)
        .next()
        .map(value_of)
        .and_then(|title| present(&title))
    else {
        let shown = html
            .select(&BODY)
            .next()
            .map(|body| fold(&text_of(body)))
            .unwrap_or_default();
        return Err(if ENDED.iter().any(|words| shown.contains(words)) {
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
        title: Field::Read(title),
        description: html
            .select(&TEXT)
            .next()
            .map(text_of)
            .filter(|text| !text.is_empty())
            .into_field(),
        url: url
            .map(str::to_owned)
            .or_else(|| canonical(&html))
            .map(Word)
            .into_field(),
        ..Advert::default()
    };
    section(&html, &mut advert);
    for row in html.select(&ROW) {
        fill_from_row(row, &mut advert);
    }
    Ok(advert)
}

/// The path at the head of the page, `…/prodam/byt/`: kind of offer and section.
fn section(html: &Html, advert: &mut Advert) {
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
    advert.offer = Field::Read(Word(offer.to_owned()));
    if let [section, ..] = rest {
        advert.category = Field::Read(Object(Category {
            url: (*section).to_owned(),
        }));
    }
}

/// `Lokalita:` and `Cena:` in the table below the text; the last cell is the value.
fn fill_from_row(row: ElementRef, advert: &mut Advert) {
    let cells: Vec<ElementRef> = row.select(&CELL).collect();
    let (Some(label), Some(value)) = (cells.first(), cells.last()) else {
        return;
    };
    match fold(&value_of(*label)).as_str() {
        "cena:" => advert.price_formatted = present(&value_of(*value)).map(Word).into_field(),
        "lokalita:" => locality(*value, advert),
        _ => {}
    }
}

/// A link to the map with the postal code, then one to the town.
fn locality(cell: ElementRef, advert: &mut Advert) {
    for link in cell.select(&LINK) {
        let href = link.value().attr("href").unwrap_or_default();
        let text = present(&value_of(link)).map(Word);
        if let Some((_, rest)) = href.split_once("/maps/place/") {
            let mut parts = rest.split(['/', ',']);
            advert.zip_code = text.into_field();
            advert.latitude = parts.next().and_then(present).map(Word).into_field();
            advert.longitude = parts.next().and_then(present).map(Word).into_field();
        } else {
            advert.locality = text.into_field();
        }
    }
}

fn canonical(html: &Html) -> Option<String> {
    html.select(&CANONICAL)
        .next()
        .and_then(|link| link.value().attr("href"))
        .and_then(present)
}

/// An absent value is an absent field.
trait IntoField<T> {
    fn into_field(self) -> Field<T>;
}

impl<T> IntoField<T> for Option<T> {
    fn into_field(self) -> Field<T> {
        self.map_or(Field::Absent, Field::Read)
    }
}
