//! reality.bazos.cz: lists by category, pages of adverts.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::simulator::advert_page::{grouped, on_page};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal, fixture, sentence};

/// reality.bazos.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "bazos",
    hosts: &["reality.bazos.cz"],
    robots: "User-agent: *\nDisallow: /*hledat=\nDisallow: /*hlokalita=\nDisallow: /*humkreis=\n\
             Disallow: /*cenaod=\nDisallow: /*order=\nDisallow: /*rubriky=\n",
    offer_id,
    answer,
};

/// The portal's numbers begin after this one.
const FIRST: u64 = 231_000_000;

/// Cards on a page.
const LENGTH: usize = 20;

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

/// The details of the mobile interface. The pages show the same texts.
static DETAILS: LazyLock<BTreeMap<Kind, Value>> = LazyLock::new(|| fixture::payloads("bazos"));

/// The pages of the fixture `flat-sale` and of a deleted advert.
static PAGE: LazyLock<String> = LazyLock::new(|| fixture::text("bazos", "detail-page.html"));
static DELETED: LazyLock<String> = LazyLock::new(|| fixture::text("bazos", "deleted-page.html"));

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

/// The path of the category that an advert is in.
fn category(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::FlatSale => ("prodam", "byt"),
        Kind::FlatRent => ("pronajmu", "byt"),
        Kind::HouseSale => ("prodam", "dum"),
        Kind::LandSale => ("prodam", "pozemek"),
    }
}

/// A text from the fixture's detail.
fn told(kind: Kind, field: &str) -> &'static str {
    DETAILS
        .get(&kind)
        .and_then(|detail| detail.get(field))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn price(advert: &Advert) -> String {
    format!(" {} Kč", grouped(advert.price, " "))
}

fn path_of(advert: &Advert) -> String {
    let slug = told(advert.kind, "url")
        .rsplit('/')
        .next()
        .unwrap_or_default();
    format!("/inzerat/{}/{slug}", offer_id(advert.number))
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let path: Vec<&str> = ask
        .path
        .split('/')
        .filter(|part| !part.is_empty())
        .collect();
    let offset = |part: &str| {
        part.parse::<usize>()
            .ok()
            .filter(|offset| offset % LENGTH == 0)
    };
    match path.as_slice() {
        _ if ask.method != "GET" || !ask.query.is_empty() => Reply::status(405),
        [offer @ ("prodam" | "pronajmu"), category] if CATEGORIES.contains(category) => {
            list(offer, category, 0, adverts)
        }
        [offer @ ("prodam" | "pronajmu"), category, part] if CATEGORIES.contains(category) => {
            offset(part).map_or_else(not_found, |offset| list(offer, category, offset, adverts))
        }
        ["inzerat", id, _slug] => detail(id, adverts),
        _ => not_found(),
    }
}

fn not_found() -> Reply {
    let page = "<html><body><div class=\"sirka\"><h1>Stránka nenalezena</h1></div></body></html>";
    Reply {
        status: 404,
        ..Reply::page(page.to_owned())
    }
}

fn list(offer: &str, name: &str, offset: usize, adverts: &[Advert]) -> Reply {
    let found: Vec<&Advert> = adverts
        .iter()
        .filter(|advert| category(advert.kind) == (offer, name))
        .collect();
    let shown = on_page(&found, offset / LENGTH, LENGTH);
    if offset > 0 && shown.is_empty() {
        return not_found();
    }
    let count = match shown.len() {
        0 => "Žádný inzerát".to_owned(),
        length => {
            format!(
                "Zobrazeno {}-{} inzerátů z {}",
                offset + 1,
                offset + length,
                grouped(found.len() as u64, " ")
            )
        }
    };
    let next = if offset + shown.len() < found.len() {
        format!(
            "<a href=\"/{offer}/{name}/{}/\"><b>Další</b></a>",
            offset + LENGTH
        )
    } else {
        String::new()
    };
    let cards: String = shown.into_iter().map(card).collect();
    Reply::page(format!(
        "<!DOCTYPE html>\n<html lang=\"cs\">\n<head><title>Bazoš - Reality</title></head>\n<body>\n<div class=\"sirka\">\n\
         <div class=\"drobky\"><a href=\"https://www.bazos.cz/\">Hlavní stránka</a> > <b>Reality</b></div>\n\
         <div class=\"flexmain\"><div class=\"menuleft\"><div class=\"barvaleva\"><a href=\"/prodam/byt/\">Byty</a></div>\
         </div><div class=\"maincontent\">\n<div class=\"listainzerat inzeratyflex\">\n\
         <div class=\"inzeratynadpis\"><img src=\"https://www.bazos.cz/obrazky/list.gif\" width=\"18\" height=\"16\" \
         alt=\"Seznam inzerátů\" class=gallerylista> {count}</div>\n\
         <div class=\"inzeratycena\"><b><span class=\"paction\">Cena</span></b></div>\n\
         <div class=\"inzeratylok\">Lokalita</div>\n\
         <div class=\"inzeratyview\"><span class=\"paction\">Shlédnutí</span></div>\n</div>\n\
         <div id=\"container_one\"></div>\n{cards}<div class=\"strankovani\">{next}</div>\n\
         </div></div><br>\n&copy;2026 Bazoš\n</div>\n</body>\n</html>\n"
    ))
}

fn card(advert: &Advert) -> String {
    let (title, path, price) = (told(advert.kind, "title"), path_of(advert), price(advert));
    let text: String = told(advert.kind, "description").chars().take(150).collect();
    let (town, code) = (told(advert.kind, "locality"), told(advert.kind, "zip_code"));
    let (id, views) = (offer_id(advert.number), advert.number % 97);
    format!(
        "<div class=\"inzeraty inzeratyflex\">\n<div class=\"inzeratynadpis\"><a href=\"{path}\">\
         <img src=\"https://www.bazos.cz/img/1t/001/{id}.jpg?t=1794300000\" class=\"obrazek\" alt=\"{title}\" \
         width=\"145\" height=\"109\"></a>\n<h2 class=nadpis><a href=\"{path}\">{title}</a></h2>\
         <span class=velikost10> - [10.11. 2026]</span><br>\n<div class=popis>{text} ...</div><br><br>\n</div>\n\
         <div class=\"inzeratycena\"><b><span translate=\"no\">{price}</span></b></div>\n\
         <div class=\"inzeratylok\">{town}<br>{code}</div>\n<div class=\"inzeratyview\">{views} x</div>\n</div>\n\n"
    )
}

/// Answers for a removed advert: not found, or a page that says that it was deleted.
fn detail(id: &str, adverts: &[Advert]) -> Reply {
    let Some(number) = id.parse::<u64>().ok().and_then(|id| id.checked_sub(FIRST)) else {
        return not_found();
    };
    match adverts.iter().find(|advert| advert.number == number) {
        Some(advert) => Reply::page(page(advert)),
        None if number % 3 == 0 => Reply::page(DELETED.clone()),
        None => not_found(),
    }
}

/// The page of the fixture with the advert's values.
fn page(advert: &Advert) -> String {
    let of_page = |field: &str| told(Kind::FlatSale, field);
    let of_advert = |field: &str| told(advert.kind, field);
    let (offer, name) = category(advert.kind);
    let (offer_word, name_word) = match advert.kind {
        Kind::FlatSale => ("Prodej", "Byty"),
        Kind::FlatRent => ("Pronájem", "Byty"),
        Kind::HouseSale => ("Prodej", "Domy"),
        Kind::LandSale => ("Prodej", "Pozemky"),
    };
    let (before, rest) = PAGE.split_once("<div class=popisdetail>").expect("a text");
    let (_, after) = rest.split_once("</div>").expect("its end");
    let text = of_advert("description").replace("\r\n", "<br>\n");
    let page = format!(
        "{before}<div class=popisdetail>{text}<br>\n{}</div>{after}",
        sentence(advert)
    );
    let path = format!("https://reality.bazos.cz{}", path_of(advert));
    page.replace(of_page("url"), &path)
        .replace(of_page("id"), &offer_id(advert.number))
        .replace(of_page("title"), of_advert("title"))
        .replace(&format!(" {}", of_page("price_formatted")), &price(advert))
        .replace(
            "/prodam/byt/\">Byty",
            &format!("/{offer}/{name}/\">{name_word}"),
        )
        .replace("/prodam/\">Prodej", &format!("/{offer}/\">{offer_word}"))
        .replace(of_page("zip_code"), of_advert("zip_code"))
        .replace(
            &format!("\">{}</a></td>", of_page("locality")),
            &format!("\">{}</a></td>", of_advert("locality")),
        )
        .replace(of_page("latitude"), of_advert("latitude"))
        .replace(of_page("longitude"), of_advert("longitude"))
}
