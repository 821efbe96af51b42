//! The agency's order numbers (číslo zakázky), hashed for comparison.

use czech::order_code::plain_order_code;

use crate::profile::{Hash, hash};

/// An agency's order number. It is unique within one agency only, so a short one is weak evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderCode {
    /// The number, without what portals add to it.
    pub code: Hash,
    /// Letters as they are, digits as `0`: `ZKR3413` and `ZKR3416` have one shape.
    pub shape: Hash,
    /// How many letters and digits it has.
    pub length: u8,
    /// Whether it has letters. Only then does its shape distinguish agencies.
    pub lettered: bool,
}

impl OrderCode {
    /// The order number in `code`; `None` if it has neither letter nor digit. `IDNES-N116466` and `n116466` are equal.
    pub fn parse(code: &str) -> Option<Self> {
        let plain = plain_order_code(code);
        let shape: String = plain
            .chars()
            .map(|sign| if sign.is_ascii_digit() { '0' } else { sign })
            .collect();
        (!plain.is_empty()).then(|| Self {
            code: hash(&["order", &plain]),
            shape: hash(&["shape", &shape]),
            length: u8::try_from(plain.len()).unwrap_or(u8::MAX),
            lettered: shape.bytes().any(|sign| sign != b'0'),
        })
    }
}
