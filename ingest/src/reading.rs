//! What an adapter returns for one payload.

use schema::Listing;
use serde_json::Value;

/// An adapter: the function that reads one payload of a portal.
pub type ReadPayload = fn(&Value) -> Result<Reading, PayloadError>;

/// A published value that was left out of the listing, and why. The rest of the listing is kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ValueReject {
    /// The spec's field that the value was meant for, for example `floor`, or the portal's own name if the spec has no
    /// field for it.
    pub field: String,
    /// The value as published or as converted to the field's unit, cut to a readable length.
    pub value: String,
    /// Why the value was left out. The same reason always has the same words, so that rejects can be counted by reason.
    pub reason: String,
}

impl ValueReject {
    /// How many characters of a value are kept: enough to recognise the value, too few for an advert's whole text.
    const VALUE_CHARS: usize = 120;

    /// Records that `value` was left out of `field` for `reason`.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers pass numbers, texts and literals without a borrow"
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

/// What an adapter returns for one payload.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Reading {
    /// The listing in the spec's vocabulary, with the evidence that is not served.
    pub listing: Listing,
    /// The URL of the listing's page on the portal, if the payload has it or its parts.
    pub url: Option<String>,
    /// Whether the payload is a brief form of the advert, such as a list item: what it leaves out may still be so.
    #[serde(skip_serializing_if = "is_false")]
    pub brief: bool,
    /// The published values that were left out. They are counted, and show where a code table needs an entry.
    pub unread: Vec<ValueReject>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Why a payload has no listing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    /// The payload is not of the kind that the portal sends.
    #[error("the payload is {found}, expected {expected}")]
    Shape {
        /// What the portal sends, for example `an advert object`.
        expected: &'static str,
        /// What the payload is, for example `an array`.
        found: &'static str,
    },
    /// The payload lacks a part that every listing has.
    #[error("the payload has no {part}, which every {kind} carries")]
    Missing {
        /// The portal's name of the missing part.
        part: &'static str,
        /// The kind of payload, for example `sreality v1 detail`.
        kind: &'static str,
    },
    /// The page's HTML would take too long to parse: it was made to be slow, or is more broken than any portal's page.
    #[error("the page's HTML is not parsed: {how}")]
    Tangled {
        /// What is wrong with it, for example `a tag or comment is longer than 128 KiB`.
        how: &'static str,
    },
    /// The portal answers that it no longer advertises the listing. This is not an error of the input but an
    /// observation of the listing's end.
    #[error("the portal answers that it no longer advertises the listing ({said})")]
    Gone {
        /// How the portal says so, for example `advert is null`.
        said: &'static str,
    },
}

impl PayloadError {
    /// Makes the [`PayloadError::Shape`] for a `value` that is not `expected`.
    pub(crate) fn shape(expected: &'static str, value: &Value) -> Self {
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
