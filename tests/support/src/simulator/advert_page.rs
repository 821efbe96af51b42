//! Detail pages of simulated adverts: a fixture with the number, price and text of the advert in the place of its own.

use std::collections::BTreeMap;

use super::advert::{Advert, Kind, sentence};
use super::fixture;

/// How one portal writes what is replaced in its fixtures.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// The portal's id, and the folder of its fixtures.
    pub site_id: &'static str,
    /// Of each kind: the number of the fixture's advert, its price, and the agency's number of it.
    pub fixtures: [(Kind, &'static str, u64, &'static str); 4],
    /// What stands before the agency's number; `None` where the portal shows none.
    pub before_order: Option<&'static str>,
    /// Where the advert's text is, on the page and in its records: what stands before the text and what after it.
    pub texts: &'static [Text],
}

/// A place of the advert's text on its page.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// What the text stands behind, one after another.
    pub behind: &'static [&'static str],
    /// What it ends before.
    pub before: &'static str,
    /// Whether it is in JSON, where letters beyond ASCII are escaped.
    pub is_json: bool,
}

/// The detail pages of a portal.
#[derive(Debug)]
pub struct Pages {
    written: Written,
    pages: BTreeMap<Kind, String>,
}

impl Pages {
    /// The pages of the portal that writes them like this.
    pub fn new(written: Written) -> Self {
        Self {
            written,
            pages: fixture::pages(written.site_id),
        }
    }

    /// The page of an advert that has this number on the portal.
    ///
    /// # Panics
    /// Where the fixture does not hold what is to be replaced.
    pub fn of(&self, advert: &Advert, offer_id: &str) -> String {
        let mut fixtures = self.written.fixtures.iter();
        let (kind, number, price, order) = fixtures
            .find(|(kind, ..)| *kind == advert.kind)
            .expect("every kind has a fixture");
        let page = self.pages.get(kind).expect("every kind has a page");
        assert!(
            page.contains(number),
            "{} {kind:?} holds no {number}",
            self.written.site_id
        );
        let mut page = replace_price(page, *price, advert.price).replace(number, offer_id);
        if let Some(before) = self.written.before_order {
            let order = format!("{before}{order}");
            assert!(
                page.contains(&order),
                "{} {kind:?} holds no {order}",
                self.written.site_id
            );
            page = page.replace(&order, &format!("{before}S{:06}", advert.number));
        }
        for text in self.written.texts {
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

#[expect(clippy::panic, reason = "no test can go on without its fixtures")]
fn missing(mark: &str) -> usize {
    panic!("the fixture holds no {mark}")
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

/// What stands between groups of digits: as portals write prices, with joiners and in entities.
const GROUPINGS: [&str; 6] = ["", " ", "\u{a0}", "&nbsp;", "\u{200d}&nbsp;", "\u{200d} "];

/// The page with one price in the place of another, however it is written.
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

/// Replaces a number where it is no part of a longer one.
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

/// The adverts on a page of a list, the first being 0.
pub fn on_page<'a>(adverts: &[&'a Advert], page: usize, length: usize) -> Vec<&'a Advert> {
    adverts
        .iter()
        .copied()
        .skip(page.saturating_mul(length))
        .take(length)
        .collect()
}

/// The price as it is written on cards and pages: `5 290 000 Kč`, with spaces that do not break.
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
