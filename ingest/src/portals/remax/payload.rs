//! The parts of a detail page that are read.

use czech::text::present;
use scraper::ElementRef;

use crate::notation::markup::{selectors, text_of, value_of};
use crate::notation::offer::offer_type;
use crate::pages::attribute_list::Row;
use crate::pages::detail_page::{
    DetailPageMarkers, attribute, behind_label, first, listing_url, own_words,
};
use crate::pages::html::parse_html;
use crate::pages::page_content::PageContent;
use crate::reading::PayloadError;

/// The parts of a detail page that describe its listing.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The parts that all portals' pages have.
    pub content: PageContent,
    /// The breadcrumb's kind of offer.
    pub offer: Option<String>,
    /// The breadcrumb's places, beginning with the kraj.
    pub places: Vec<String>,
    /// What the advertiser adds to the price.
    pub note_on_price: Option<String>,
    /// Latitude and longitude of the map, as written on the page.
    pub pin: Option<String>,
    /// `Street, Quarter, City, okres District` of the map.
    pub map_place: Option<String>,
}

selectors! {
    TITLE = "h1.pd-header__title";
    PLACE = "h2.pd-header__address";
    PRICE = ".pd-table__value--price";
    PRICE_PARTS = ".pd-table__label, .pd-table__value";
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

fn markers() -> DetailPageMarkers<'static> {
    DetailPageMarkers {
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
    /// Parses a page.
    ///
    /// # Errors
    /// Returns [`PayloadError`] if it is not a detail page, or if its listing has ended.
    pub(crate) fn parse(html: &str, url: Option<&str>) -> Result<Self, PayloadError> {
        let html = parse_html(html)?;
        let content = PageContent {
            url: listing_url(&html, url, "remax"),
            title: first(&html, &TITLE, own_words),
            headline: first(&html, &HEADLINE, value_of),
            text: first(&html, &TEXT, text_of),
            place: first(&html, &PLACE, own_words),
            price: first(&html, &PRICE, value_of).or_else(|| first(&html, &HEADER_PRICE, value_of)),
            labels: html.select(&LABEL).map(value_of).collect(),
            rows: html.select(&ROW).filter_map(row).collect(),
        };
        markers().check(&html, content.text.as_deref(), content.title.is_some())?;
        let crumbs: Vec<String> = html
            .select(&CRUMB)
            .filter_map(|name| present(&value_of(name)))
            .collect();
        let offer_at = crumbs.iter().position(|crumb| offer_type(crumb).is_some());
        Ok(Self {
            content,
            offer: offer_at.and_then(|at| crumbs.get(at)).cloned(),
            places: offer_at
                .and_then(|at| crumbs.get(at + 1..))
                .unwrap_or_default()
                .to_vec(),
            note_on_price: behind_label(&html, &PRICE_PARTS, "poznamka k cene"),
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
