//! From the parts of a detail page to a listing.

use schema::{Arrangement, Attributes, Listing, OfferType, PropertyType, Taken};

use crate::notation::arrangement::{arrangement, arrangements};
use crate::notation::kind::subtype;
use crate::notation::price::{self, Price};
use crate::notation::share::{share, share_on_offer};
use crate::notation::text::fold;
use crate::notation::tokens::Tokens;
use crate::portals::lenient::Unread;
use crate::reading::Reading;

use super::payload::Page;
use super::{place, rows};

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    let mut listing = Listing::default();
    let mut unread = Unread::default();
    let attributes = &mut listing.attributes;
    attributes.title = page.title.clone().or_else(|| page.record.text("name").map(str::to_owned));
    attributes.description = description(page);
    attributes.offer_type = offer_type(page, &mut unread);
    category(page, attributes, &mut unread);
    attributes.price_total = price_total(page, &mut unread);
    for row in &page.rows {
        rows::take(row, &mut listing, &mut unread);
    }
    let attributes = &mut listing.attributes;
    attributes.living_area = attributes.living_area.or_else(|| page.record.amount("area"));
    attributes.land_area = attributes.land_area.or_else(|| page.record.amount("landArea"));
    listing.evidence.share = [&page.title, &page.headline]
        .into_iter()
        .find_map(|title| share(title.as_deref()?))
        .or_else(|| share_on_offer(page.text.as_deref()?));
    listing.evidence.taken = page.record.text("labels").and_then(taken);
    place::fill(page, &mut listing, &mut unread);
    Reading { listing, url: page.url.clone(), unread: unread.into_rejects() }
}

/// The headline and the text below it, as the page shows them.
fn description(page: &Page) -> Option<String> {
    let headline = page.headline.as_ref().filter(|headline| page.title.as_ref() != Some(*headline));
    match (headline, &page.text) {
        (Some(headline), Some(text)) => Some(format!("{headline}\n\n{text}")),
        (headline, text) => text.as_ref().or(headline).cloned(),
    }
}

/// The page's own word, else that of its address.
fn offer_type(page: &Page, unread: &mut Unread) -> Option<OfferType> {
    let word = page.record.text("variant").or_else(|| part_of_address(page, 0))?;
    let offer_type = match fold(word) {
        word if word.starts_with("prodej") => Some(OfferType::Sale),
        word if word.starts_with("pronajem") => Some(OfferType::Rent),
        word if word.starts_with("drazb") => Some(OfferType::Auction),
        word if word.starts_with("vymen") => Some(OfferType::Exchange),
        _ => None,
    };
    if offer_type.is_none() {
        unread.note("offerType", word, "a kind of offer the portal was not known to have");
    }
    offer_type
}

/// `/detail/prodej/byt/…`: the parts after `detail`.
fn part_of_address(page: &Page, at: usize) -> Option<&str> {
    page.url.as_deref()?.split_once("/detail/")?.1.split('/').nth(at)
}

/// `Byt/3+kk`, `Dům/Rodinný dům`: the property type, and its layout or finer type. Where the category names none, the
/// title may.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let category = page.record.text("category");
    let (main, finer) = match category.and_then(|category| category.split_once('/')) {
        Some((main, finer)) => (Some(main), Some(finer)),
        None => (category.or_else(|| part_of_address(page, 1)), None),
    };
    let Some(main) = main else { return };
    let Some(property_type) = property_type(main) else {
        unread.note("type", main, "a category the portal was not known to have");
        return;
    };
    attributes.property_type = Some(property_type);
    let titles = [&page.title, &page.headline].into_iter().filter_map(|title| title.as_deref());
    let understood = if property_type == PropertyType::Apartment {
        let of_category = finer.and_then(arrangement);
        attributes.arrangement = of_category.or_else(|| titles.clone().find_map(arrangement));
        of_category.is_some()
    } else {
        let of_category = finer.and_then(|finer| subtype(property_type, finer));
        attributes.subtype =
            of_category.or_else(|| titles.clone().find_map(|title| subtype(property_type, title)));
        if property_type == PropertyType::House {
            attributes.arrangement = titles.clone().find_map(layout_of_house);
        }
        of_category.is_some()
    };
    if let Some(finer) = finer
        && !understood
    {
        unread.note("subtype", finer, "a category the portal was not known to have");
    }
}

/// `Rodinný dům 5+1`: the layout, if the title names one only.
fn layout_of_house(title: &str) -> Option<Arrangement> {
    let tokens = Tokens::of(title);
    match arrangements(&tokens.keys()).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn property_type(main: &str) -> Option<PropertyType> {
    let main = fold(main);
    [
        ("byt", PropertyType::Apartment),
        ("dum", PropertyType::House),
        ("dom", PropertyType::House),
        ("chat", PropertyType::House),
        ("pozem", PropertyType::Land),
        ("komercn", PropertyType::Commercial),
        ("mal", PropertyType::Other),
        ("garaz", PropertyType::Other),
        ("ostatni", PropertyType::Other),
    ]
    .into_iter()
    .find(|(stem, _)| main.starts_with(stem))
    .map(|(_, property_type)| property_type)
}

/// The price shown; where the page shows none, the list's, then the record's.
fn price_total(page: &Page, unread: &mut Unread) -> Option<f64> {
    let row = || page.rows.iter().find(|row| fold(&row.label) == "cena").map(|row| &row.value);
    let Some(text) = page.price.as_ref().or_else(row) else { return page.record.amount("price") };
    match price::price(text) {
        Some(Price::OnRequest) => None,
        Some(price) if price.total().is_some() => price.total(),
        Some(Price::OtherCurrency) => {
            unread.note("priceTotal", text, "in another currency");
            None
        }
        Some(_) => {
            unread.note("priceTotal", text, "not a price of the whole");
            None
        }
        None => {
            unread.note("priceTotal", text, "not a price");
            None
        }
    }
}

/// `Rezervováno`, `Prodáno`, `Pronajato` among the labels; `Zlevněno` and the rest say nothing of that.
fn taken(labels: &str) -> Option<Taken> {
    let labels = fold(labels);
    if labels.contains("prodano") || labels.contains("pronajato") {
        Some(Taken::Sold)
    } else {
        labels.contains("rezerv").then_some(Taken::Reserved)
    }
}
