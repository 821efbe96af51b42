//! The site's sections and codes.

use czech::tokens::Tokens;
use schema::{Arrangement, Attributes, OfferType, PropertyState, PropertyType, Subtype};

use crate::json::{FieldReader, Object};
use crate::notation::kind::subtype;

use super::payload::Advert;

/// Fills the kinds of offer and of property from section and title.
pub(crate) fn fill_category(
    advert: &Advert,
    title: &str,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    let section = reader
        .value("category", &advert.category)
        .map(|Object(category)| category.url);
    attributes.offer_type = offer_type(advert, section.as_deref(), title, reader);
    let Some(section) = section else { return };
    let Some(property_type) = property_type(&section) else {
        reader.reject("type", &section, FieldReader::UNKNOWN_CODE);
        return;
    };
    attributes.property_type = Some(property_type);
    attributes.subtype = subtype_of_section(&section, property_type, title);
    match section.as_str() {
        "projekty" => attributes.property_state = Some(PropertyState::DevelopmentProject),
        // The layout that the advert names is that of the shared flat, not of the room.
        "podnajem" => attributes.arrangement = Some(Arrangement::Other),
        _ => {}
    }
}

/// Returns the kind of offer: the portal's `type`, unless the title says that the advert exchanges, auctions or seeks.
fn offer_type(
    advert: &Advert,
    section: Option<&str>,
    title: &str,
    reader: &mut FieldReader,
) -> Option<OfferType> {
    let tokens = Tokens::parse(title);
    let opening = tokens
        .keys()
        .iter()
        .copied()
        .find(|key| key.starts_with(char::is_alphabetic));
    let verb = opening.unwrap_or_default();
    if verb.starts_with("vymen") {
        return Some(OfferType::Exchange);
    }
    if ["drazba", "drazby", "drazebni", "dobrovolna"].contains(&verb)
        && title.to_lowercase().contains("dražb")
    {
        return Some(OfferType::Auction);
    }
    if [
        "koupim",
        "koupime",
        "hledam",
        "hledame",
        "shanim",
        "shanime",
        "poptavam",
        "poptavame",
        "odkoupim",
        "najmu",
    ]
    .contains(&verb)
    {
        reader.reject("offerType", title, "the advert seeks and does not offer");
        return None;
    }
    if let Some(offer) = reader.word("type", &advert.offer) {
        return match offer.as_str() {
            "sell" => Some(OfferType::Sale),
            "rent" => Some(OfferType::Rent),
            _ => {
                reader.reject("offerType", offer, FieldReader::UNKNOWN_CODE);
                None
            }
        };
    }
    match verb {
        _ if section == Some("podnajem") => Some(OfferType::Rent),
        "prodej" | "prodam" | "prodame" | "prodavam" => Some(OfferType::Sale),
        "pronajem" | "pronajmu" | "pronajimam" | "pronajimame" | "podnajem" => {
            Some(OfferType::Rent)
        }
        _ => None,
    }
}

fn property_type(section: &str) -> Option<PropertyType> {
    match section {
        "byt" | "podnajem" | "projekty" => Some(PropertyType::Apartment),
        "dum" | "chata" => Some(PropertyType::House),
        "pozemek" | "zahrada" => Some(PropertyType::Land),
        "kancelar" | "sklad" | "prostory" | "restaurace" => Some(PropertyType::Commercial),
        "garaz" | "ostatni" => Some(PropertyType::Other),
        _ => None,
    }
}

/// Returns the subtype: what the title names, if the section can hold it, or else the section's own subtype.
fn subtype_of_section(section: &str, property_type: PropertyType, title: &str) -> Option<Subtype> {
    let of_title = subtype(property_type, title);
    let among = |choice: &[Subtype]| of_title.filter(|subtype| choice.contains(subtype));
    match section {
        "dum" | "pozemek" => of_title,
        "chata" => among(&[Subtype::Cottage]).or(Some(Subtype::Holiday)),
        "zahrada" => Some(Subtype::Garden),
        "garaz" => among(&[Subtype::GarageSpace]).or(Some(Subtype::GarageFull)),
        "kancelar" => Some(Subtype::Office),
        "sklad" => among(&[Subtype::Production]).or(Some(Subtype::Warehouse)),
        "prostory" => among(&[
            Subtype::Office,
            Subtype::Warehouse,
            Subtype::Production,
            Subtype::Restaurant,
        ])
        .or(Some(Subtype::ShoppingSpace)),
        // The section is "Hotely, penziony, restaurace". If the title names none of them, it is a restaurant.
        "restaurace" => among(&[Subtype::Accommodation]).or(Some(Subtype::Restaurant)),
        "ostatni" => of_title.or(Some(Subtype::Other)),
        _ => None,
    }
}

/// What `price_type` says of the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriceKind {
    /// `EXACT`, or missing: the price text states the price.
    Stated,
    /// `IN_TEXT`: the advert's text may state the price.
    InText,
    /// `NEGOTIATED`, `OFFERED`, `FREE`, `ANY`: there is no price.
    None,
}

impl PriceKind {
    /// Returns the kind that a code stands for, or `None` for an unknown code.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        match code {
            "EXACT" => Some(Self::Stated),
            "IN_TEXT" => Some(Self::InText),
            "NEGOTIATED" | "OFFERED" | "FREE" | "ANY" => Some(Self::None),
            _ => None,
        }
    }
}
