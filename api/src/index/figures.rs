//! What statistics read of an offer.

use schema::{Arrangement, Month, PropertyType, SpecEnum};

use crate::index::columns::{Code, Columns};
use crate::index::first_month::month;

/// The figures of one offer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures<'a> {
    /// Property type.
    pub property_type: Option<PropertyType>,
    /// Room layout.
    pub arrangement: Option<Arrangement>,
    /// District (okres).
    pub district: Option<&'a str>,
    /// The month in which a portal first showed it.
    pub first_month: Month,
    /// Asking price, CZK.
    pub price: Option<f64>,
    /// Living area, m².
    pub living_area: Option<f64>,
    /// Plot area, m².
    pub land_area: Option<f64>,
}

impl Columns {
    /// The figures of the offer at an index, whose district has this name.
    pub(crate) fn figures<'a>(&self, index: usize, district: Option<&'a str>) -> Figures<'a> {
        let known = |number: f64| (!number.is_nan()).then_some(number);
        Figures {
            property_type: value(self.property_type[index]),
            arrangement: value(self.arrangement[index]),
            district,
            first_month: month(self.first_month[index]),
            price: known(self.price[index]),
            living_area: known(self.living_area[index]),
            land_area: known(self.land_area[index]),
        }
    }
}

fn value<E: SpecEnum>(code: Code<E>) -> Option<E> {
    code.value().and_then(|code| E::from_code(code as u8))
}
