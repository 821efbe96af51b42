//! What is read from a detail page.

use czech::text::present;
use scraper::ElementRef;

use crate::notation::markup::{selectors, text_of, value_of};
use crate::notation::offer::offer_type;
use crate::portals::attribute_list::Row;
use crate::portals::document::document;
use crate::portals::page::{Signs, attribute, first, listing_address, own_words};
use crate::portals::shown::Shown;
use crate::reading::PayloadError;

/// The parts of a detail page that speak of its subject.
#[derive(Debug, Default)]
pub struct Page {
    /// What it shows.
    pub shown: Shown,
    /// The breadcrumb's kind of offer.
    pub offer: Option<String>,
    /// The breadcrumb's places, from the kraj on.
    pub places: Vec<String>,
    /// Latitude and longitude of the map, as written.
    pub pin: Option<String>,
    /// `Street, Quarter, City, okres District` of the map.
    pub map_place: Option<String>,
}

selectors! {
    TITLE = "h1.pd-header__title";
    PLACE = "h2.pd-header__address";
    PRICE = ".pd-table__value--price";
    HEADER_PRICE = "h2.pd-header__price";
    LABEL = ".pd-base-info__content .tags__item";
    HEADLINE = ".pd-base-info__content h4";
    TEXT = ".pd-base-info__content-collapse-inner";
    ROW = ".pd-detail-info__row";
    ROW_LABEL = ".pd-detail-info__label";
    ROW_VALUE = ".pd-detail-info__value";
    CRUMB = ".breadcrumbs [itemprop=name]";
    MAP = "#listingMap";
    CARD = ".pl-items__item";
}

fn signs() -> Signs<'static> {
    Signs {
        kind: "remax detail page",
        part: "h1.pd-header__title",
        card: &CARD,
        ended: &[
            "nemovitost nebyla nalezena",
            "nemovitost jiz neni v nabidce",
            "nemovitost jiz byla prodana",
            "stranka nebyla nalezena",
        ],
    }
}

impl Page {
    /// The page in this HTML.
    ///
    /// # Errors
    /// It is no detail page, or one whose listing has ended.
    pub fn parse(html: &str, url: Option<&str>) -> Result<Self, PayloadError> {
        let html = document(html)?;
        let shown = Shown {
            url: listing_address(&html, url, "remax"),
            title: first(&html, &TITLE, own_words),
            headline: first(&html, &HEADLINE, value_of),
            text: first(&html, &TEXT, text_of),
            place: first(&html, &PLACE, own_words),
            price: first(&html, &PRICE, value_of).or_else(|| first(&html, &HEADER_PRICE, value_of)),
            labels: html.select(&LABEL).map(value_of).collect(),
            rows: html.select(&ROW).filter_map(row).collect(),
        };
        signs().check(&html, shown.text.as_deref(), shown.title.is_some())?;
        let crumbs: Vec<String> = html
            .select(&CRUMB)
            .filter_map(|name| present(&value_of(name)))
            .collect();
        let offer_at = crumbs.iter().position(|crumb| offer_type(crumb).is_some());
        Ok(Self {
            shown,
            offer: offer_at.and_then(|at| crumbs.get(at)).cloned(),
            places: offer_at
                .and_then(|at| crumbs.get(at + 1..))
                .unwrap_or_default()
                .to_vec(),
            pin: attribute(&html, &MAP, "data-gps"),
            map_place: attribute(&html, &MAP, "data-address"),
        })
    }
}

fn row(element: ElementRef) -> Option<Row> {
    let label = present(&value_of(element.select(&ROW_LABEL).next()?))?;
    Some(Row::new(
        &label,
        value_of(element.select(&ROW_VALUE).next()?),
    ))
}
