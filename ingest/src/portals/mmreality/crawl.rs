//! How mmreality.cz is crawled: one index of everything, then the page of each advert.
//!
//! | trap | what we do |
//! |---|---|
//! | the index of sales and that of rents leave out auctions | we walk the index of everything |
//! | no page states a count | we walk on while the head of the page names a next page |
//! | the portal's gateway refuses programs (403) | the portal is not crawled without its permission |
//! | a page has twelve cards and carousels of others | each advert counts once |

use std::time::Duration;

use schema::CrawlScope;
use scraper::{ElementRef, Html};

use crate::answers::index_page::{
    Card, Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, read_detail,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::{selectors, value_of};
use crate::pages::listing_at;
use czech::fold;
use czech::text::clean;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Forbidden {
        by: "it refuses programs (Cloudflare answers 403)",
    },
    policy: CrawlPolicy::sequential(Duration::from_secs(3)),
    sections,
    split: |_, _| Vec::new(),
    page: |section, page| INDEX.request(section, page),
    read_page: |section, page, answer| INDEX.read_page(section, page, answer),
    details_per_request: 1,
    details: get_detail,
    read_details: |asked, answer| {
        read_detail(("mmreality", super::read_payload), is_index, asked, answer)
    },
    volatile: Volatile::Elements(&[
        // What surrounds the advert on its page.
        ".rds-page-header",
        "offers-context",
        "nav:not(.rds-breadcrumbs)",
        "footer",
        ".rds-agent-contact-form",
        ".rds-broker",
        ".rds-sticky-contact-buttons",
        // The cost of a mortgage changes with the day's interest rates.
        ".rds-mortgage-overview",
        "vue-property-preview-card",
        "[data-card-id]",
        // E-mail addresses are obfuscated differently on every visit.
        ".__cf_email__",
        "a[href^='/cdn-cgi/l/email-protection']",
        "input",
    ]),
};

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "mmreality",
    expected: "a list of mmreality.cz: cards, or words that there are none",
    host: "https://www.mmreality.cz",
    numbering: Numbering::from_two("?page="),
    required: &[],
    cards: Cards::Read {
        card: &CARD,
        read: read_card,
    },
    count: |_| None,
    counted: Counted::Sometimes,
    past_end: |_| false,
    is_empty: |html, _| says_empty(html),
    next: NextPage::Link(&NEXT),
};

selectors! {
    CARD = "a[data-card-id]";
    BUTTON = "[data-realty-name]";
    NEXT = "link[rel=next]";
    BODY = "body";
}

/// What an index page without adverts says, folded.
const NO_ADVERTS: [&str; 3] = ["zadne nemovitosti", "nebyly nalezeny", "nenalezli jsme"];

fn sections() -> Vec<Section> {
    vec![Section {
        name: "nemovitosti".to_owned(),
        scope: CrawlScope::default(),
        query: "/nemovitosti/".to_owned(),
    }]
}

fn says_empty(html: &Html) -> bool {
    let text = html.select(&BODY).next().map(value_of).unwrap_or_default();
    let text = fold(&text);
    NO_ADVERTS.iter().any(|words| text.contains(words))
}

/// The button of a card has the teaser in its attributes. A card whose link leads to another advert is left out.
fn read_card(element: ElementRef) -> Card {
    let button = element.select(&BUTTON).next();
    let attribute = |name: &str| {
        button
            .and_then(|button| button.value().attr(name))
            .map(clean)
            .unwrap_or_default()
    };
    let address = element.value().attr("href").filter(|address| {
        listing_at(address)
            .is_some_and(|listing| element.value().attr("data-card-id") == Some(&listing.offer_id))
    });
    Card {
        address: address.unwrap_or_default().to_owned(),
        parts: vec![
            attribute("data-realty-name"),
            attribute("data-realty-price"),
        ],
    }
}

/// A removed advert redirects to an index.
fn is_index(path: &str) -> bool {
    matches!(
        path,
        "/nemovitosti/" | "/nemovitosti/prodej/" | "/nemovitosti/pronajem/"
    )
}
