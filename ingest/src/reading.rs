//! What a portal's adapter makes of one payload.

use schema::Listing;
use serde_json::Value;

use crate::sense::keep_sense;

/// Reads one payload of a portal: its adapter.
pub type ReadPayload = fn(&Value) -> Result<Reading, PayloadError>;

/// A published value that was left out of the listing, and why. The listing itself is kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ValueReject {
    /// The spec's field the value was meant for, for example `floor`; the portal's own name where no field takes it.
    pub field: String,
    /// The value as published, or as converted to the field's unit, shortened to a legible length.
    pub value: String,
    /// Why it was left out. The same words for the same reason, so that rejects can be counted by it.
    pub reason: String,
}

impl ValueReject {
    /// How much of a value is kept: enough to recognise it, too little for a whole advert text.
    const VALUE_CHARS: usize = 120;

    /// `value` was not taken over into `field`, for `reason`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers, texts and literals are handed over as they are"
    )]
    pub fn new(field: &str, value: impl ToString, reason: &str) -> Self {
        let value = value.to_string().chars().take(Self::VALUE_CHARS).collect();
        Self {
            field: field.to_owned(),
            value,
            reason: reason.to_owned(),
        }
    }
}

/// What an adapter makes of one payload.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Reading {
    /// The listing in the spec's vocabulary, with the evidence that is not served.
    pub listing: Listing,
    /// The listing's page on the portal, where the payload names it or it can be built from what the payload says.
    pub url: Option<String>,
    /// Values that were published but not understood or outside sense: counted, and a cue for the code tables.
    pub unread: Vec<ValueReject>,
}

impl Reading {
    /// The reading without the values outside sense, which it notes. Every adapter hands its reading over like this.
    #[must_use]
    pub fn sensible(mut self) -> Self {
        self.unread.extend(keep_sense(&mut self.listing));
        self
    }
}

/// Why a payload yields no listing at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// The payload is another kind of thing than the portal sends.
    #[error("the payload is {found}, expected {expected}")]
    Shape {
        /// What the portal sends, for example `an advert object`.
        expected: &'static str,
        /// What came, for example `an array`.
        found: &'static str,
    },
    /// A part without which no listing can be read is missing.
    #[error("the payload has no {part}, which every {kind} carries")]
    Missing {
        /// The portal's name of the missing part.
        part: &'static str,
        /// The kind of payload that was recognised, for example `sreality v1 detail`.
        kind: &'static str,
    },
    /// The page's HTML is made to be slow, or broken beyond what portals send.
    #[error("the page's HTML is not read: {how}")]
    Tangled {
        /// What about it, for example `a tag or comment is longer than 128 KiB`.
        how: &'static str,
    },
    /// The portal itself answers that it no longer advertises the listing. Not a fault of the input: it is an
    /// observation of the listing's end.
    #[error("the portal answers that it no longer advertises the listing ({said})")]
    Gone {
        /// How it said so, for example `advert is null`.
        said: &'static str,
    },
}

impl PayloadError {
    /// The `Shape` error for `value`, which is not `expected`.
    pub fn shape(expected: &'static str, value: &Value) -> Self {
        let found = match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object of another kind",
        };
        Self::Shape { expected, found }
    }
}
