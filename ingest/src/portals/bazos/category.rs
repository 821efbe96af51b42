//! The site's sections and codes.

use czech::tokens::Tokens;
use schema::{Arrangement, Attributes, OfferType, PropertyState, PropertyType, Subtype};

use crate::notation::kind::subtype;
use crate::portals::lenient::{Object, Unread};

use super::payload::Advert;

/// Fills the kind of offer and of property from section and title.
pub fn fill(advert: &Advert, title: &str, attributes: &mut Attributes, unread: &mut Unread) {
    let section = unread
        .read("category", &advert.category)
        .map(|Object(category)| category.url);
    attributes.offer_type = offer_type(advert, section.as_deref(), title, unread);
    let Some(section) = section else { return };
    let Some(property_type) = property_type(&section) else {
        unread.note("type", &section, Unread::UNKNOWN_CODE);
        return;
    };
    attributes.property_type = Some(property_type);
    attributes.subtype = finer(&section, property_type, title);
    match section.as_str() {
        "projekty" => attributes.property_state = Some(PropertyState::DevelopmentProject),
        // A room in a shared flat is not the flat whose layout the advert names.
        "podnajem" => attributes.arrangement = Some(Arrangement::Other),
        _ => {}
    }
}

/// The portal's `type`, unless the title says that the advert exchanges, auctions or seeks.
fn offer_type(
    advert: &Advert,
    section: Option<&str>,
    title: &str,
    unread: &mut Unread,
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
        unread.note("offerType", title, "the advert seeks and does not offer");
        return None;
    }
    if let Some(offer) = unread.word("type", &advert.offer) {
        return match offer.as_str() {
            "sell" => Some(OfferType::Sale),
            "rent" => Some(OfferType::Rent),
            _ => {
                unread.note("offerType", offer, Unread::UNKNOWN_CODE);
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

/// The finer type of the section, refined by the title within it.
fn finer(section: &str, property_type: PropertyType, title: &str) -> Option<Subtype> {
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
        // The section is "Hotely, penziony, restaurace": without a word for one of them it is the last.
        "restaurace" => among(&[Subtype::Accommodation]).or(Some(Subtype::Restaurant)),
        "ostatni" => of_title.or(Some(Subtype::Other)),
        _ => None,
    }
}

/// What `price_type` says of the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceKind {
    /// `EXACT`, and where nothing is said: the price text holds it.
    Stated,
    /// `IN_TEXT`: the advert's text may hold it.
    InText,
    /// `NEGOTIATED`, `OFFERED`, `FREE`, `ANY`: there is none.
    None,
}

impl PriceKind {
    /// The kind that a code stands for, `None` for an unknown one.
    pub fn of(code: &str) -> Option<Self> {
        match code {
            "EXACT" => Some(Self::Stated),
            "IN_TEXT" => Some(Self::InText),
            "NEGOTIATED" | "OFFERED" | "FREE" | "ANY" => Some(Self::None),
            _ => None,
        }
    }
}
