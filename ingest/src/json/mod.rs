//! Lenient reading of a portal's JSON: a field of another type than the portal sends is noted and left out, the listing
//! is kept.

use schema::Location;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::reading::ValueReject;

/// A field of a payload, which may be missing or of a type that cannot be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field<T> {
    /// Not sent, or null.
    #[default]
    Absent,
    /// Sent and read.
    Read(T),
    /// Sent as something else; what it was.
    Wrong(Value),
}

impl<T> Field<T> {
    /// The value, `None` where there is none that could be read.
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Absent | Self::Wrong(_) => None,
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(match value {
            Value::Null => Self::Absent,
            value => T::deserialize(&value).map_or_else(|_| Self::Wrong(value.clone()), Self::Read),
        })
    }
}

/// A JSON object read as `T`. Serde would fill a struct from an array by position as well; this refuses one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object<T>(pub T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if !value.is_object() {
            return Err(D::Error::custom("not an object"));
        }
        T::deserialize(value).map(Self).map_err(D::Error::custom)
    }
}

/// Some of an object's fields. Cannot fail: every field of `T` reads leniently and the object is one.
pub fn part<T: DeserializeOwned + Default>(object: &Value) -> T {
    T::deserialize(object).unwrap_or_default()
}

/// A finite number, sent as a number or as its decimal text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure(pub f64);

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let figure = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        figure
            .filter(|figure: &f64| figure.is_finite())
            .map(Self)
            .ok_or_else(|| D::Error::custom("not a number"))
    }
}

/// A position.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Gps {
    /// Latitude, north positive.
    pub lat: Field<Figure>,
    /// Longitude, east positive.
    pub lng: Field<Figure>,
}

/// A yes or no, sent as a boolean or as 1 and 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Bool(flag) => Ok(Self(flag)),
            Value::Number(number) if number.as_u64() == Some(0) => Ok(Self(false)),
            Value::Number(number) if number.as_u64() == Some(1) => Ok(Self(true)),
            _ => Err(D::Error::custom("not a yes or no")),
        }
    }
}

/// A short text or a number that stands for one, such as an id or a house number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err(D::Error::custom("neither a text nor a number")),
        }
    }
}

/// The values of one payload that were published and not taken over, gathered while it is read.
#[derive(Debug, Default)]
pub struct Unread(Vec<ValueReject>);

impl Unread {
    /// Reason for a value of another type than the portal sends.
    pub const WRONG_TYPE: &'static str = "of a type the portal does not send";
    /// Reason for a code that the portal's code tables do not list.
    pub const UNKNOWN_CODE: &'static str = "not in the portal's code table";

    /// Notes that `value`, meant for `field`, was not taken over.
    pub fn note(&mut self, field: &str, value: impl ToString, reason: &str) {
        self.0.push(ValueReject::new(field, value, reason));
    }

    /// Everything noted.
    pub fn into_rejects(self) -> Vec<ValueReject> {
        self.0
    }

    /// The value of a field, `None` where it is absent or, noted, of the wrong type.
    pub fn read<T: Clone>(&mut self, name: &str, field: &Field<T>) -> Option<T> {
        match field {
            Field::Absent => None,
            Field::Read(value) => Some(value.clone()),
            Field::Wrong(value) => {
                self.note(name, value, Self::WRONG_TYPE);
                None
            }
        }
    }

    /// A text exactly as written, `None` where it is blank.
    pub fn prose(&mut self, name: &str, field: &Field<String>) -> Option<String> {
        self.read(name, field)
            .filter(|text| !text.trim().is_empty())
    }

    /// A short text without the space around it, `None` where it is blank.
    pub fn word(&mut self, name: &str, field: &Field<Word>) -> Option<String> {
        let Word(text) = self.read(name, field)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A number.
    pub fn figure(&mut self, name: &str, field: &Field<Figure>) -> Option<f64> {
        self.read(name, field).map(|Figure(figure)| figure)
    }

    /// An amount of something, where the portal writes 0 for "not given".
    pub fn amount(&mut self, name: &str, field: &Field<Figure>) -> Option<f64> {
        self.figure(name, field).filter(|amount| *amount != 0.0)
    }

    /// A yes or no.
    pub fn flag(&mut self, name: &str, field: &Field<Flag>) -> Option<bool> {
        self.read(name, field).map(|Flag(flag)| flag)
    }

    /// The meaning of a value of an enumeration, `None` where it is absent or, noted, not in the table.
    pub fn meaning<T: Copy>(
        &mut self,
        table: &[(&str, T)],
        name: &str,
        field: &Field<Word>,
    ) -> Option<T> {
        let value = self.word(name, field)?;
        let meaning = look_up(table, &value.as_str());
        if meaning.is_none() {
            self.note(name, value, Self::UNKNOWN_CODE);
        }
        meaning
    }

    /// Where the pin stands.
    pub fn pin(&mut self, field: &Field<Object<Gps>>) -> Option<Location> {
        let Object(Gps { lat, lng }) = self.read("location", field)?;
        position(self.figure("location", &lat), self.figure("location", &lng))
    }

    /// A price that asks something in crowns. 0 and 1 are how portals say that it is on request; one in another
    /// currency is noted.
    pub fn crowns(&mut self, price: &Field<Figure>, currency: &Field<Word>) -> Option<f64> {
        let price = self
            .figure("priceTotal", price)
            .filter(|price| !(0.0..=1.0).contains(price))?;
        match self.word("priceTotal", currency) {
            Some(currency) if currency != "CZK" => {
                self.note(
                    "priceTotal",
                    format!("{price} {currency}"),
                    "a currency other than CZK",
                );
                None
            }
            _ => Some(price),
        }
    }

    /// A whole number of storeys in a narrow column, noted and `None` where it is none.
    pub fn storey(&mut self, name: &str, number: f64) -> Option<i16> {
        let narrow =
            (number.fract() == 0.0 && number.abs() < f64::from(i16::MAX)).then_some(number as i16);
        if narrow.is_none() {
            self.note(name, number, "not a number of storeys");
        }
        narrow
    }
}

/// The value that a code table gives for a key.
pub fn look_up<K: PartialEq, V: Copy>(table: &[(K, V)], key: &K) -> Option<V> {
    table
        .iter()
        .find(|(code, _)| code == key)
        .map(|(_, value)| *value)
}

/// A position; 0, 0 is how portals say that they know none.
pub fn position(lat: Option<f64>, lng: Option<f64>) -> Option<Location> {
    let (lat, lng) = lat.zip(lng)?;
    (lat != 0.0 || lng != 0.0).then_some(Location { lat, lng })
}

/// The floor of a storey that is counted from 1 at the ground, yet cellars from −1: 1 and above move down by one.
pub fn from_ground(storey: f64) -> f64 {
    if storey >= 1.0 { storey - 1.0 } else { storey }
}

/// Whether a feature is there: an area proves it whatever the flag says; a "no" counts only where the portal made the
/// advertiser answer, for elsewhere it is only the form's untouched default.
pub fn feature(area: Option<f64>, flag: Option<bool>, asked: bool) -> Option<bool> {
    if area.is_some_and(|area| area > 0.0) {
        return Some(true);
    }
    flag.filter(|present| *present || asked)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_figure_is_a_finite_number_or_its_text() {
        let figure = |value: Value| Figure::deserialize(value).ok().map(|Figure(figure)| figure);
        assert_eq!(figure(json!(12.5)), Some(12.5));
        assert_eq!(figure(json!(" -3 ")), Some(-3.0));
        for text in ["NaN", "inf", "-infinity", "1e999", "", "12 m²"] {
            assert_eq!(figure(json!(text)), None, "{text}");
        }
    }

    #[test]
    fn floors_count_from_the_ground() {
        assert_eq!(
            [3.0, 1.0, 0.0, -1.0].map(|storey| from_ground(storey) as i16),
            [2, 0, 0, -1]
        );
    }

    #[test]
    fn nought_nought_is_no_position() {
        assert_eq!(position(Some(0.0), Some(0.0)), None);
        assert_eq!(position(Some(50.0), None), None);
        assert_eq!(
            position(Some(50.0), Some(0.0)),
            Some(Location {
                lat: 50.0,
                lng: 0.0
            })
        );
    }
}
