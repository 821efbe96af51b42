//! Lists of portals of pages: from the cards on a page of a list to the adverts in it.

use std::collections::HashSet;

use schema::{CrawlScope, OfferType, PropertyType};
use scraper::{ElementRef, Html, Selector};

use crate::crawl::{Answer, Detail, IndexEntry, Request, Section, Unexpected};
use crate::notation::markup::value_of;

use super::{html, page_detail, unexpected, without};
use crate::pages::detail_page::own_address;
use crate::pages::listing_at;
use crate::reading::ReadPayload;

/// What the page of one advert is.
const DETAIL: &str = "the page of one advert, or a list in its place";

/// What a card of a list says of its advert.
#[derive(Debug, Default)]
pub struct Card {
    /// Where its page is, as the link has it.
    pub address: String,
    /// Title, place, price: what would be said otherwise if the advert had changed. Each card of a portal says the same
    /// parts in the same order, blank where it has none.
    pub said: Vec<String>,
}

/// The cards of a list: each leads where its link does, and says what stands in its parts.
pub fn cards(html: &Html, cards: &Selector, link: &Selector, parts: &[&Selector]) -> Vec<Card> {
    let card = |card: ElementRef| {
        let said = |part: &&Selector| card.select(part).next().map(value_of).unwrap_or_default();
        let address = card
            .select(link)
            .next()
            .and_then(|link| link.value().attr("href"));
        Card {
            address: address.unwrap_or_default().to_owned(),
            said: parts.iter().map(said).collect(),
        }
    };
    html.select(cards).map(card).collect()
}

/// One list for each kind of offer and of property, of which the portal has these words; `path` is its address.
pub fn sections_of(
    offers: &[(&str, OfferType)],
    kinds: &[(&str, PropertyType)],
    path: fn(offer: &str, kind: &str) -> String,
) -> Vec<Section> {
    let section = |(offer, offer_type): (&str, OfferType),
                   (kind, property_type): (&str, PropertyType)| Section {
        name: format!("{offer}-{kind}"),
        scope: CrawlScope {
            offer_type: Some(offer_type),
            property_type: Some(property_type),
        },
        query: path(offer, kind),
    };
    offers
        .iter()
        .flat_map(|offer| kinds.iter().map(move |kind| section(*offer, *kind)))
        .collect()
}

/// Asks for a page.
pub fn get(url: String) -> Request {
    Request { url, body: None }
}

/// Asks for the page of the one advert that is asked for, where its address is known.
pub fn get_detail(asked: &[IndexEntry]) -> Option<Request> {
    asked
        .first()
        .filter(|entry| !entry.url.is_empty())
        .map(|entry| get(entry.url.clone()))
}

/// The page in an answer of 200; `None` where the answer says that the list has ended before this page, which happens
/// when adverts go while it is walked.
///
/// # Errors
/// Any other answer, the page of one advert among them.
pub fn page_of_list(
    answer: &Answer,
    page: u32,
    expected: &'static str,
) -> Result<Option<Html>, Unexpected> {
    if page > 0 && answer.status == 404 {
        return Ok(None);
    }
    let html = Html::parse_document(html(answer, expected)?);
    if own_address(&html).as_deref().and_then(listing_at).is_some() {
        let found = "the page of one advert".to_owned();
        return Err(Unexpected {
            url: answer.url.clone(),
            found,
            expected,
        });
    }
    Ok(Some(html))
}

/// Of how many cards at least one says everything.
const CARDS_THAT_SAY_ALL: usize = 5;

/// The adverts of the cards, each once, however often it is shown. Cards of other portals and of no advert are left out.
///
/// # Errors
/// There are cards, and none of them leads to an advert; or so many that one of them must say what none says.
pub fn entries(
    site_id: &str,
    cards: Vec<Card>,
    answer: &Answer,
    expected: &'static str,
) -> Result<Vec<IndexEntry>, Unexpected> {
    let is_shown = !cards.is_empty();
    let parts = cards.first().map_or(0, |card| card.said.len());
    let is_said = |part: usize| {
        cards
            .iter()
            .any(|card| card.said.get(part).is_some_and(|said| !said.is_empty()))
    };
    if cards.len() >= CARDS_THAT_SAY_ALL && !(0..parts).all(is_said) {
        return Err(without(answer, "a card with title and price", expected));
    }
    let mut known = HashSet::new();
    let mut entries = Vec::new();
    for card in cards {
        let url = absolute(&card.address, &answer.url);
        let Some(listing) = listing_at(&url).filter(|listing| listing.site_id == site_id) else {
            continue;
        };
        if known.insert(listing.offer_id.clone()) {
            let teaser = card.said.join(" | ");
            entries.push(IndexEntry {
                offer_id: listing.offer_id,
                url,
                teaser,
                payload: None,
            });
        }
    }
    if is_shown && entries.is_empty() {
        return Err(without(answer, "a card that leads to an advert", expected));
    }
    Ok(entries)
}

/// The page of one advert, or that the advert is gone. A redirect says so only if it leads to a list (`is_list`, by
/// the path): one to anything else, such as a gate for programs, says nothing of the advert.
///
/// # Errors
/// Any other answer.
pub fn detail(
    (site_id, read): (&str, ReadPayload),
    is_list: fn(&str) -> bool,
    asked: &[IndexEntry],
    answer: &Answer,
) -> Result<Vec<Detail>, Unexpected> {
    let leads_to_advert = listing_at(&answer.url).is_some_and(|listing| listing.site_id == site_id);
    if answer.status == 200 && !leads_to_advert && !path_of(&answer.url).is_some_and(is_list) {
        return Err(unexpected(answer, DETAIL));
    }
    page_detail(site_id, read, asked, answer)
}

/// Host with scheme, and path with query, of an address.
fn parts_of(address: &str) -> Option<(&str, &str)> {
    let host = address.find("://")? + "://".len();
    let slash = address
        .get(host..)?
        .find('/')
        .map_or(address.len(), |slash| host + slash);
    address.split_at_checked(slash)
}

/// The path of an address, without its query.
fn path_of(address: &str) -> Option<&str> {
    parts_of(address)?.1.split(['?', '#']).next()
}

/// A link's address as it is meant on the page at `base`: whole, or from the root of the host.
fn absolute(link: &str, base: &str) -> String {
    match parts_of(base) {
        Some((host, _)) if link.starts_with('/') && !link.starts_with("//") => {
            format!("{host}{link}")
        }
        _ => link.to_owned(),
    }
}

/// The count that follows these words: `8928` in `výsledky 1-20 z celkem 8928 nalezených`. Digits may be grouped.
pub fn count_after(text: &str, words: &str) -> Option<u64> {
    let (_, rest) = text.split_once(words)?;
    let run = rest
        .trim_start()
        .split(|c: char| !c.is_ascii_digit() && !c.is_whitespace())
        .next()?;
    let digits: String = run.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether pages of this length, up to this one, leave some of the list out.
pub fn more_of(total: u64, page: u32, length: u64) -> bool {
    (u64::from(page) + 1).saturating_mul(length) < total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_grouped_or_not() {
        assert_eq!(
            count_after("výsledky 1-20 z celkem 8928 nalezených", "z celkem"),
            Some(8928)
        );
        assert_eq!(count_after("z celkem 6\u{a0}124", "z celkem"), Some(6124));
        assert_eq!(
            count_after("24549 bytů na prodej. Tento týden 2020 nových", ""),
            Some(24549)
        );
        assert_eq!(count_after("Prodej bytů", ""), None);
        assert_eq!(count_after("nic", "z celkem"), None);
    }

    #[test]
    fn links_are_whole_or_from_the_root() {
        let base = "https://www.ceskereality.cz/prodej/byty/?strana=2";
        assert_eq!(absolute("/n/7", base), "https://www.ceskereality.cz/n/7");
        assert_eq!(absolute("https://a.cz/n/7", base), "https://a.cz/n/7");
        assert_eq!(absolute("/n/7", "https://a.cz"), "https://a.cz/n/7");
        assert_eq!(absolute("x", "nonsense"), "x");
        assert_eq!(path_of(base), Some("/prodej/byty/"));
    }

    #[test]
    fn the_last_page_has_no_more() {
        assert!(more_of(41, 1, 20));
        assert!(!more_of(40, 1, 20));
        assert!(!more_of(u64::MAX, u32::MAX, u64::MAX));
    }
}
