//! What is on offer and for how much, from the words of a portal's sections, titles and prices.

use czech::tokens::Tokens;
use schema::{Arrangement, Attributes, Listing, OfferType, PropertyType};

use crate::notation::area::area;
use crate::notation::arrangement::{arrangement, arrangements};
use crate::notation::kind::{self, subtype};
use crate::notation::offer;
use crate::notation::price::{self, Price};
use crate::notation::share::{share, share_on_offer};

use super::lenient::Unread;

/// The kind of offer that one of these words names; the first is the portal's own.
pub fn offer_type<'a>(
    words: impl IntoIterator<Item = Option<&'a str>>,
    unread: &mut Unread,
) -> Option<OfferType> {
    let words: Vec<&str> = words.into_iter().flatten().collect();
    let named = words.iter().find_map(|word| offer::offer_type(word));
    if let (None, Some(word)) = (named, words.first()) {
        unread.note(
            "offerType",
            word,
            "a kind of offer the portal was not known to have",
        );
    }
    named
}

/// The property type of a portal's section.
pub fn property_type(section: Option<&str>, unread: &mut Unread) -> Option<PropertyType> {
    let property_type = kind::property_type(section?);
    if property_type.is_none() {
        unread.note(
            "type",
            section?,
            "a section the portal was not known to have",
        );
    }
    property_type
}

/// Fills a flat's layout or the finer type of anything else: from what the portal's category states, where that is
/// not understood from the titles. A house's layout is only ever in a title.
pub fn refine(
    property_type: PropertyType,
    stated: Option<&str>,
    titles: &[&str],
    attributes: &mut Attributes,
    unread: &mut Unread,
) {
    let titles = titles.iter().copied();
    let understood = if property_type == PropertyType::Apartment {
        let stated = stated.and_then(arrangement);
        attributes.arrangement = stated.or_else(|| titles.clone().find_map(arrangement));
        stated.is_some()
    } else {
        let stated = stated.and_then(|stated| subtype(property_type, stated));
        attributes.subtype = stated.or_else(|| {
            titles
                .clone()
                .find_map(|title| subtype(property_type, title))
        });
        if property_type == PropertyType::House {
            attributes.arrangement = titles.clone().find_map(layout_of_house);
        }
        stated.is_some()
    };
    if let Some(stated) = stated
        && !understood
    {
        unread.note(
            "subtype",
            stated,
            "a category the portal was not known to have",
        );
    }
}

/// `Rodinný dům 5+1`: the layout, if the title names one only and not that of the flats in the house.
fn layout_of_house(title: &str) -> Option<Arrangement> {
    let tokens = Tokens::parse(title);
    let keys = tokens.keys();
    if keys.iter().any(|word| {
        ["byt", "apartman", "jednot"]
            .iter()
            .any(|stem| word.starts_with(stem))
    }) {
        return None;
    }
    match arrangements(&keys).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// The total that a price text states; what is no total is noted with its reason.
pub fn price_total(text: &str, unread: &mut Unread) -> Option<f64> {
    let reason = match price::price(text) {
        Some(Price::OnRequest) => return None,
        Some(price) if price.total().is_some() => return price.total(),
        Some(Price::OtherCurrency) => "in another currency",
        Some(_) => "not a price of the whole",
        None => "not a price",
    };
    unread.note("priceTotal", text, reason);
    None
}

/// The share that one of the titles names, or that the text offers.
pub fn share_of<'a>(
    titles: impl IntoIterator<Item = Option<&'a str>>,
    text: Option<&str>,
) -> Option<String> {
    titles
        .into_iter()
        .flatten()
        .find_map(share)
        .or_else(|| share_on_offer(text?))
}

/// Land has no floor area, whatever the portal's form was filled with: what stands there is the plot, where none is
/// given. Anything but land and a house, of which a title may mean either, is as large as its title says.
pub fn settle_areas(title: Option<&str>, listing: &mut Listing) {
    let attributes = &mut listing.attributes;
    let titled = title.and_then(area);
    match attributes.property_type {
        Some(PropertyType::Land) => {
            let stated = attributes.living_area.take();
            let total_area = listing.evidence.total_area.take();
            attributes.land_area = attributes.land_area.or(total_area).or(stated).or(titled);
        }
        Some(PropertyType::House) | None => {}
        Some(_) => attributes.living_area = attributes.living_area.or(titled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(
        property_type: PropertyType,
        living: Option<f64>,
        land: Option<f64>,
    ) -> [Option<f64>; 2] {
        let mut listing = Listing::default();
        listing.attributes.property_type = Some(property_type);
        listing.attributes.living_area = living;
        listing.attributes.land_area = land;
        settle_areas(Some("Prodej 4 217 m²"), &mut listing);
        [listing.attributes.living_area, listing.attributes.land_area]
    }

    #[test]
    fn the_layout_of_flats_in_a_house_is_not_its_own() {
        assert_eq!(
            layout_of_house("Rodinný dům 5+1 se zahradou"),
            Some(Arrangement::R5P1)
        );
        assert_eq!(layout_of_house("Dům 3+kk a 4+1"), None);
        assert_eq!(layout_of_house("RD se dvěma apartmány 2+kk"), None);
        assert_eq!(layout_of_house("Dům se třemi byty 2+1"), None);
    }

    #[test]
    fn an_area_in_the_title_is_the_plot_of_land_and_the_size_of_a_flat() {
        assert_eq!(
            settled(PropertyType::Land, None, None),
            [None, Some(4217.0)]
        );
        assert_eq!(
            settled(PropertyType::Land, Some(900.0), None),
            [None, Some(900.0)]
        );
        assert_eq!(
            settled(PropertyType::Land, Some(900.0), Some(950.0)),
            [None, Some(950.0)]
        );
        assert_eq!(
            settled(PropertyType::Apartment, None, None),
            [Some(4217.0), None]
        );
        assert_eq!(
            settled(PropertyType::Apartment, Some(61.0), None),
            [Some(61.0), None]
        );
        assert_eq!(settled(PropertyType::House, None, None), [None, None]);
    }
}
