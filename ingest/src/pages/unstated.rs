//! What the attribute list leaves open, read from headline and text.

use czech::fold;
use czech::street_in_text::street_in_text;
use czech::tokens::Tokens;
use schema::{Listing, PropertyType};

use crate::notation::extras::fill_unknown_extras;
use crate::notation::furnishing::furnishing;
use crate::notation::postal_code::postal_code_of_street;
use crate::notation::price::former_price_in_text;
use crate::notation::year_built::year_built_in_text;

/// Fills what is unknown and what the words plainly state: postal code and former price, and of a dwelling its features,
/// furnishing, house number and year. The attribute list comes first.
pub(crate) fn fill_unstated(titles: &[&str], text: Option<&str>, listing: &mut Listing) {
    let words = titles.iter().copied().chain(text).collect::<Vec<_>>();
    let words = words.join("\n");
    let whole = Tokens::parse(&words);
    let keys = whole.keys();
    let attributes = &mut listing.attributes;
    if let (None, Some(street)) = (&attributes.postal_code, &attributes.street) {
        attributes.postal_code = postal_code_of_street(&words, street);
    }
    let evidence = &mut listing.evidence;
    evidence.former_price = evidence
        .former_price
        .or_else(|| former_price_in_text(&keys));
    let is_dwelling = matches!(
        attributes.property_type,
        Some(PropertyType::Apartment | PropertyType::House)
    );
    if !is_dwelling {
        return;
    }
    let head = Tokens::parse(&titles.join("\n"));
    fill_unknown_extras(&head.keys(), &keys, attributes);
    attributes.equipment = attributes.equipment.or_else(|| furnishing(&keys));
    evidence.year_built = evidence.year_built.or_else(|| year_built_in_text(&keys));
    if listing.evidence.house_number.is_none() {
        listing.evidence.house_number = house_number(titles, text, listing);
    }
}

/// The house number that the words give with the street that the listing is in.
fn house_number(titles: &[&str], text: Option<&str>, listing: &Listing) -> Option<String> {
    let street = fold(listing.attributes.street.as_deref()?);
    let named = titles
        .iter()
        .copied()
        .chain(text)
        .filter_map(street_in_text);
    named
        .filter(|named| fold(&named.name) == street)
        .find_map(|named| named.house_number)
}

#[cfg(test)]
mod tests {
    use schema::Equipment;

    use super::*;

    fn filled(property_type: PropertyType, headline: &str, text: &str) -> Listing {
        let mut listing = Listing::default();
        listing.attributes.property_type = Some(property_type);
        listing.attributes.street = Some("Polní".to_owned());
        listing.attributes.elevator = Some(true);
        fill_unstated(&["Prodej bytu 2+kk", headline], Some(text), &mut listing);
        listing
    }

    #[test]
    fn headline_and_text_fill_what_the_list_leaves_open() {
        let text = "Byt bez výtahu je částečně zařízený. Dům postaven v roce 1985.\n\
            Nachází se v ulici Polní 17, 251 01 Říčany, u parku. Původní cena: 4 990 000 Kč.";
        let listing = filled(PropertyType::Apartment, "Byt s balkonem a se sklepem", text);
        let attributes = &listing.attributes;
        assert_eq!(attributes.balcony, Some(true));
        assert_eq!(attributes.storage, Some(true));
        assert_eq!(attributes.equipment, Some(Equipment::Partial));
        assert_eq!(attributes.elevator, Some(true), "the list comes first");
        assert_eq!(attributes.postal_code.as_deref(), Some("251 01"));
        let evidence = &listing.evidence;
        assert_eq!(evidence.house_number.as_deref(), Some("17"));
        assert_eq!(evidence.year_built, Some(1985));
        assert_eq!(evidence.former_price, Some(4_990_000.0));
    }

    #[test]
    fn the_number_of_a_house_in_another_street_does_not_count() {
        let listing = filled(PropertyType::House, "", "Dům v ulici Lesní 17.");
        assert_eq!(listing.evidence.house_number, None);
    }

    #[test]
    fn land_has_no_lift() {
        let listing = filled(PropertyType::Land, "Pozemek s garáží", "");
        assert_eq!(listing.attributes.garage, None);
    }
}
