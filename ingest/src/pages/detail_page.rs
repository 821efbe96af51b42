//! Detail pages: what all portals that deliver HTML have in common.

use czech::fold;
use czech::text::{clean, present};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use crate::notation::markup::{selectors, text_of, value_of};
use crate::reading::PayloadError;

use super::page_url::listing_at;

selectors! {
    CANONICAL = "link[rel=canonical]";
    OG_URL = "meta[property='og:url']";
    BODY = "body";
    JSON_LD = "script[type='application/ld+json']";
}

/// Returns the HTML and the address of a payload that is a page: the HTML itself, or `{"url": …, "html": …}`.
pub(crate) fn page_in(payload: &Value) -> Option<(&str, Option<&str>)> {
    match payload {
        Value::String(html) => Some((html, None)),
        Value::Object(parts) => parts
            .get("html")
            .and_then(Value::as_str)
            .map(|html| (html, parts.get("url").and_then(Value::as_str))),
        _ => None,
    }
}

/// Returns the HTML and the address of a payload that must be a page.
///
/// # Errors
/// Returns [`PayloadError::Shape`] for any other payload.
pub(crate) fn page_payload(payload: &Value) -> Result<(&str, Option<&str>), PayloadError> {
    page_in(payload).ok_or_else(|| {
        PayloadError::shape(
            "a text with the detail page's HTML, or an object with html",
            payload,
        )
    })
}

/// Returns the address that the page names as its own.
pub(crate) fn own_url(html: &Html) -> Option<String> {
    attribute(html, &CANONICAL, "href").or_else(|| attribute(html, &OG_URL, "content"))
}

/// Returns the URL of the listing's page: the given one, or else the page's own. Returns `None` if it does not
/// lead to a listing of the portal.
pub(crate) fn listing_url(html: &Html, given: Option<&str>, site_id: &str) -> Option<String> {
    given
        .map(str::to_owned)
        .or_else(|| own_url(html))
        .filter(|url| listing_at(url).is_some_and(|listing| listing.site_id == site_id))
}

/// Applies `read` to the first matching element, and returns the result unless it is blank.
pub(crate) fn first(
    html: &Html,
    selector: &Selector,
    read: fn(ElementRef) -> String,
) -> Option<String> {
    html.select(selector)
        .next()
        .map(read)
        .filter(|text| !text.trim().is_empty())
}

/// Returns the text of the matching element behind the one with this folded label, unless it is blank.
pub(crate) fn behind_label(html: &Html, selector: &Selector, label: &str) -> Option<String> {
    let mut texts = html.select(selector).map(value_of);
    texts.find(|text| fold(text).trim_end_matches(':') == label)?;
    present(&texts.next()?)
}

/// Returns the text of an element without the text of its child elements.
pub(crate) fn own_words(element: ElementRef) -> String {
    let words = element
        .children()
        .filter_map(|child| child.value().as_text());
    clean(&words.map(|text| &**text).collect::<String>())
}

/// Returns an attribute of the first matching element, unless it is blank.
pub(crate) fn attribute(html: &Html, selector: &Selector, name: &str) -> Option<String> {
    html.select(selector)
        .next()
        .and_then(|element| element.value().attr(name))
        .and_then(present)
}

/// Tells whether the page says one of these folded phrases outside the advert's own text.
pub(crate) fn says(html: &Html, words: &[&str], own_text: Option<&str>) -> bool {
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

/// How to tell a portal's detail pages from its other pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DetailPageMarkers<'a> {
    /// The name of such a page in errors.
    pub kind: &'static str,
    /// The part that every detail page has, for errors.
    pub part: &'static str,
    /// A card of a list. The portal answers with a list when a listing has ended.
    pub card: &'a Selector,
    /// Folded phrases of a page whose listing has ended.
    pub ended: &'a [&'a str],
}

impl DetailPageMarkers<'_> {
    /// Checks that a page is the detail page of a listing that has not ended. `text` is the advert's own text, and
    /// `has_part` tells whether the page has the part that every detail page has.
    ///
    /// # Errors
    /// Returns [`PayloadError::Gone`] if the listing has ended, and [`PayloadError::Missing`] for any other page.
    pub(crate) fn check(
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
                said: "a list is shown in its place",
            })
        } else {
            Err(PayloadError::Missing {
                part: self.part,
                kind: self.kind,
            })
        }
    }
}

/// Returns the page's schema.org records (JSON-LD) of a type. Records that are not valid JSON are skipped.
pub(crate) fn json_ld_records(html: &Html, kind: &str) -> Vec<Value> {
    html.select(&JSON_LD)
        .filter_map(|script| serde_json::from_str(&script.text().collect::<String>()).ok())
        .filter(|record: &Value| record.get("@type").and_then(Value::as_str) == Some(kind))
        .collect()
}

/// Joins the advertiser's headline and text as the page shows them. A headline that repeats the title is left out.
pub(crate) fn description(
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
    fn invalid_json_ld_does_not_hide_other_records() {
        let html = Html::parse_document(
            r#"<script type="application/ld+json">{"@type": "Product",}</script>
               <script type="application/ld+json">{"@type": "Product", "name": "b"}</script>
               <script type="application/ld+json">{"@type": "Other"}</script>"#,
        );
        let records = json_ld_records(&html, "Product");
        assert_eq!(records.len(), 1);
        assert_eq!(records[0]["name"], "b");
    }

    #[test]
    fn a_headline_that_repeats_the_title_is_left_out() {
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
    fn an_address_of_another_page_is_not_returned() {
        let html = Html::parse_document(
            r#"<link rel="canonical" href="https://reality.idnes.cz/s/prodej/">"#,
        );
        assert_eq!(listing_url(&html, None, "idnes"), None);
        let given = "https://realitymix.cz/detail/praha/prodej-bytu-8123456.html";
        assert_eq!(
            listing_url(&html, Some(given), "realitymix").as_deref(),
            Some(given)
        );
        assert_eq!(listing_url(&html, Some(given), "remax"), None);
    }
}
