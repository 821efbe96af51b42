//! The parts of a detail page that are read.

use czech::fold;
use czech::text::present;
use scraper::Html;

use crate::notation::markup::{selectors, text_of, value_of};
use crate::pages::attribute_list::{Row, row_value};
use crate::pages::detail_page::{attribute, behind_label, first, listing_url, own_url, says};
use crate::pages::html::parse_html;
use crate::pages::page_content::PageContent;
use crate::reading::PayloadError;

use super::labels;
use super::map::Map;
use super::record::Record;

/// The parts of a detail page that describe its listing.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The parts that all portals' pages have.
    pub content: PageContent,
    /// The record that the page sends to its own statistics.
    pub record: Record,
    /// The map around the property.
    pub map: Option<Map>,
    /// The price that is struck out.
    pub former_price: Option<String>,
    /// What the advertiser adds to the price.
    pub note_on_price: Option<String>,
    /// Whether the page says that the map shows only the area.
    pub says_inexact: bool,
}

selectors! {
    CATEGORY = "meta[name='cXenseParse:qiw-reaCategory']";
    TITLE = "h1.b-detail__title";
    PLACE = "p.b-detail__info";
    PRICE = "p.b-detail__price > strong";
    PRICE_PARTS = ".items__item";
    FORMER_PRICE = "p.b-detail__price > del";
    HEADLINE = ".b-desc > h2";
    TEXT = ".b-desc > p";
    ROWS = ".b-definition-columns dl > dt, .b-definition-columns dl > dd";
    TICK = ".icon--check";
    CROSS = ".icon--cross, .icon--times, .icon--close";
    SCRIPT = "script:not([src])";
    MAP = "script[data-maptiler-json]";
    OVERLAY = "#overlayText";
    RESULTS = ".c-products__item";
}

/// Folded phrases of a page whose listing has ended.
const ENDED: [&str; 2] = [
    "nabidka jiz neni aktivni",
    "evidujeme nabidku jako neaktivni",
];

impl Page {
    /// Parses a page.
    ///
    /// # Errors
    /// Returns [`PayloadError`] if it is not a detail page, or if its listing has ended.
    pub(crate) fn parse(html: &str, url: Option<&str>) -> Result<Self, PayloadError> {
        let html = parse_html(html)?;
        let record = record(&html);
        let rows = rows(&html);
        let in_record = |name: &str| record.text(name).map(str::to_owned);
        let content = PageContent {
            url: listing_url(&html, url, "idnes"),
            title: first(&html, &TITLE, value_of).or_else(|| in_record("name")),
            headline: first(&html, &HEADLINE, value_of),
            text: texts(&html),
            place: first(&html, &PLACE, value_of),
            price: first(&html, &PRICE, value_of)
                .or_else(|| row_value(&rows, labels::PRICE).map(str::to_owned)),
            labels: in_record("labels").into_iter().collect(),
            rows,
        };
        let page = Self {
            content,
            record,
            note_on_price: behind_label(&html, &PRICE_PARTS, "poznamka k cene"),
            former_price: first(&html, &FORMER_PRICE, value_of),
            map: html
                .select(&MAP)
                .next()
                .map(|script| Map::parse(&script.text().collect::<String>())),
            says_inexact: html
                .select(&OVERLAY)
                .any(|note| fold(&value_of(note)).contains("nema presnou adresu")),
        };
        page.check(&html)?;
        Ok(page)
    }

    /// Returns the listing's id: the last part of its address, or else the id of the record.
    pub(crate) fn id(&self) -> Option<&str> {
        let in_address = self.content.url.as_deref().and_then(|url| {
            url.split(['/', '?', '#'])
                .rfind(|part| part.len() == 24 && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
        });
        in_address.or_else(|| self.record.text("id"))
    }

    fn check(&self, html: &Html) -> Result<(), PayloadError> {
        if says(html, &ENDED, self.content.text.as_deref()) {
            return Err(PayloadError::Gone {
                said: "the page says that the offer is inactive",
            });
        }
        if self.content.title.is_some() || self.record.text("id").is_some() {
            return Ok(());
        }
        if html.select(&RESULTS).next().is_some()
            || own_url(html).is_some_and(|url| url.contains("idnes.cz/s/"))
        {
            return Err(PayloadError::Gone {
                said: "a search page is shown in its place",
            });
        }
        Err(PayloadError::Missing {
            part: "h1.b-detail__title",
            kind: "idnes detail page",
        })
    }
}

/// Returns the paragraphs of the advert, with their line ends.
fn texts(html: &Html) -> Option<String> {
    let paragraphs: Vec<String> = html
        .select(&TEXT)
        .map(text_of)
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

/// Returns the rows in their order, without advertisements.
fn rows(html: &Html) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut label = None;
    for element in html.select(&ROWS) {
        if element.value().name() == "dt" {
            label = present(&value_of(element));
        } else if let Some(label) = label.take()
            && !element
                .value()
                .classes()
                .any(|class| class == "advertisement")
        {
            let ticked = element.select(&TICK).next().map(|_| true);
            let crossed = || element.select(&CROSS).next().map(|_| false);
            rows.push(Row {
                ticked: ticked.or_else(crossed),
                ..Row::new(&label, value_of(element))
            });
        }
    }
    rows
}

fn record(html: &Html) -> Record {
    let script = html
        .select(&SCRIPT)
        .map(|script| script.text().collect::<String>())
        .find(|text| text.contains("\"viewDetail\""));
    let mut record = script.map(|text| Record::parse(&text)).unwrap_or_default();
    if let Some(category) = attribute(html, &CATEGORY, "content") {
        record.add("category", &category);
    }
    record
}
