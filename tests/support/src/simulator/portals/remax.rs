//! remax-czech.cz.

use std::sync::LazyLock;

use crate::simulator::advert_page::{PageFormat, Pages, Text, grouped, is_rent, on_page, title};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal};

/// remax-czech.cz. What its robots.txt says is not known.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "remax",
    hosts: &["www.remax-czech.cz"],
    robots: "User-agent: *\nDisallow:\n",
    offer_id,
    answer,
};

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    Pages::new(PageFormat {
        site_id: "remax",
        fixtures: [
            (Kind::FlatSale, "480101", 5_290_000, "144-NP00417"),
            (Kind::FlatRent, "480102", 21_500, "259-NP00102"),
            (Kind::HouseSale, "480103", 8_450_000, "096-NP00103"),
            (Kind::LandSale, "480104", 1_824_000, "130-NP00104"),
        ],
        before_order: Some("ID "),
        texts: &[Text {
            behind: &["<div ref=\"content-inner\">"],
            before: "</div>",
            is_json: false,
        }],
    })
});

/// Cards on a page.
const LENGTH: usize = 21;

/// The first of the portal's numbers.
const FIRST: u64 = 600_000;

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

/// The words behind the number in the address of a page.
fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::FlatSale => "prodej-bytu-3-1-v-osobnim-vlastnictvi-72-m2-hradec-kralove",
        Kind::FlatRent => "pronajem-bytu-2-kk-48-m2-praha-3-zizkov",
        Kind::HouseSale => "prodej-domu-164-m2-benecko",
        Kind::LandSale => "prodej-pozemku-912-m2-luka-nad-jihlavou",
    }
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    if ask.path == "/reality/vyhledavani/" {
        let rents = ask.parameter("sale") == Some("2");
        let shown = adverts
            .iter()
            .filter(|advert| is_rent(advert.kind) == rents)
            .collect::<Vec<_>>();
        return list(ask, &shown);
    }
    let id = ask
        .path
        .strip_prefix("/reality/detail/")
        .and_then(|path| path.split('/').next());
    let number = id
        .and_then(|id| id.parse::<u64>().ok())
        .and_then(|id| id.checked_sub(FIRST));
    let Some(number) = number else {
        return Reply::status(404);
    };
    match adverts.iter().find(|advert| advert.number == number) {
        Some(advert) => Reply::page(PAGES.page(advert, &offer_id(number))),
        None => retired(number),
    }
}

/// A removed advert leads to the search, or its page says so, or is not found.
fn retired(number: u64) -> Reply {
    match number % 3 {
        0 => Reply::redirect("https://www.remax-czech.cz/reality/vyhledavani/?sale=1"),
        1 => Reply::page(
            "<!DOCTYPE html><html lang=\"cs\"><head><title>Reality REMAX</title></head><body class=\"no-js translate\">\
             <h1>Je nám líto</h1><p>Tato nemovitost již není v nabídce.</p></body></html>"
                .to_owned(),
        ),
        _ => Reply { status: 404, ..Reply::page("<html><body><h1>Stránka nebyla nalezena</h1></body></html>".to_owned()) },
    }
}

/// Pages past the last are answered as well, without cards.
fn list(ask: &PortalRequest, adverts: &[&Advert]) -> Reply {
    let number: usize = ask
        .parameter("stranka")
        .map_or(Ok(1), str::parse)
        .unwrap_or(usize::MAX);
    let page = number.saturating_sub(1);
    let shown = on_page(adverts, page, LENGTH);
    let from = page.saturating_mul(LENGTH);
    Reply::page(format!(
        "<!DOCTYPE html>\n<html lang=\"cs\"><head><meta charset=\"UTF-8\"><title>Reality REMAX</title></head>\n\
         <body class=\"no-js translate\">\n<div class=\"pl-results-head\">Zobrazujeme výsledky {first}-{last} z celkem \
         <span>{total}</span> nalezených</div>\n<div class=\"pl-items\">{cards}</div></body></html>",
        first = from.saturating_add(1),
        last = from.saturating_add(shown.len()),
        total = grouped(adverts.len() as u64, " "),
        cards = shown.into_iter().map(card).collect::<String>(),
    ))
}

fn card(advert: &Advert) -> String {
    let (title, place) = title(advert.kind);
    let address = format!(
        "/reality/detail/{}/{}",
        offer_id(advert.number),
        words(advert.kind)
    );
    let per = if is_rent(advert.kind) {
        "za měsíc"
    } else {
        "za nemovitost"
    };
    format!(
        "<div class=\"pl-items__item\"\n data-gps=\"50°13&#039;07.5&quot;N,15°51&#039;24.8&quot;E\"\n \
         data-display-address=\"{place}\"\n data-img=\"https://mlsf.remax-czech.cz/data//zs/1/1_th350.jpg\"\n \
         data-price=\"{price}&nbsp;Kč <small>({per})</small>\"\n data-title=\"{title}\"\n data-url=\"{address}\">\n\
         <a class=\"pl-items__link\" href=\"{address}\">{title}</a>\n</div>\n",
        price = grouped(advert.price, "&nbsp;"),
    )
}
