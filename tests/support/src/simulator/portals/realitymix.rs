//! realitymix.cz.

use std::sync::LazyLock;

use crate::simulator::advert_page::{PageFormat, Pages, Text, czk, on_page, title};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal};

/// realitymix.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "realitymix",
    hosts: &["realitymix.cz"],
    robots: "User-agent: *\nAllow: /\n",
    offer_id,
    answer,
};

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    Pages::new(PageFormat {
        site_id: "realitymix",
        fixtures: [
            (Kind::FlatSale, "8700101", 5_290_000, "N04417"),
            (Kind::FlatRent, "8700102", 21_500, "0217-B"),
            (Kind::HouseSale, "8700103", 8_450_000, "RD-88"),
            (Kind::LandSale, "8700104", 1_824_000, "N116470"),
        ],
        before_order: Some("REALITYMIX-"),
        texts: &[Text {
            behind: &["<div class=\"advert-description__text-inner-inner\">"],
            before: "</div>",
            is_json: false,
        }],
    })
});

/// Cards on a page.
const LENGTH: usize = 20;

/// The first of the portal's numbers.
const FIRST: u64 = 9_000_000;

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

/// The path of the section, and the prefix of the paths of its adverts.
fn sections(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::FlatSale => (
            "/reality/byty/prodej",
            "/detail/hradec-kralove/prodej-bytu-3-1-72-m2-",
        ),
        Kind::FlatRent => (
            "/reality/byty/pronajem",
            "/detail/praha/pronajem-bytu-2-kk-48-m2-",
        ),
        Kind::HouseSale => (
            "/reality/domy/prodej",
            "/detail/benecko/prodej-rodinneho-domu-5-1-",
        ),
        Kind::LandSale => (
            "/reality/pozemky/prodej",
            "/detail/luka-nad-jihlavou/prodej-pozemku-912-m2-",
        ),
    }
}

const EMPTY_SECTIONS: [&str; 8] = [
    "/reality/chaty/prodej",
    "/reality/komerce/prodej",
    "/reality/ostatni/prodej",
    "/reality/domy/pronajem",
    "/reality/chaty/pronajem",
    "/reality/pozemky/pronajem",
    "/reality/komerce/pronajem",
    "/reality/ostatni/pronajem",
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
    let page = ask
        .path
        .strip_prefix("/detail/")
        .and_then(|path| path.strip_suffix(".html"));
    let id = page
        .and_then(|page| page.rsplit('-').next())
        .and_then(|id| id.parse::<u64>().ok());
    let Some(number) = id.and_then(|id| id.checked_sub(FIRST)) else {
        return not_found();
    };
    match adverts.iter().find(|advert| advert.number == number) {
        Some(advert) => Reply::page(PAGES.page(advert, &offer_id(number))),
        None => retired(number, adverts),
    }
}

fn not_found() -> Reply {
    let words = "<html><body><h1>Tato stránka neexistuje</h1></body></html>";
    Reply {
        status: 404,
        ..Reply::page(words.to_owned())
    }
}

/// Answers for a removed advert: a page at the same address that shows other adverts, a redirect to a list, or not found.
fn retired(number: u64, adverts: &[Advert]) -> Reply {
    match number % 3 {
        0 => Reply::redirect("https://realitymix.cz/reality/byty/prodej"),
        1 => Reply::page(format!(
            "<!DOCTYPE html><html lang=\"cs\"><body><h1>Nabídka již není v naší databázi. Našli jsme podobné.</h1>\
             <ul data-list-container>{}</ul></body></html>",
            adverts.iter().take(3).map(card).collect::<String>(),
        )),
        _ => not_found(),
    }
}

fn list(ask: &PortalRequest, adverts: &[&Advert]) -> Reply {
    let number: usize = ask
        .parameter("stranka")
        .map_or(Ok(1), str::parse)
        .unwrap_or(usize::MAX);
    let page = number.saturating_sub(1);
    let shown = on_page(adverts, page, LENGTH);
    if page > 0 && shown.is_empty() {
        return not_found();
    }
    let (from, total) = (page * LENGTH, adverts.len());
    let count = if shown.is_empty() {
        "Nebyly nalezeny žádné nabídky.".to_owned()
    } else {
        format!(
            "výsledky {}-{} z celkem {total} nalezených",
            from + 1,
            from + shown.len()
        )
    };
    let path = &ask.path;
    let next = if from + shown.len() < total {
        format!(
            "<link rel=\"next\" href=\"https://realitymix.cz{path}?stranka={}\" />",
            number + 1
        )
    } else {
        String::new()
    };
    Reply::page(format!(
        "<!DOCTYPE html>\n<html lang=\"cs\" class='no-js '><head><meta charset=\"utf-8\"><title>RealityMIX</title>{next}\
         </head>\n<body class=\"text-body-dark font-sans\"><div class=\"app-wrapper\"><div class=\"text-sm\">{count}</div>\n\
         <ul data-list-container>{}</ul></div></body></html>",
        shown.into_iter().map(card).collect::<String>(),
    ))
}

fn card(advert: &Advert) -> String {
    let (title, place) = title(advert.kind);
    let address = format!(
        "https://realitymix.cz{}{}.html",
        sections(advert.kind).1,
        offer_id(advert.number)
    );
    let period = if advert.kind == Kind::FlatRent {
        " / <span>(za měsíc)</span>"
    } else {
        ""
    };
    format!(
        "<li class=\"w-full advert-item\">\n<div class=\"advert-item__content\">\
         <div class=\"advert-item__content-carousel-wrapper\"><div class=\"swiper h-full\"><div class=\"swiper-wrapper\">\
         <div class=\"swiper-slide aspect-[320/230]\"><a href=\"{address}\" class=\"absolute inset-0 w-full h-full\">\
         <img loading=\"lazy\" src=\"https://st.realitymix.cz/i/66600001/1/nab_1_detail.jpg\" alt=\"{title}\" /></a></div>\
         </div></div></div>\n<div class=\"advert-item__content-data\"><div class=\"mb-3\">\n\
         <h2 class=\"text-lg sm:text-xl font-extrabold\"><a href=\"{address}\" class=\"flex text-secondary items-center mb-1 \
         hover:underline\"><span>{title}</span></a></h2>\n<p class=\"text-sm sm:text-base text-body-light\"> {place} </p></div>\n\
         <div class=\"text-xl font-extrabold mb-2.5\"><span>{price}</span>{period}</div></div></div></li>\n",
        price = czk(advert.price),
    )
}
