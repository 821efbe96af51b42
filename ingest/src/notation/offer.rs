//! The kind of offer by the word that names it.

use czech::fold;
use schema::OfferType;

/// The kind of offer named at the start of a section or title: `Prodej`, `Pronájem bytu 2+kk`, `Dražba`, `Výměna`.
///
/// ```
/// use ingest::notation::offer::offer_type;
/// assert_eq!(offer_type("Pronájem bytu 2+kk"), Some(schema::OfferType::Rent));
/// assert_eq!(offer_type("Koupě bytu"), None);
/// ```
pub fn offer_type(text: &str) -> Option<OfferType> {
    const VERBS: [(&str, OfferType); 5] = [
        ("prodej", OfferType::Sale),
        ("pronajem", OfferType::Rent),
        ("podnajem", OfferType::Rent),
        ("drazb", OfferType::Auction),
        ("vymen", OfferType::Exchange),
    ];
    let text = fold(text);
    VERBS
        .iter()
        .find(|(verb, _)| text.starts_with(verb))
        .map(|(_, offer)| *offer)
}
