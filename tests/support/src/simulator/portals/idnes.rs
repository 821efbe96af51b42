//! reality.idnes.cz.

use std::sync::LazyLock;

use crate::simulator::advert_page::{PageFormat, Pages, Text, czk, on_page, title};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal};

/// reality.idnes.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "idnes",
    hosts: &["reality.idnes.cz"],
    robots: "User-agent: *\nAllow: /\n# search\nDisallow: /s/*|* #multihodnoty\nDisallow: /s/*%7C* #multihodnoty\n\
             Disallow: /s/*s-rd\nDisallow: /s/*s-rd*&*\nAllow: /s/*s-rd=3\nDisallow: /s/*page=*sort=\nDisallow: /s/*;\n\
             Disallow: /s/*cena-nad-*\nDisallow: /s/*cena-do*sort=\n# Zahraničí\nDisallow: /s/*s-l=STAT*&\n\
             Allow: /s/*s-l=STAT*&page\nDisallow: */admin.api/*\n",
    offer_id,
    answer,
};

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    Pages::new(PageFormat {
        site_id: "idnes",
        fixtures: [
            (
                Kind::FlatSale,
                "6b0000000000000000000101",
                5_490_000,
                "N112536",
            ),
            (Kind::FlatRent, "6b0000000000000000000102", 18_500, "B-0417"),
            (
                Kind::HouseSale,
                "6b0000000000000000000103",
                14_900_000,
                "RNJ4 - P-2",
            ),
            (
                Kind::LandSale,
                "6b0000000000000000000104",
                3_220_000,
                "00208",
            ),
        ],
        before_order: Some("IDNES-"),
        texts: &[Text {
            behind: &["<div class=\"b-desc", "<p>"],
            before: "</p>",
            is_json: false,
        }],
    })
});

/// Cards on a page.
const LENGTH: usize = 26;

fn offer_id(number: u64) -> String {
    format!("6b51{number:020x}")
}

/// The path of the section, and of the pages of its adverts.
fn sections(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::FlatSale => ("/s/prodej/byty/", "/detail/prodej/byt/kolin-nadrazni/"),
        Kind::FlatRent => ("/s/pronajem/byty/", "/detail/pronajem/byt/brno-botanicka/"),
        Kind::HouseSale => ("/s/prodej/domy/", "/detail/prodej/dum/jirny/"),
        Kind::LandSale => ("/s/prodej/pozemky/", "/detail/prodej/pozemek/librantice/"),
    }
}

const EMPTY_SECTIONS: [&str; 6] = [
    "/s/prodej/komercni-nemovitosti/",
    "/s/prodej/male-objekty-garaze/",
    "/s/pronajem/domy/",
    "/s/pronajem/pozemky/",
    "/s/pronajem/komercni-nemovitosti/",
    "/s/pronajem/male-objekty-garaze/",
];

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| sections(*kind).0 == ask.path);
    if kind.is_some() || EMPTY_SECTIONS.contains(&ask.path.as_str()) {
        let shown = adverts
            .iter()
            .filter(|advert| Some(advert.kind) == kind)
            .collect::<Vec<_>>();
        return list(ask, &shown);
    }
    let id = ask
        .path
        .strip_prefix("/detail/")
        .and_then(|path| path.trim_end_matches('/').rsplit('/').next());
    let Some(id) = id.filter(|id| id.starts_with("6b51") && id.len() == 24) else {
        return not_found();
    };
    match adverts.iter().find(|advert| offer_id(advert.number) == id) {
        Some(advert) => Reply::page(PAGES.page(advert, id)),
        None => retired(id),
    }
}

fn not_found() -> Reply {
    Reply {
        status: 404,
        ..Reply::page("<html><body><h1>Stránka nenalezena</h1></body></html>".to_owned())
    }
}

/// Answers for a removed advert: a redirect to a search, a page with its heading that says so, or not found.
fn retired(id: &str) -> Reply {
    match u64::from_str_radix(id.get(4..).unwrap_or_default(), 16).unwrap_or_default() % 3 {
        0 => Reply::redirect("https://reality.idnes.cz/s/prodej/byty/"),
        1 => Reply::page(format!(
            "<!DOCTYPE html><html lang=\"cs\"><head><link rel=\"canonical\" \
             href=\"https://reality.idnes.cz/detail/prodej/byt/kolin/{id}/\"></head><body><main><header class=\"b-detail\">\
             <h1 class=\"b-detail__title\"><span>Prodej bytu 3+kk 78&nbsp;m²</span></h1></header><div class=\"b-annot\">\
             <p>Tato nabídka již není aktivní.</p></div></main></body></html>"
        )),
        _ => not_found(),
    }
}

fn list(ask: &PortalRequest, adverts: &[&Advert]) -> Reply {
    let page: usize = ask
        .parameter("page")
        .map_or(Ok(0), str::parse)
        .unwrap_or(usize::MAX);
    let shown = on_page(adverts, page, LENGTH);
    if page > 0 && shown.is_empty() {
        return not_found();
    }
    let mut cards: Vec<String> = shown.iter().map(|advert| card(advert)).collect();
    // Two advertisements follow the fourth advert.
    cards.insert(cards.len().min(4), ADVERTISEMENT.repeat(2));
    let next = (page + 1).saturating_mul(LENGTH) < adverts.len();
    Reply::page(format!(
        "<!DOCTYPE html><html lang=\"cs\" class=\"no-js\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"cXenseParse:pageclass\" content=\"hledanireality\">\n\
         <meta name=\"description\" content=\"{total} nemovitostí v Čechách i na Moravě. ✅ Tento týden 2020 nově přidaných.\">\n\
         <link rel=\"canonical\" href=\"https://reality.idnes.cz{path}\"></head>\n\
         <body class=\"compensate-for-scrollbar branding-on page-map view-std page-prototype\"><div id=\"snippet-s-result-\">\
         <div class=\"grid\">{cards}</div>\n{pager}</div></body></html>",
        total = adverts.len(),
        path = ask.path,
        cards = cards.concat(),
        pager = pager(&ask.path, page, next),
    ))
}

fn card(advert: &Advert) -> String {
    let id = offer_id(advert.number);
    let (title, place) = title(advert.kind);
    let (offer, rest) = title.split_once(' ').unwrap_or((title, ""));
    format!(
        "<div class=\"grid__cell size--t-4-12 size--m-6-12 size--s-12-12\">\n<div class=\"c-products__item\">\n\
         <div id=\"snippet-s-result-article-{id}\">\n<article>\n<div class=\"c-products__inner\">\n\
         <span class=\"badges-tip\"></span>\n\
         <a onclick=\"stat.count(&apos;clickDetailEstate&apos;)\" href=\"https://reality.idnes.cz{path}{id}/\"\n\
         data-brand=\"Realitní dům Příklad s.r.o.\" class=\"c-products__link\">\n\
         <span class=\"c-products__imgs\"><span class=\"badges\"></span></span>\n<div class=\"c-products__content\">\n\
         <h2 class=\"c-products__title\">\n<span class=\"text-capitalize\">{offer}</span>\n{rest}\n</h2>\n\
         <p class=\"c-products__info\">\n{place}\n</p>\n<div class=\"c-products__footer\"><p class=\"c-products__price\">\n\
         <strong>{price}</strong>\n</p></div></div></a></div>\n</article>\n</div>\n</div>\n</div>\n",
        path = sections(advert.kind).1,
        offer = offer.to_lowercase(),
        price = czk(advert.price),
    )
}

const ADVERTISEMENT: &str = "<div class=\"grid__cell size--t-4-12 size--m-6-12 size--s-12-12\">\n\
    <div class=\"c-products__item c-products__item-advertisment\"><div class=\"r-tipserveru\"><article>\
    <div class=\"b-bnr\"></div></article></div></div>\n</div>\n";

fn pager(path: &str, page: usize, next: bool) -> String {
    let next = if next {
        format!(
            "<a href=\"{path}?page={}\" class=\"btn paging__item next\"><span class=\"btn__text\">Další</span></a>",
            page + 1
        )
    } else {
        String::new()
    };
    format!(
        "<div id=\"snippet-s-result-paginator-\"><p class=\"paginator paging mt--20 mb-45 text-center m-auto\">\
         <span class=\"btn btn--grey paging__item\"><span class=\"btn__text\">{}</span></span>{next}</p></div>",
        page + 1
    )
}
