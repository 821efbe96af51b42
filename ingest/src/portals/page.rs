//! Detail pages: what the portals that deliver HTML have in common.

use czech::fold;
use czech::text::{clean, present};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use crate::notation::markup::{selectors, text_of};
use crate::reading::PayloadError;

use super::page_address::listing_at;

selectors! {
    CANONICAL = "link[rel=canonical]";
    OG_URL = "meta[property='og:url']";
    BODY = "body";
    JSON_LD = "script[type='application/ld+json']";
}

/// The page's HTML and, where the payload names it, its address. A payload is the page itself or `{"url": …, "html": …}`.
///
/// # Errors
/// The payload is neither.
pub fn page_in(payload: &Value) -> Result<(&str, Option<&str>), PayloadError> {
    let found = match payload {
        Value::String(html) => Some((html.as_str(), None)),
        Value::Object(parts) => parts
            .get("html")
            .and_then(Value::as_str)
            .map(|html| (html, parts.get("url").and_then(Value::as_str))),
        _ => None,
    };
    found.ok_or_else(|| {
        PayloadError::shape(
            "a text with the detail page's HTML, or an object with html",
            payload,
        )
    })
}

/// The address that the page gives as its own.
pub fn own_address(html: &Html) -> Option<String> {
    attribute(html, &CANONICAL, "href").or_else(|| attribute(html, &OG_URL, "content"))
}

/// The address of the listing's page: the given one, else the page's own; `None` where it leads to no listing of the
/// portal.
pub fn listing_address(html: &Html, given: Option<&str>, site_id: &str) -> Option<String> {
    given
        .map(str::to_owned)
        .or_else(|| own_address(html))
        .filter(|address| listing_at(address).is_some_and(|listing| listing.site_id == site_id))
}

/// What is read of the first such element, `None` where that is blank.
pub fn first(html: &Html, selector: &Selector, read: fn(ElementRef) -> String) -> Option<String> {
    html.select(selector)
        .next()
        .map(read)
        .filter(|text| !text.trim().is_empty())
}

/// What stands in the element itself, without what is in elements of their own.
pub fn own_words(element: ElementRef) -> String {
    let words = element
        .children()
        .filter_map(|child| child.value().as_text());
    clean(&words.map(|text| &**text).collect::<String>())
}

/// An attribute of the first such element, `None` where it is blank.
pub fn attribute(html: &Html, selector: &Selector, name: &str) -> Option<String> {
    html.select(selector)
        .next()
        .and_then(|element| element.value().attr(name))
        .and_then(present)
}

/// Whether the page says one of these words, which are folded, outside the advert's own text.
pub fn says(html: &Html, words: &[&str], own_text: Option<&str>) -> bool {
    let own_text = fold(own_text.unwrap_or_default());
    let shown = html
        .select(&BODY)
        .next()
        .map(|body| fold(&text_of(body)))
        .unwrap_or_default();
    words
        .iter()
        .any(|words| shown.contains(words) && !own_text.contains(words))
}

/// What tells a portal's detail pages from its other pages.
#[derive(Debug, Clone, Copy)]
pub struct Signs<'a> {
    /// What a detail page of the portal is called.
    pub kind: &'static str,
    /// What every one of them carries.
    pub part: &'static str,
    /// An item of a list, which stands in the place of a listing that has ended.
    pub card: &'a Selector,
    /// The words of a page whose listing has ended, folded.
    pub ended: &'a [&'a str],
}

impl Signs<'_> {
    /// Makes sure that a page is the detail page of a listing that has not ended, from the advert's text and whether
    /// the page has the part that every detail page carries.
    ///
    /// # Errors
    /// It is no detail page, or one whose listing has ended.
    pub fn check(
        &self,
        html: &Html,
        text: Option<&str>,
        has_part: bool,
    ) -> Result<(), PayloadError> {
        if says(html, self.ended, text) {
            Err(PayloadError::Gone {
                said: "the page says that the listing has ended",
            })
        } else if has_part {
            Ok(())
        } else if html.select(self.card).next().is_some() {
            Err(PayloadError::Gone {
                said: "a list stands in its place",
            })
        } else {
            Err(PayloadError::Missing {
                part: self.part,
                kind: self.kind,
            })
        }
    }
}

/// The page's schema.org records of a type, those of them that are JSON.
pub fn linked_data(html: &Html, kind: &str) -> Vec<Value> {
    html.select(&JSON_LD)
        .filter_map(|script| serde_json::from_str(&script.text().collect::<String>()).ok())
        .filter(|record: &Value| record.get("@type").and_then(Value::as_str) == Some(kind))
        .collect()
}

/// The advertiser's headline, unless it is the title, and the text below it, as the page shows them.
pub fn description(
    title: Option<&str>,
    headline: Option<&str>,
    text: Option<&str>,
) -> Option<String> {
    let headline = headline.filter(|headline| title != Some(*headline));
    match (headline, text) {
        (Some(headline), Some(text)) => Some(format!("{headline}\n\n{text}")),
        (headline, text) => text.or(headline).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_data_that_is_no_json_does_not_hide_the_rest() {
        let html = Html::parse_document(
            r#"<script type="application/ld+json">{"@type": "Product",}</script>
               <script type="application/ld+json">{"@type": "Product", "name": "b"}</script>
               <script type="application/ld+json">{"@type": "Other"}</script>"#,
        );
        let records = linked_data(&html, "Product");
        assert_eq!(records.len(), 1);
        assert_eq!(records[0]["name"], "b");
    }

    #[test]
    fn a_headline_that_repeats_the_title_is_said_once() {
        assert_eq!(
            description(Some("a"), Some("a"), Some("text")).as_deref(),
            Some("text")
        );
        assert_eq!(
            description(Some("a"), Some("b"), Some("text")).as_deref(),
            Some("b\n\ntext")
        );
        assert_eq!(
            description(Some("a"), Some("b"), None).as_deref(),
            Some("b")
        );
        assert_eq!(description(Some("a"), None, None), None);
    }

    #[test]
    fn an_address_of_another_page_is_none() {
        let html = Html::parse_document(
            r#"<link rel="canonical" href="https://reality.idnes.cz/s/prodej/">"#,
        );
        assert_eq!(listing_address(&html, None, "idnes"), None);
        let given = "https://realitymix.cz/detail/praha/prodej-bytu-8123456.html";
        assert_eq!(
            listing_address(&html, Some(given), "realitymix").as_deref(),
            Some(given)
        );
        assert_eq!(listing_address(&html, Some(given), "remax"), None);
    }
}
