//! The parts of a detail page that are read.

use czech::text::present;
use scraper::{ElementRef, Html};
use serde_json::Value;

use crate::notation::markup::{selectors, text_of, value_of};
use crate::notation::offer::offer_type;
use crate::pages::attribute_list::Row;
use crate::pages::detail_page::{
    DetailPageMarkers, attribute, first, json_ld_records, listing_url,
};
use crate::pages::html::parse_html;
use crate::pages::page_content::PageContent;
use crate::reading::PayloadError;

/// The parts of a detail page that describe its listing.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The parts that all portals' pages have.
    pub content: PageContent,
    /// The breadcrumb.
    pub trail: Trail,
    /// Latitude and longitude of the map, as written on the page.
    pub pin: Option<(String, String)>,
    /// The municipality or quarter that the contact form names.
    pub form_place: Option<String>,
}

/// What the breadcrumb names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    /// `Byty`.
    pub section: Option<String>,
    /// `Prodej`.
    pub offer: Option<String>,
    /// `2+1`: the part of the paths between section and offer.
    pub finer: Option<String>,
    /// Kraj, okres, municipality and quarter, as far as the breadcrumb goes.
    pub places: Vec<String>,
}

selectors! {
    TITLE = "h1.advert-detail-heading__title";
    PLACE = "p.advert-detail-heading__address";
    PRICE = ".advert-detail-heading__price-value";
    PRICE_FOR = ".advert-detail-heading__price-type";
    PRICE_ROW = "tr.advert-description__short-props-price > td:last-child";
    HEADLINE = ".advert-description__text > h2";
    TEXT = ".advert-description__text-inner-inner";
    ROW = "li.detail-information__data-item, .advert-description__short-props tr";
    CELL = "span, td";
    PRINT_MAP = "#print-map";
    MAP = "#map";
    FORM = "[data-form-address]";
    CARD = ".advert-item";
}

fn markers() -> DetailPageMarkers<'static> {
    DetailPageMarkers {
        kind: "realitymix detail page",
        part: "h1.advert-detail-heading__title",
        card: &CARD,
        ended: &[
            "nabidka nebyla nalezena",
            "nabidka jiz neexistuje",
            "nabidka jiz neni aktivni",
            "inzerat byl odstranen",
            "tato stranka neexistuje",
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
            url: listing_url(&html, url, "realitymix"),
            title: first(&html, &TITLE, value_of),
            headline: first(&html, &HEADLINE, value_of),
            text: first(&html, &TEXT, text_of),
            place: first(&html, &PLACE, value_of),
            price: price(&html),
            labels: Vec::new(),
            rows: html.select(&ROW).filter_map(row).collect(),
        };
        markers().check(&html, content.text.as_deref(), content.title.is_some())?;
        Ok(Self {
            content,
            trail: json_ld_records(&html, "BreadcrumbList")
                .first()
                .map(Trail::from_breadcrumb)
                .unwrap_or_default(),
            pin: pin(&html),
            form_place: attribute(&html, &FORM, "data-form-address"),
        })
    }
}

/// Returns the coordinates. A page without a gallery has only the map at its end.
fn pin(html: &Html) -> Option<(String, String)> {
    [&PRINT_MAP, &MAP].into_iter().find_map(|map| {
        let latitude = attribute(html, map, "data-gps-lat")?;
        Some((latitude, attribute(html, map, "data-gps-lon")?))
    })
}

/// Returns the price with its unit: `20 000 Kč (za měsíc)`.
fn price(html: &Html) -> Option<String> {
    let Some(price) = first(html, &PRICE, value_of) else {
        return first(html, &PRICE_ROW, value_of);
    };
    Some(match first(html, &PRICE_FOR, value_of) {
        Some(per) => format!("{price} {per}"),
        None => price,
    })
}

/// Reads a label and a value. Further cells of the row are not part of them.
fn row(element: ElementRef) -> Option<Row> {
    let mut cells = element
        .select(&CELL)
        .filter(|cell| cell.parent() == Some(*element));
    let label = present(&value_of(cells.next()?))?;
    Some(Row::new(&label, value_of(cells.next()?)))
}

impl Trail {
    fn from_breadcrumb(breadcrumb: &Value) -> Self {
        let mut trail = Self::default();
        let items = breadcrumb.get("itemListElement").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            let text = |name: &str| item.get("item")?.get(name)?.as_str();
            if let (Some(path), Some(name)) = (text("@id"), text("name").and_then(present)) {
                trail.add(path, name);
            }
        }
        trail
    }

    /// Adds the name of a crumb. Its path tells what the name is.
    fn add(&mut self, path: &str, name: String) {
        let Some((_, path)) = path.split_once("/reality/") else {
            return;
        };
        let path: Vec<&str> = path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .collect();
        let offer_at = path
            .iter()
            .position(|segment| offer_type(segment).is_some());
        match (path.len(), offer_at) {
            (1, None) => self.section = Some(name),
            (2, Some(1)) => self.offer = Some(name),
            (3, Some(2)) => self.finer = Some(name),
            (_, Some(_)) => self.places.push(name),
            (_, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn crumb(path: &str, name: &str) -> Value {
        json!({"item": {"@id": format!("https://realitymix.cz/{path}"), "name": name}})
    }

    #[test]
    fn the_path_of_a_crumb_tells_what_its_name_is() {
        let breadcrumb = json!({"itemListElement": [
            crumb("", "RealityMix"),
            crumb("reality/byty", "Byty"),
            crumb("reality/byty/prodej", "Prodej"),
            crumb("reality/byty/3+1/prodej", "3+1"),
            crumb("reality/byty/3+1/prodej/ustecky", "Ústecký kraj"),
            crumb("reality/byty/3+1/prodej/ustecky/decin", "Děčín"),
            {"item": null},
            7,
        ]});
        let expected = Trail {
            section: Some("Byty".to_owned()),
            offer: Some("Prodej".to_owned()),
            finer: Some("3+1".to_owned()),
            places: vec!["Ústecký kraj".to_owned(), "Děčín".to_owned()],
        };
        assert_eq!(Trail::from_breadcrumb(&breadcrumb), expected);
        assert_eq!(
            Trail::from_breadcrumb(&json!({"itemListElement": [crumb("reality/byty", "Byty")]}))
                .offer,
            None
        );
    }
}
