//! Detail pages of simulated adverts: a fixture in which the number, the price and the text are replaced.

use std::collections::BTreeMap;

use super::advert::{Advert, Kind, sentence};
use super::fixture;

/// How one portal writes the parts of its fixtures that are replaced.
#[derive(Debug, Clone, Copy)]
pub struct PageFormat {
    /// The portal's id, and the folder of its fixtures.
    pub site_id: &'static str,
    /// For each kind: the number of the fixture's advert, its price, and its order number at the agency.
    pub fixtures: [(Kind, &'static str, u64, &'static str); 4],
    /// The text before the order number. `None` if the portal shows no order number.
    pub before_order: Option<&'static str>,
    /// The places of the advert's text, on the page and in its records.
    pub texts: &'static [Text],
}

/// A place of the advert's text on its page.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// Marks before the text, in the order in which they occur. The text is after the last one.
    pub behind: &'static [&'static str],
    /// The mark after the text.
    pub before: &'static str,
    /// Whether it is in JSON, where letters beyond ASCII are escaped.
    pub is_json: bool,
}

/// The detail pages of a portal.
#[derive(Debug)]
pub struct Pages {
    format: PageFormat,
    pages: BTreeMap<Kind, String>,
}

impl Pages {
    /// The pages of a portal with this format.
    pub fn new(format: PageFormat) -> Self {
        Self {
            format,
            pages: fixture::pages(format.site_id),
        }
    }

    /// The page of an advert that has this number on the portal.
    ///
    /// # Panics
    /// If the fixture lacks a part that is replaced.
    pub fn page(&self, advert: &Advert, offer_id: &str) -> String {
        let mut fixtures = self.format.fixtures.iter();
        let (kind, number, price, order) = fixtures
            .find(|(kind, ..)| *kind == advert.kind)
            .expect("every kind has a fixture");
        let page = self.pages.get(kind).expect("every kind has a page");
        assert!(
            page.contains(number),
            "{} {kind:?} does not contain {number}",
            self.format.site_id
        );
        let mut page = replace_price(page, *price, advert.price).replace(number, offer_id);
        if let Some(before) = self.format.before_order {
            let order = format!("{before}{order}");
            assert!(
                page.contains(&order),
                "{} {kind:?} does not contain {order}",
                self.format.site_id
            );
            page = page.replace(&order, &format!("{before}S{:06}", advert.number));
        }
        for text in self.format.texts {
            page = text.appended(&page, &sentence(advert));
        }
        page
    }
}

impl Text {
    fn appended(&self, page: &str, sentence: &str) -> String {
        let mut at = 0;
        for mark in self.behind.iter().chain([&self.before]) {
            let found = page.get(at..).and_then(|rest| rest.find(mark));
            at += found.unwrap_or_else(|| missing(mark)) + mark.len();
        }
        let (text, rest) = page.split_at(at - self.before.len());
        let sentence = if self.is_json {
            escaped(sentence)
        } else {
            sentence.to_owned()
        };
        format!("{} {sentence}{rest}", text.trim_end())
    }
}

#[expect(clippy::panic, reason = "no test can run without its fixtures")]
fn missing(mark: &str) -> usize {
    panic!("the fixture does not contain {mark}")
}

fn escaped(text: &str) -> String {
    let escape = |c: char| {
        if c.is_ascii() {
            c.to_string()
        } else {
            format!("\\u{:04x}", u32::from(c))
        }
    };
    text.chars().map(escape).collect()
}

/// The separators of thousands in prices, as portals write them: with joiners, and as entities.
const GROUPINGS: [&str; 6] = ["", " ", "\u{a0}", "&nbsp;", "\u{200d}&nbsp;", "\u{200d} "];

/// Replaces a price on the page, however its digits are grouped.
fn replace_price(page: &str, from: u64, to: u64) -> String {
    GROUPINGS.iter().fold(page.to_owned(), |page, between| {
        let (from, to) = (grouped(from, between), grouped(to, between));
        replace_number(&page, &from, &to)
    })
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64, between: &str) -> String {
    let digits = number.to_string();
    let first = (digits.len() - 1) % 3 + 1;
    let mut grouped = digits.get(..first).unwrap_or_default().to_owned();
    for group in digits.as_bytes().get(first..).unwrap_or_default().chunks(3) {
        grouped.push_str(between);
        grouped.extend(group.iter().map(|digit| char::from(*digit)));
    }
    grouped
}

/// Replaces a number, unless it is a part of a longer one.
fn replace_number(text: &str, from: &str, to: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        let is_part = before.ends_with(|c: char| c.is_ascii_digit())
            || after.starts_with(|c: char| c.is_ascii_digit());
        replaced.push_str(before);
        replaced.push_str(if is_part { from } else { to });
        rest = after;
    }
    replaced + rest
}

/// The adverts on a page of a list. Pages are numbered from 0.
pub fn on_page<'a>(adverts: &[&'a Advert], page: usize, length: usize) -> Vec<&'a Advert> {
    adverts
        .iter()
        .copied()
        .skip(page.saturating_mul(length))
        .take(length)
        .collect()
}

/// The price as on cards and pages: `5 290 000 Kč`, with no-break spaces.
pub fn czk(price: u64) -> String {
    format!("{} Kč", grouped(price, "\u{a0}"))
}

/// The first words of an advert's title on a card, and its place.
pub fn title(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::FlatSale => (
            "Prodej bytu 3+1 72 m²",
            "Severní, Hradec Králové - Slezské Předměstí",
        ),
        Kind::FlatRent => ("Pronájem bytu 2+kk 48 m²", "Bořivojova, Praha 3 - Žižkov"),
        Kind::HouseSale => ("Prodej domu 164 m²", "Mrklov, Benecko, okres Semily"),
        Kind::LandSale => (
            "Prodej pozemku 912 m²",
            "Otín, Luka nad Jihlavou, okres Jihlava",
        ),
    }
}

/// Whether a kind is on offer for rent.
pub fn is_rent(kind: Kind) -> bool {
    kind == Kind::FlatRent
}
