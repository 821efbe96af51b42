//! mmreality.cz.

use std::sync::LazyLock;

use crate::simulator::advert_page::{PageFormat, Pages, Text, czk, on_page, title};
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal};

/// mmreality.cz. The content of its robots.txt is unknown.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "mmreality",
    hosts: &["www.mmreality.cz"],
    robots: "User-agent: *\nDisallow:\n",
    offer_id,
    answer,
};

/// The record is in two elements, and the text is repeated below them.
const RECORD_TEXT: &str = "&quot;description&quot;:&quot;";

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    Pages::new(PageFormat {
        site_id: "mmreality",
        fixtures: [
            (Kind::FlatSale, "960101", 5_290_000, ""),
            (Kind::FlatRent, "960102", 21_500, ""),
            (Kind::HouseSale, "960103", 8_450_000, ""),
            (Kind::LandSale, "960104", 1_824_000, ""),
        ],
        before_order: None,
        texts: &[
            Text {
                behind: &["<vue-property-detail-favorite-button", RECORD_TEXT],
                before: "&quot;",
                is_json: true,
            },
            Text {
                behind: &["<vue-mortgage-calculator", RECORD_TEXT],
                before: "&quot;",
                is_json: true,
            },
            Text {
                behind: &["<p class=\"tw-typo-lg\">"],
                before: "</p>",
                is_json: false,
            },
        ],
    })
});

/// Cards on a page.
const LENGTH: usize = 12;

/// The first of the portal's numbers.
const FIRST: u64 = 1_000_000;

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let is_rent = |advert: &&Advert| advert.kind == Kind::FlatRent;
    match ask.path.as_str() {
        "/nemovitosti/" => return list(ask, &adverts.iter().collect::<Vec<_>>()),
        "/nemovitosti/prodej/" => {
            return list(
                ask,
                &adverts
                    .iter()
                    .filter(|advert| !is_rent(advert))
                    .collect::<Vec<_>>(),
            );
        }
        "/nemovitosti/pronajem/" => {
            return list(ask, &adverts.iter().filter(is_rent).collect::<Vec<_>>());
        }
        _ => {}
    }
    let id = ask
        .path
        .strip_prefix("/nemovitosti/")
        .map(|id| id.trim_end_matches('/'));
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

/// Answers for a removed advert: a redirect to the list, a page that says so, an inactive record, or not found.
fn retired(number: u64) -> Reply {
    match number % 4 {
        0 => Reply::redirect("https://www.mmreality.cz/nemovitosti/"),
        1 => Reply::page(
            "<!DOCTYPE html><html lang=\"cs\"><head><title>M&amp;M Reality</title></head><body id=\"mainBody\" class=\"rds-page\">\
             <h1 class=\"tw-typo-h2\">Tato nabídka byla ukončena</h1></body></html>"
                .to_owned(),
        ),
        2 => {
            let last = Advert { number, kind: Kind::FlatSale, price: 5_290_000, revision: 0 };
            let page = PAGES.page(&last, &offer_id(number));
            Reply::page(page.replace("&quot;active&quot;:true", "&quot;active&quot;:false"))
        }
        _ => Reply::status(404),
    }
}

fn list(ask: &PortalRequest, adverts: &[&Advert]) -> Reply {
    let number: usize = ask
        .parameter("page")
        .map_or(Ok(1), str::parse)
        .unwrap_or(usize::MAX);
    let page = number.saturating_sub(1);
    let shown = on_page(adverts, page, LENGTH);
    if page > 0 && shown.is_empty() {
        return Reply::status(404);
    }
    let next = if page * LENGTH + shown.len() < adverts.len() {
        format!("<link rel=\"next\" href=\"?page={}\"/>", number + 1)
    } else {
        String::new()
    };
    let cards = if shown.is_empty() {
        "<p>Nenalezli jsme žádné nemovitosti.</p>".to_owned()
    } else {
        shown.into_iter().map(card).collect()
    };
    Reply::page(format!(
        "<!DOCTYPE html><html lang=\"cs\" id=\"rootElement\"><head><title>Nemovitosti | M&amp;M Reality</title>{next}</head>\n\
         <body id=\"mainBody\" class=\"rds-page\"><main class=\"tw-flex-grow\">{cards}</main></body></html>"
    ))
}

fn card(advert: &Advert) -> String {
    let id = offer_id(advert.number);
    let (title, place) = title(advert.kind);
    let name = match title.split_once(' ') {
        Some((offer, rest)) => format!("{offer}, {rest}, {place}"),
        None => title.to_owned(),
    };
    format!(
        "<a href=\"https://www.mmreality.cz/nemovitosti/{id}/\" class=\"rds-carousel-item tw-rounded-responsive\" \
         data-card-id=\"{id}\">\n<article class=\"rds-image-card tw-card rds-property-preview-card\">\n\
         <button type=\"button\" data-favorite-toggle=\"{id}\" data-realty-name=\"{name}\" data-realty-id=\"{id}\" \
         data-realty-price=\"{price}\"></button>\n<div class=\"rds-content\"><h4 class=\"rds-property-title tw-typo-h4\">\
         {title}</h4>\n<div class=\"tw-text-text-price tw-typo-h3\">{price}</div></div></article>\n</a>\n",
        price = czk(advert.price),
    )
}
