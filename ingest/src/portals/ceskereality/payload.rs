//! The parts of a detail page that are read.

use czech::text::present;
use scraper::{ElementRef, Html};
use serde_json::{Deserializer, Value};

use crate::notation::markup::{selectors, text_of, value_of};
use crate::pages::attribute_list::{Row, row_value};
use crate::pages::detail_page::{
    DetailPageMarkers, attribute, first, listing_url, own_url, own_words,
};
use crate::pages::html::parse_html;
use crate::pages::page_content::PageContent;
use crate::reading::PayloadError;

use super::labels::PRICE;

/// The parts of a detail page that describe its listing.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The parts that all portals' pages have.
    pub content: PageContent,
    /// Segments of the page's path: kind of offer, section, finer section, town, name.
    pub path: Vec<String>,
    /// `Ostrov (okres Karlovy Vary)`.
    pub town: Option<String>,
    /// `Prodej bytu 2+1, 59 m², Ostrov, ulice Májová, okres Karlovy Vary`: the browser's title.
    pub browser_title: Option<String>,
    /// Latitude and longitude of the map, as written.
    pub pin: Option<(String, String)>,
    /// Whether the portal marks the property as abroad.
    pub is_abroad: bool,
}

selectors! {
    TITLE = "h1.s-estate-detail-intro__heading";
    PLACE = "h1 .s-estate-detail-intro__perex";
    PRICE_SHOWN = "h2.s-estate-detail-intro__price";
    BADGE = ".s-estate-detail-intro__badges .badge";
    TEXT = ".s-estate-content .entry-content";
    ROW = ".g-info .i-info";
    ROW_LABEL = ".i-info__title";
    ROW_VALUE = ".i-info__value";
    MAP = "#driving_calculator_from";
    BROWSER_TITLE = "head > title";
    SCRIPT = "script";
    CARD = "article.i-estate";
}

fn markers() -> DetailPageMarkers<'static> {
    DetailPageMarkers {
        kind: "ceskereality detail page",
        part: "h1.s-estate-detail-intro__heading",
        card: &CARD,
        ended: &[
            "nemovitost nebyla nalezena",
            "inzerat byl odstranen",
            "nabidka jiz neni aktivni",
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
        let rows: Vec<Row> = html.select(&ROW).filter_map(row).collect();
        let content = PageContent {
            url: listing_url(&html, url, "ceskereality"),
            title: first(&html, &TITLE, own_words),
            headline: None,
            text: first(&html, &TEXT, text_of),
            place: first(&html, &PLACE, value_of).or_else(|| attribute(&html, &MAP, "value")),
            price: row_value(&rows, PRICE)
                .map(str::to_owned)
                .or_else(|| first(&html, &PRICE_SHOWN, value_of)),
            labels: html.select(&BADGE).map(value_of).collect(),
            rows,
        };
        markers().check(&html, content.text.as_deref(), content.title.is_some())?;
        let path = own_url(&html).or_else(|| url.map(str::to_owned));
        Ok(Self {
            content,
            path: path.as_deref().map(segments).unwrap_or_default(),
            town: attribute(&html, &MAP, "data-city"),
            browser_title: first(&html, &BROWSER_TITLE, value_of),
            pin: attribute(&html, &MAP, "data-coord-lat").zip(attribute(
                &html,
                &MAP,
                "data-coord-lng",
            )),
            is_abroad: statistics_record(&html)
                .is_some_and(|facts| facts["zahranicni_nemovitost"] == 1),
        })
    }
}

/// Returns the segments of an address's path.
fn segments(address: &str) -> Vec<String> {
    let path = address
        .split_once("://")
        .and_then(|(_, rest)| rest.split_once('/'))
        .map(|(_, path)| path);
    path.into_iter()
        .flat_map(|path| path.split('/'))
        .filter_map(present)
        .collect()
}

/// Reads a label and the words of its value, without the link to a mortgage calculator.
fn row(element: ElementRef) -> Option<Row> {
    let label = present(&value_of(element.select(&ROW_LABEL).next()?))?;
    let value = element.select(&ROW_VALUE).next()?;
    Some(Row::new(
        &label,
        present(&own_words(value)).unwrap_or_else(|| value_of(value)),
    ))
}

/// Returns the listing's record that the page sends to its own statistics.
fn statistics_record(html: &Html) -> Option<Value> {
    html.select(&SCRIPT).find_map(|script| {
        let script = script.text().collect::<String>();
        let (_, rest) = script.split_once("dataLayer.push(")?;
        let facts = Deserializer::from_str(rest)
            .into_iter::<Value>()
            .next()?
            .ok()?;
        facts.get("id_nemovitosti").is_some().then_some(facts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_what_follows_the_host() {
        assert_eq!(
            segments("https://a.cz/prodej/byty//x-1.html"),
            ["prodej", "byty", "x-1.html"]
        );
        assert!(segments("a.cz").is_empty());
    }
}
