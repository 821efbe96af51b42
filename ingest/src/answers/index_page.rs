//! Index pages of HTML portals: from the cards on a page to the adverts of a section.
//!
//! Each portal describes its index pages as one [`IndexLayout`]. How a page is read is the same for all of them.

use std::collections::HashSet;

use schema::{CrawlScope, OfferType, PropertyType};
use scraper::{ElementRef, Html, Selector};

use super::index_layout::StaticSelector;
use super::{html, page_detail, unexpected, without};
use crate::crawl_definition::{
    Answer, Detail, IndexEntry, IndexPage, Request, Section, UnexpectedAnswer,
};
use crate::notation::markup::value_of;
use crate::pages::detail_page::own_url;
use crate::pages::listing_at;
use crate::reading::ReadPayload;

pub use super::index_layout::{Card, Cards, Counted, IndexLayout, NextPage, Numbering};

impl IndexLayout {
    /// The request for a page of a section.
    pub fn request(&self, section: &Section, page: u32) -> Request {
        let Numbering {
            before,
            second,
            step,
            after,
        } = self.numbering;
        let number = match page.checked_sub(1) {
            None => String::new(),
            Some(further) => format!("{before}{}{after}", second + step * u64::from(further)),
        };
        get(format!("{}{}{number}", self.host, section.query))
    }

    /// Reads a page of a section.
    ///
    /// # Errors
    /// The answer is not an index page, or its layout has changed.
    pub fn read_page(
        &self,
        section: &Section,
        page: u32,
        answer: &Answer,
    ) -> Result<IndexPage, UnexpectedAnswer> {
        let missing = |part: &str| without(answer, part, self.expected);
        let Some(html) = index_html(answer, page, self.expected)? else {
            return Ok(IndexPage::END);
        };
        if page > 0 && (self.past_end)(&html) {
            return Ok(IndexPage::END);
        }
        for (selector, name) in self.required {
            if html.select(selector).next().is_none() {
                return Err(missing(name));
            }
        }
        let cards = self.cards.read_cards(&html);
        let has_cards = !cards.is_empty();
        let entries = index_entries(self.site_id, cards, answer, self.expected)?;
        let count = (self.count)(&html);
        let total = match self.counted {
            Counted::Always => Some(count.ok_or_else(|| missing(COUNT))?),
            Counted::WithCards if has_cards => Some(count.ok_or_else(|| missing(COUNT))?),
            Counted::WithCards => Some(count.unwrap_or_default()),
            Counted::Sometimes => count,
        };
        if entries.is_empty() {
            // What the pages before this one have shown, if every page is equally long.
            let shown_before = u64::from(page) * self.next.length().unwrap_or_default();
            return if total.is_some_and(|total| total > shown_before) {
                Err(missing("the cards it counts"))
            } else if (self.is_empty)(&html, section) {
                Ok(IndexPage {
                    total,
                    ..IndexPage::END
                })
            } else {
                Err(missing("cards"))
            };
        }
        let counted_more = |length| total.is_some_and(|total| more_follow(total, page, length));
        let more = match &self.next {
            NextPage::ByCount { length } => counted_more(*length),
            NextPage::Link(link) => html.select(link).next().is_some(),
            NextPage::Arrow {
                arrow,
                disabled,
                length,
            } => match html.select(arrow).next() {
                Some(arrow) => !arrow.value().classes().any(|class| class == *disabled),
                None if counted_more(*length) => {
                    return Err(missing("an arrow to the next page"));
                }
                None => false,
            },
        };
        Ok(IndexPage {
            entries,
            total,
            more,
        })
    }
}

/// The name of a section's count in errors.
const COUNT: &str = "the count of the list";

impl Cards {
    fn read_cards(&self, html: &Html) -> Vec<Card> {
        match self {
            Self::Selected { card, link, parts } => html
                .select(card)
                .map(|card| selected_card(card, link, parts))
                .collect(),
            Self::Read { card, read } => html.select(card).map(read).collect(),
        }
    }
}

fn selected_card(card: ElementRef, link: &Selector, parts: &[StaticSelector]) -> Card {
    let text = |part: &StaticSelector| card.select(part).next().map(value_of).unwrap_or_default();
    let address = card
        .select(link)
        .next()
        .and_then(|link| link.value().attr("href"));
    Card {
        address: address.unwrap_or_default().to_owned(),
        parts: parts.iter().map(text).collect(),
    }
}

/// One section for each kind of offer and property, given the portal's words for them; `path` makes its query.
pub fn sections_by_kind(
    offers: &[(&str, OfferType)],
    properties: &[(&str, PropertyType)],
    path: fn(offer: &str, property: &str) -> String,
) -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, offer_type) in offers {
        for (property, property_type) in properties {
            sections.push(Section {
                name: format!("{offer}-{property}"),
                scope: CrawlScope {
                    offer_type: Some(*offer_type),
                    property_type: Some(*property_type),
                },
                query: path(offer, property),
            });
        }
    }
    sections
}

/// A GET request.
pub fn get(url: String) -> Request {
    Request { url, body: None }
}

/// The request for the page of one advert, if its address is known.
pub fn get_detail(asked: &[IndexEntry]) -> Option<Request> {
    asked
        .first()
        .filter(|entry| !entry.url.is_empty())
        .map(|entry| get(entry.url.clone()))
}

/// The HTML of an index page. `None` if the answer says that the section has ended before this page, which happens if
/// adverts go while the section is walked.
///
/// # Errors
/// Any other answer, including the page of one advert.
fn index_html(
    answer: &Answer,
    page: u32,
    expected: &'static str,
) -> Result<Option<Html>, UnexpectedAnswer> {
    if page > 0 && answer.status == 404 {
        return Ok(None);
    }
    let html = Html::parse_document(html(answer, expected)?);
    if own_url(&html).as_deref().and_then(listing_at).is_some() {
        return Err(UnexpectedAnswer {
            url: answer.url.clone(),
            found: "the page of one advert".to_owned(),
            expected,
        });
    }
    Ok(Some(html))
}

/// Among this many cards, each part is filled in at least once.
const CARDS_WITH_EVERY_PART: usize = 5;

/// The adverts of the cards, each once. Cards of other portals and cards that lead to no advert are left out.
///
/// # Errors
/// No card leads to an advert, or a part is empty on all of at least [`CARDS_WITH_EVERY_PART`] cards.
fn index_entries(
    site_id: &str,
    cards: Vec<Card>,
    answer: &Answer,
    expected: &'static str,
) -> Result<Vec<IndexEntry>, UnexpectedAnswer> {
    let has_cards = !cards.is_empty();
    let parts = cards.first().map_or(0, |card| card.parts.len());
    let is_filled = |part: usize| {
        cards
            .iter()
            .any(|card| card.parts.get(part).is_some_and(|text| !text.is_empty()))
    };
    if cards.len() >= CARDS_WITH_EVERY_PART && !(0..parts).all(is_filled) {
        return Err(without(answer, "a card with title and price", expected));
    }
    let mut numbers = HashSet::new();
    let mut entries = Vec::new();
    for card in cards {
        let url = resolve_link(&card.address, &answer.url);
        let Some(listing) = listing_at(&url).filter(|listing| listing.site_id == site_id) else {
            continue;
        };
        if numbers.insert(listing.offer_id.clone()) {
            entries.push(IndexEntry {
                offer_id: listing.offer_id,
                url,
                teaser: card.parts.join(" | "),
                payload: None,
            });
        }
    }
    if has_cards && entries.is_empty() {
        return Err(without(answer, "a card that leads to an advert", expected));
    }
    Ok(entries)
}

/// Reads the answer to a request for the page of one advert.
///
/// A redirect means that the advert is gone only if it leads to an index page, which `is_index` recognises by the path.
/// A redirect to anything else says nothing about the advert: bot checks and consent pages redirect too, often to the
/// front page.
///
/// # Errors
/// Any other answer.
pub fn read_detail(
    (site_id, read): (&str, ReadPayload),
    is_index: fn(&str) -> bool,
    asked: &[IndexEntry],
    answer: &Answer,
) -> Result<Vec<Detail>, UnexpectedAnswer> {
    const EXPECTED: &str = "the page of one advert, or a list in its place";
    let leads_to_advert = listing_at(&answer.url).is_some_and(|listing| listing.site_id == site_id);
    let leads_to_front = url_path(&answer.url).is_some_and(|path| matches!(path, "" | "/"));
    let leads_to_index = !leads_to_front && url_path(&answer.url).is_some_and(is_index);
    let says_nothing = answer.status == 200 && !leads_to_advert && !leads_to_index;
    if leads_to_front || says_nothing {
        return Err(unexpected(answer, EXPECTED));
    }
    page_detail(site_id, read, asked, answer)
}

/// Splits a URL into scheme with host, and path with query.
fn split_url(url: &str) -> Option<(&str, &str)> {
    let host = url.find("://")? + "://".len();
    let slash = url
        .get(host..)?
        .find('/')
        .map_or(url.len(), |slash| host + slash);
    url.split_at_checked(slash)
}

/// The path of a URL, without its query.
fn url_path(url: &str) -> Option<&str> {
    split_url(url)?.1.split(['?', '#']).next()
}

/// The absolute form of a link on the page at `base`. Links are absolute or start at the root of the host.
fn resolve_link(link: &str, base: &str) -> String {
    match split_url(base) {
        Some((host, _)) if link.starts_with('/') && !link.starts_with("//") => {
            format!("{host}{link}")
        }
        _ => link.to_owned(),
    }
}

/// The number that follows these words: 8928 in `výsledky 1-20 z celkem 8928 nalezených`. Digits may be grouped.
pub fn number_after(text: &str, words: &str) -> Option<u64> {
    let (_, rest) = text.split_once(words)?;
    let run = rest
        .trim_start()
        .split(|c: char| !c.is_ascii_digit() && !c.is_whitespace())
        .next()?;
    let digits: String = run.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether adverts follow after this page (from 0), if every page has `length` of them.
pub fn more_follow(total: u64, page: u32, length: u64) -> bool {
    (u64::from(page) + 1).saturating_mul(length) < total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_grouped_or_not() {
        assert_eq!(
            number_after("výsledky 1-20 z celkem 8928 nalezených", "z celkem"),
            Some(8928)
        );
        assert_eq!(number_after("z celkem 6\u{a0}124", "z celkem"), Some(6124));
        assert_eq!(
            number_after("24549 bytů na prodej. Tento týden 2020 nových", ""),
            Some(24549)
        );
        assert_eq!(number_after("Prodej bytů", ""), None);
        assert_eq!(number_after("nic", "z celkem"), None);
    }

    #[test]
    fn links_become_absolute() {
        let base = "https://www.ceskereality.cz/prodej/byty/?strana=2";
        assert_eq!(
            resolve_link("/n/7", base),
            "https://www.ceskereality.cz/n/7"
        );
        assert_eq!(resolve_link("https://a.cz/n/7", base), "https://a.cz/n/7");
        assert_eq!(resolve_link("/n/7", "https://a.cz"), "https://a.cz/n/7");
        assert_eq!(resolve_link("x", "nonsense"), "x");
        assert_eq!(url_path(base), Some("/prodej/byty/"));
    }

    #[test]
    fn nothing_follows_the_last_page() {
        assert!(more_follow(41, 1, 20));
        assert!(!more_follow(40, 1, 20));
        assert!(!more_follow(u64::MAX, u32::MAX, u64::MAX));
    }
}
