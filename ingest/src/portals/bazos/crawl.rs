//! How reality.bazos.cz is crawled: the sections of its categories, which robots.txt allows, then the page of each advert.
//!
//! | trap | what we do |
//! |---|---|
//! | the mobile site has its own host and sends shorter pages than requested | we read the pages of the main site |
//! | search parameters are disallowed | the offset of an index page is a part of its path |
//! | promoted adverts come first, and moving an advert up renews its date | the date is not part of the teaser |
//! | an advert's page has an index header too, and lists similar adverts | only an index page has a count |
//! | view counts, similar adverts, menus and the site's own count change by themselves | they are volatile |
//! | a page past the end says that it was not found | the section ends there |

use std::time::Duration;

use schema::CrawlScope;
use scraper::Html;

use crate::answers::index_page::{
    Cards, Counted, IndexLayout, NextPage, Numbering, get_detail, number_after, read_detail,
};
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy, Section, Volatile};
use crate::notation::markup::{selectors, value_of};
use czech::fold;

/// How the portal is crawled.
pub static CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: CrawlPolicy::sequential(Duration::from_secs(2)),
    sections,
    split: |_, _| Vec::new(),
    page: |section, page| INDEX.request(section, page),
    read_page: |section, page, answer| INDEX.read_page(section, page, answer),
    details_per_request: 1,
    details: get_detail,
    read_details: |asked, answer| {
        read_detail(("bazos", super::read_payload), is_index, asked, answer)
    },
    volatile: Volatile::Elements(&[
        "script",
        "style",
        "form",
        ".listalogor",
        ".listah",
        ".menuleft",
        ".velikost10",
        ".inzeratydetdel",
        ".flinavigace",
        // The row above the price has the view count.
        ".listadvlevo tr:nth-last-child(2)",
        ".teldetail",
        ".listadvpravo",
        ".kontaktniformular",
        ".podobne",
        // The site's own counts are below everything else.
        ".sirka > b",
    ]),
};

/// What the index pages look like.
static INDEX: IndexLayout = IndexLayout {
    site_id: "bazos",
    expected: "a list of reality.bazos.cz: a count and cards",
    host: "https://reality.bazos.cz",
    // The number is the offset of the first advert.
    numbering: Numbering {
        before: "",
        second: LENGTH,
        step: LENGTH,
        after: "/",
    },
    required: &[(&HEADER, "a header")],
    cards: Cards::Selected {
        card: &CARD,
        link: &LINK,
        parts: &[&TITLE, &PLACE, &PRICE, &TEXT],
    },
    count,
    counted: Counted::WithCards,
    past_end: |html| html.select(&HEADER).next().is_none() && says_not_found(html),
    is_empty: |html, _| {
        let header = fold(&header(html));
        count(html).is_some() || NO_ADVERTS.iter().any(|words| header.contains(words))
    },
    next: NextPage::ByCount { length: LENGTH },
};

/// Adverts on a page.
const LENGTH: u64 = 20;

/// Sale and rent, each with the category that it does not have: shared flats are only let, new projects are only sold.
const OFFERS: [(&str, &str); 2] = [("prodam", "podnajem"), ("pronajmu", "projekty")];

/// The site's categories.
const CATEGORIES: [&str; 13] = [
    "byt",
    "podnajem",
    "dum",
    "chata",
    "pozemek",
    "zahrada",
    "garaz",
    "kancelar",
    "prostory",
    "sklad",
    "restaurace",
    "projekty",
    "ostatni",
];

selectors! {
    HEADER = ".listainzerat .inzeratynadpis";
    CARD = ".maincontent .inzeraty";
    LINK = ".nadpis a[href]";
    TITLE = ".nadpis";
    TEXT = ".popis";
    PRICE = ".inzeratycena";
    PLACE = ".inzeratylok";
    BODY = "body";
}

/// One section for each category. A category also holds exchanges, auctions and wanted adverts, which only their titles
/// tell apart. So an advert is missing only if no section at all shows it.
fn sections() -> Vec<Section> {
    let mut sections = Vec::new();
    for (offer, without) in OFFERS {
        for name in CATEGORIES.into_iter().filter(|name| *name != without) {
            sections.push(Section {
                name: format!("{offer}-{name}"),
                scope: CrawlScope::default(),
                query: format!("/{offer}/{name}/"),
            });
        }
    }
    sections
}

/// The header of an index page: `Zobrazeno 1-20 inzerátů z 6 990`.
fn header(html: &Html) -> String {
    html.select(&HEADER)
        .next()
        .map(value_of)
        .unwrap_or_default()
}

fn count(html: &Html) -> Option<u64> {
    let header = header(html);
    number_after(header.strip_prefix("Zobrazeno")?, " z ")
}

/// What the header of an empty section says, folded.
const NO_ADVERTS: [&str; 3] = ["zadny inzerat", "zadne inzeraty", "nebyl nalezen"];

fn says_not_found(html: &Html) -> bool {
    html.select(&BODY)
        .next()
        .is_some_and(|body| fold(&value_of(body)).contains("stranka nenalezena"))
}

/// A removed advert may redirect to a section.
fn is_index(path: &str) -> bool {
    OFFERS
        .iter()
        .any(|(offer, _)| path.trim_start_matches('/').starts_with(offer))
}
