//! The layout of an HTML portal's index pages, as data.

use std::sync::LazyLock;

use scraper::{ElementRef, Html, Selector};

use crate::crawl_definition::Section;

/// A selector that is parsed once, as `selectors!` makes them.
pub(super) type StaticSelector = &'static LazyLock<Selector>;

/// What the index pages of a portal look like.
pub struct IndexLayout {
    /// The portal's id.
    pub site_id: &'static str,
    /// What an index page is, for errors.
    pub expected: &'static str,
    /// Scheme and host of the pages. A section's query is the rest of its first page's URL.
    pub host: &'static str,
    /// How the addresses of further pages differ from the first page's.
    pub numbering: Numbering,
    /// Elements that every index page has, each with the name that errors give it.
    pub required: &'static [(StaticSelector, &'static str)],
    /// Where the adverts are.
    pub cards: Cards,
    /// How many adverts the section has in all, as the page says.
    pub count: fn(&Html) -> Option<u64>,
    /// Which pages state the count.
    pub counted: Counted,
    /// Whether a page after the first says that the section has ended before it.
    pub past_end: fn(&Html) -> bool,
    /// Whether a page without cards is really an empty page of the section, rather than a changed layout.
    pub is_empty: fn(&Html, &Section) -> bool,
    /// How a page says whether another one follows.
    pub next: NextPage,
}

/// How the URL of a page after the first is made: `before`, the page's number and `after` are appended. The second
/// page has the number `second`, and each further page a number higher by `step`.
#[derive(Debug, Clone, Copy)]
pub struct Numbering {
    /// What precedes the number, such as `?page=`.
    pub before: &'static str,
    /// The number of the second page.
    pub second: u64,
    /// The difference between the numbers of two pages.
    pub step: u64,
    /// What follows the number.
    pub after: &'static str,
}

impl Numbering {
    /// Pages numbered 2, 3, 4 … in a parameter such as `?page=`.
    pub const fn from_two(before: &'static str) -> Self {
        Self {
            before,
            second: 2,
            step: 1,
            after: "",
        }
    }
}

/// Where the adverts are on an index page.
pub enum Cards {
    /// Every element that `card` selects. Its first `link` leads to the advert; the texts of `parts` make the teaser.
    Selected {
        /// Selects the cards.
        card: StaticSelector,
        /// Selects the link within a card.
        link: StaticSelector,
        /// Select the parts of the teaser within a card.
        parts: &'static [StaticSelector],
    },
    /// Every element that `card` selects, read by a function of the portal.
    Read {
        /// Selects the cards.
        card: StaticSelector,
        /// Reads one.
        read: fn(ElementRef) -> Card,
    },
}

/// Which index pages state how many adverts the section has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// All of them.
    Always,
    /// All that have cards. Without cards and count, the section is empty.
    WithCards,
    /// Any page may or may not state it.
    Sometimes,
}

/// How an index page says whether another one follows.
pub enum NextPage {
    /// By the count of the section and the number of cards on a page.
    ByCount {
        /// Cards on a page.
        length: u64,
    },
    /// By a link that the last page does not have.
    Link(StaticSelector),
    /// By an arrow that has this class on the last page. A page that is not the last by the count always has the arrow.
    Arrow {
        /// Selects the arrow.
        arrow: StaticSelector,
        /// The arrow's class on the last page.
        disabled: &'static str,
        /// Cards on a page.
        length: u64,
    },
}

/// What a card says about its advert.
#[derive(Debug, Default)]
pub struct Card {
    /// The URL of the advert's page, as in the link.
    pub address: String,
    /// The parts of the teaser, such as title, place and price. All cards of a portal have the same parts in the same
    /// order; a part is empty if the card does not have it.
    pub parts: Vec<String>,
}

impl NextPage {
    /// Cards on a page, if that is known.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            Self::ByCount { length } | Self::Arrow { length, .. } => Some(*length),
            Self::Link(_) => None,
        }
    }
}
