//! What is on offer and for how much, read from a portal's sections, titles and prices.

use czech::tokens::Tokens;
use schema::{Arrangement, Attributes, Listing, OfferType, PropertyType};

use crate::notation::area::area;
use crate::notation::arrangement::{arrangement, arrangements};
use crate::notation::kind::{self, subtype};
use crate::notation::offer;
use crate::notation::price::{self, Price};
use crate::notation::share::{share, share_on_offer};

use crate::json::FieldReader;

/// Reads the kind of offer from the first text that names one. If none does, the first text is rejected: it is the
/// portal's own.
pub(crate) fn offer_type<'a>(
    words: impl IntoIterator<Item = Option<&'a str>>,
    reader: &mut FieldReader,
) -> Option<OfferType> {
    let words: Vec<&str> = words.into_iter().flatten().collect();
    let named = words.iter().find_map(|word| offer::offer_type(word));
    if let (None, Some(word)) = (named, words.first()) {
        reader.reject(
            "offerType",
            word,
            "a kind of offer the portal was not known to have",
        );
    }
    named
}

/// Returns a title without its first word, the verb: the property type is the noun that follows.
pub(crate) fn without_verb(title: &str) -> Option<&str> {
    title.split_once(' ').map(|(_, rest)| rest)
}

/// Reads the property type from the name of a portal's section.
pub(crate) fn property_type(
    section: Option<&str>,
    reader: &mut FieldReader,
) -> Option<PropertyType> {
    let property_type = kind::property_type(section?);
    if property_type.is_none() {
        reader.reject(
            "type",
            section?,
            "a section the portal was not known to have",
        );
    }
    property_type
}

/// Fills the layout of a flat or the subtype of any other property. The portal's category comes first, then the titles.
/// The layout of a house is only ever in a title.
pub(crate) fn fill_subtype(
    property_type: PropertyType,
    stated: Option<&str>,
    titles: &[&str],
    attributes: &mut Attributes,
    reader: &mut FieldReader,
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
        reader.reject(
            "subtype",
            stated,
            "a category the portal was not known to have",
        );
    }
}

/// Reads the layout of a house, as in `Rodinný dům 5+1`. A title that names flats or several layouts has none.
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

/// Reads the total price from a text. A price that is not a total is rejected with its reason.
pub(crate) fn price_total(text: &str, reader: &mut FieldReader) -> Option<f64> {
    let reason = match price::price(text) {
        Some(Price::OnRequest) => return None,
        Some(price) if price.total().is_some() => return price.total(),
        Some(Price::OtherCurrency) => "in another currency",
        Some(_) => "not a price of the whole",
        None => "not a price",
    };
    reader.reject("priceTotal", text, reason);
    None
}

/// Finds the share on offer: in one of the titles, or else in the text.
pub(crate) fn find_share<'a>(
    titles: impl IntoIterator<Item = Option<&'a str>>,
    text: Option<&str>,
) -> Option<String> {
    titles
        .into_iter()
        .flatten()
        .find_map(share)
        .or_else(|| share_on_offer(text?))
}

/// Corrects the areas by the property type. Land has no floor area, so an area published as one is the plot unless the
/// plot is given. Other property without a living area takes it from the title, except a house, whose title may mean
/// the plot.
pub(crate) fn correct_areas(title: Option<&str>, listing: &mut Listing) {
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

    fn corrected(
        property_type: PropertyType,
        living: Option<f64>,
        land: Option<f64>,
    ) -> [Option<f64>; 2] {
        let mut listing = Listing::default();
        listing.attributes.property_type = Some(property_type);
        listing.attributes.living_area = living;
        listing.attributes.land_area = land;
        correct_areas(Some("Prodej 4 217 m²"), &mut listing);
        [listing.attributes.living_area, listing.attributes.land_area]
    }

    #[test]
    fn the_layout_of_flats_is_not_the_layout_of_their_house() {
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
            corrected(PropertyType::Land, None, None),
            [None, Some(4217.0)]
        );
        assert_eq!(
            corrected(PropertyType::Land, Some(900.0), None),
            [None, Some(900.0)]
        );
        assert_eq!(
            corrected(PropertyType::Land, Some(900.0), Some(950.0)),
            [None, Some(950.0)]
        );
        assert_eq!(
            corrected(PropertyType::Apartment, None, None),
            [Some(4217.0), None]
        );
        assert_eq!(
            corrected(PropertyType::Apartment, Some(61.0), None),
            [Some(61.0), None]
        );
        assert_eq!(corrected(PropertyType::House, None, None), [None, None]);
    }
}
