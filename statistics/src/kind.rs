//! What may be compared: offers of one kind and one type. A rent and a price are different figures, and so are the prices
//! of a flat and of a field.

use std::fmt;

use schema::{OfferType, PropertyType};

/// Kind of offer and property type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// Kind of offer.
    pub offer_type: OfferType,
    /// Property type.
    pub property_type: PropertyType,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.property_type, self.offer_type)
    }
}
