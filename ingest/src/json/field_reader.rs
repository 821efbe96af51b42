//! Reading a payload's fields while collecting the values that are left out.

use schema::Location;

use super::{Field, Flag, Gps, Number, Object, Word, look_up, position};
use crate::reading::ValueReject;

/// Reads the fields of one payload and collects the values that were published but cannot be used.
///
/// The `name` of each method is the spec's name of the field that the value is meant for.
#[derive(Debug, Default)]
pub(crate) struct FieldReader {
    rejects: Vec<ValueReject>,
}

impl FieldReader {
    /// Reason for rejecting a value of another type than the portal sends.
    const WRONG_TYPE: &'static str = "of a type the portal does not send";
    /// Reason for rejecting a code that the portal's code tables do not list.
    pub(crate) const UNKNOWN_CODE: &'static str = "not in the portal's code table";

    /// Reports that `value`, meant for `field`, is left out.
    pub(crate) fn reject(&mut self, field: &str, value: impl ToString, reason: &str) {
        self.rejects.push(ValueReject::new(field, value, reason));
    }

    /// Returns everything that was rejected.
    pub(crate) fn into_rejects(self) -> Vec<ValueReject> {
        self.rejects
    }

    /// Returns the value of a field, and rejects a value of the wrong type.
    pub(crate) fn value<T: Clone>(&mut self, name: &str, field: &Field<T>) -> Option<T> {
        match field {
            Field::Absent => None,
            Field::Value(value) => Some(value.clone()),
            Field::WrongType(value) => {
                self.reject(name, value, Self::WRONG_TYPE);
                None
            }
        }
    }

    /// Returns a text exactly as written, unless it is blank.
    pub(crate) fn text(&mut self, name: &str, field: &Field<String>) -> Option<String> {
        self.value(name, field)
            .filter(|text| !text.trim().is_empty())
    }

    /// Returns a short text without the white space around it, unless it is blank.
    pub(crate) fn word(&mut self, name: &str, field: &Field<Word>) -> Option<String> {
        let Word(text) = self.value(name, field)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns a number.
    pub(crate) fn number(&mut self, name: &str, field: &Field<Number>) -> Option<f64> {
        self.value(name, field).map(|Number(number)| number)
    }

    /// Returns a number of a field in which the portal sends 0 for "not given".
    pub(crate) fn amount(&mut self, name: &str, field: &Field<Number>) -> Option<f64> {
        self.number(name, field).filter(|amount| *amount != 0.0)
    }

    /// Returns a yes or no.
    pub(crate) fn flag(&mut self, name: &str, field: &Field<Flag>) -> Option<bool> {
        self.value(name, field).map(|Flag(flag)| flag)
    }

    /// Returns what a code means according to the table, and rejects a code that the table does not list.
    pub(crate) fn meaning<T: Copy>(
        &mut self,
        table: &[(&str, T)],
        name: &str,
        field: &Field<Word>,
    ) -> Option<T> {
        let value = self.word(name, field)?;
        let meaning = look_up(table, &value.as_str());
        if meaning.is_none() {
            self.reject(name, value, Self::UNKNOWN_CODE);
        }
        meaning
    }

    /// Returns the position of the pin.
    pub(crate) fn location(&mut self, field: &Field<Object<Gps>>) -> Option<Location> {
        let Object(Gps { lat, lng }) = self.value("location", field)?;
        position(self.number("location", &lat), self.number("location", &lng))
    }

    /// Returns a price in crowns. Portals send 0 or 1 for a price on request. A price in another currency is rejected.
    pub(crate) fn price_in_crowns(
        &mut self,
        price: &Field<Number>,
        currency: &Field<Word>,
    ) -> Option<f64> {
        let price = self
            .number("priceTotal", price)
            .filter(|price| !(0.0..=1.0).contains(price))?;
        match self.word("priceTotal", currency) {
            Some(currency) if currency != "CZK" => {
                self.reject(
                    "priceTotal",
                    format!("{price} {currency}"),
                    "a currency other than CZK",
                );
                None
            }
            _ => Some(price),
        }
    }

    /// Converts a storey number or a number of storeys to the width of its column, and rejects a number that does not
    /// fit.
    pub(crate) fn storey(&mut self, name: &str, number: f64) -> Option<i16> {
        let narrow =
            (number.fract() == 0.0 && number.abs() < f64::from(i16::MAX)).then_some(number as i16);
        if narrow.is_none() {
            self.reject(name, number, "not a number of storeys");
        }
        narrow
    }
}
