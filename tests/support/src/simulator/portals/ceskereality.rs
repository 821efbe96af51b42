//! ceskereality.cz.

use std::sync::LazyLock;

use crate::simulator::advert_page::{PageFormat, Pages, Text, czk, on_page, title};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal};

/// ceskereality.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "ceskereality",
    hosts: &[
        "www.ceskereality.cz",
        "stredo.ceskereality.cz",
        "jiho.ceskereality.cz",
        "severo.ceskereality.cz",
        "vychodo.ceskereality.cz",
        "zapado.ceskereality.cz",
        "jiho.moravskereality.cz",
        "severo.moravskereality.cz",
    ],
    robots: "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /\nDisallow: /muj-profil/\nDisallow: /mapa/\n\n\
             User-agent: SeznamBot\nAllow: /\nDisallow: /muj-profil/\nDisallow: /mapa/\n\n\
             User-agent: *\nDisallow: /bot-trap-8f3c17a2/\n\nSitemap: https://www.ceskereality.cz/sitemap.xml\n",
    offer_id,
    answer,
};

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    Pages::new(PageFormat {
        site_id: "ceskereality",
        fixtures: [
            (Kind::FlatSale, "3900101", 5_290_000, "N00417"),
            (Kind::FlatRent, "3900102", 21_500, "650102"),
            (Kind::HouseSale, "3900103", 8_450_000, "D-103"),
            (Kind::LandSale, "3900104", 1_824_000, "655104"),
        ],
        before_order: Some(
            "<span class=\"i-info__title\">ID nemovitosti</span>\n<span class=\"i-info__value\">\n",
        ),
        texts: &[Text {
            behind: &["<div class=\"entry-content\">"],
            before: "</div>",
            is_json: false,
        }],
    })
});

/// Cards on a page.
const LENGTH: usize = 20;

/// The largest number of pages of a list of the whole country, and of a list of one kraj.
const WINDOWS: (usize, usize) = (12, 99);

/// The first of the portal's numbers.
const FIRST: u64 = 4_000_000;

/// The kraje in addresses and headings. The number of an advert decides its kraj.
const REGIONS: [(&str, &str); 14] = [
    ("praha-hlavni-mesto", "v okrese Praha"),
    ("stredocesky-kraj", "Středočeský kraj"),
    ("jihocesky-kraj", "Jihočeský kraj"),
    ("plzensky-kraj", "Plzeňský kraj"),
    ("karlovarsky-kraj", "Karlovarský kraj"),
    ("ustecky-kraj", "Ústecký kraj"),
    ("liberecky-kraj", "Liberecký kraj"),
    ("kralovehradecky-kraj", "Královéhradecký kraj"),
    ("pardubicky-kraj", "Pardubický kraj"),
    ("kraj-vysocina", "Kraj Vysočina"),
    ("jihomoravsky-kraj", "Jihomoravský kraj"),
    ("olomoucky-kraj", "Olomoucký kraj"),
    ("moravskoslezsky-kraj", "Moravskoslezský kraj"),
    ("zlinsky-kraj", "Zlínský kraj"),
];

/// Sections in addresses and headings.
const SECTIONS: [(&str, &str); 6] = [
    ("byty", "bytů"),
    ("rodinne-domy", "rodinných domů"),
    ("chaty-chalupy", "chat a chalup"),
    ("pozemky", "pozemků"),
    ("komercni-prostory", "komerčních prostor"),
    ("ostatni", "ostatních nemovitostí"),
];

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

/// The kind of offer and the section in addresses, and the rest of the path up to the number.
fn paths(kind: Kind) -> (&'static str, &'static str, &'static str) {
    match kind {
        Kind::FlatSale => (
            "prodej",
            "byty",
            "byty-3-1/hradec-kralove/prodej-bytu-3-1-72-m2-severni-",
        ),
        Kind::FlatRent => (
            "pronajem",
            "byty",
            "byty-2-kk/praha/pronajem-bytu-2-kk-48-m2-borivojova-",
        ),
        Kind::HouseSale => (
            "prodej",
            "rodinne-domy",
            "patrove/benecko/prodej-rodinneho-domu-164-m2-",
        ),
        Kind::LandSale => (
            "prodej",
            "pozemky",
            "stavebni-parcely/luka-nad-jihlavou/prodej-stavebni-parcely-912-m2-",
        ),
    }
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let path: Vec<&str> = ask
        .path
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    if let [offer @ ("prodej" | "pronajem"), section, place @ ..] = path.as_slice()
        && ask.path.ends_with('/')
        && place.len() < 2
    {
        return list(ask, (offer, section, place.first().copied()), adverts);
    }
    let id = path
        .last()
        .and_then(|page| page.strip_suffix(".html"))
        .and_then(|page| page.rsplit('-').next());
    let number = id
        .and_then(|id| id.parse::<u64>().ok())
        .and_then(|id| id.checked_sub(FIRST));
    let Some(number) = number else {
        return not_found();
    };
    match adverts.iter().find(|advert| advert.number == number) {
        Some(advert) => Reply::page(PAGES.page(advert, &offer_id(number))),
        None => retired(number),
    }
}

fn not_found() -> Reply {
    let mut reply = Reply::page(
        "<html><body><h1 class=\"base-h1\">Stránka nenalezena</h1></body></html>".to_owned(),
    );
    reply.status = 404;
    // The portal says the same about pages that never existed.
    reply.headers.push(("retry-after", "3".to_owned()));
    reply
}

/// Answers for a removed advert: a redirect to a list, a page that says so, 404, or 410.
fn retired(number: u64) -> Reply {
    match number % 4 {
        0 => Reply::redirect("https://www.ceskereality.cz/prodej/byty/"),
        1 => Reply::page(
            "<!DOCTYPE html><html lang=\"cs\"><head><title>ČESKÉREALITY.cz inzerce realit</title></head><body><main>\
             <h1 class=\"base-h1\">Nabídka již není aktivní</h1><p>Tento inzerát byl odstraněn.</p></main></body></html>"
                .to_owned(),
        ),
        2 => Reply::status(410),
        _ => not_found(),
    }
}

fn list(
    ask: &PortalRequest,
    (offer, section, place): (&str, &str, Option<&str>),
    adverts: &[Advert],
) -> Reply {
    let region = place.map(|place| REGIONS.iter().position(|(slug, _)| *slug == place));
    let (Some((_, noun)), false) = (
        SECTIONS.iter().find(|(slug, _)| *slug == section),
        region == Some(None),
    ) else {
        return not_found();
    };
    let region = region.flatten();
    let is_shown = |advert: &&Advert| {
        let (of, kind, _) = paths(advert.kind);
        (of, kind) == (offer, section)
            && region.is_none_or(|region| advert.number % 14 == region as u64)
    };
    let adverts: Vec<&Advert> = adverts.iter().filter(is_shown).collect();
    let number: usize = ask
        .parameter("strana")
        .map_or(Ok(1), str::parse)
        .unwrap_or(usize::MAX);
    let window = if region.is_none() {
        WINDOWS.0
    } else {
        WINDOWS.1
    };
    let shown = on_page(&adverts, number.saturating_sub(1), LENGTH);
    if number > window || number > 1 && shown.is_empty() {
        return not_found();
    }
    let where_it_is = region
        .and_then(|region| REGIONS.get(region))
        .map_or("", |(_, name)| *name);
    let verb = if offer == "prodej" {
        "Prodej"
    } else {
        "Pronájem"
    };
    let summary = if adverts.is_empty() {
        String::new()
    } else {
        format!(
            "<meta name=\"description\" content=\"Máme tady {} {noun}. Vybírejte z nabídky.\">",
            adverts.len()
        )
    };
    let has_next = number < window && number * LENGTH < adverts.len();
    Reply::page(format!(
        "<!DOCTYPE html><html lang=\"cs\"><head><meta charset=\"UTF-8\">\n{summary}\n\
         <title>{verb} {noun} - ČESKÉREALITY.cz</title></head>\n<body><header class=\"main-header --dark --banner\"></header><main>\n\
         <h1 class=\"base-h1\">{verb} {noun} {where_it_is}</h1>\n<div class=\"g-estates\">{cards}</div>\n{pager}</main></body></html>",
        cards = shown.into_iter().map(card).collect::<String>(),
        pager = pager(&ask.path, number, adverts.len().div_ceil(LENGTH), has_next),
    ))
}

/// Lists of one page have no arrows; on the last page of others the arrow is disabled.
fn pager(path: &str, number: usize, pages: usize, has_next: bool) -> String {
    match (pages, has_next) {
        (0 | 1, _) => String::new(),
        (_, true) => {
            format!(
                "<a class=\"pagination-arrow --next\" href=\"{path}?strana={}\"></a>",
                number + 1
            )
        }
        (_, false) => {
            format!(
                "<a class=\"pagination-arrow --disabled --next\" href=\"{path}?strana={number}\"></a>"
            )
        }
    }
}

fn card(advert: &Advert) -> String {
    let (offer, section, rest) = paths(advert.kind);
    let address = format!("/{offer}/{section}/{rest}{}.html", offer_id(advert.number));
    let (title, place) = title(advert.kind);
    format!(
        "<article class=\"i-estate\">\n<a href=\"{address}\" class=\"i-estate__image-link u-img-hover\">\
         <img src=\"https://img-cache.ceskereality.cz/nemovitosti/320x320_jpg/1.jpg\" alt=\"{title}\"></a>\n\
         <header class=\"i-estate__header\"><h2 class=\"i-estate__header-title\"><a href=\"{address}\" \
         class=\"i-estate__title-link\">{title} {place}</a></h2></header>\n\
         <p class=\"i-estate__description-text\">Nabízíme…</p>\n<footer class=\"i-estate__footer\">\
         <h3 class=\"i-estate__footer-price-value\">{price}</h3></footer>\n</article>\n",
        price = czk(advert.price),
    )
}
