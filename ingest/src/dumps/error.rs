//! Why a line of a dump cannot be parsed.

use schema::Timestamp;

use super::object::JsonText;

/// Why a line cannot be parsed. Each message names the key, the value that was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The bytes are not UTF-8.
    #[error("the line is not UTF-8: byte {byte} is not part of a character")]
    NotUtf8 {
        /// The position of the first invalid byte, from 1.
        byte: usize,
    },
    /// The text is not JSON.
    #[error("broken JSON: {reason}")]
    BrokenJson {
        /// The parser's message, with the column.
        reason: String,
    },
    /// A required key is missing.
    #[error("{place} has no {key}")]
    Missing {
        /// The object, for example `the line`.
        place: &'static str,
        /// The missing key.
        key: String,
    },
    /// A key occurs twice.
    #[error("{place} has {key} twice")]
    RepeatedKey {
        /// The object.
        place: &'static str,
        /// The repeated key.
        key: String,
    },
    /// A key is unknown.
    #[error("{place} has the unknown key {key:?}; {hint}accepted: {accepted}")]
    Unknown {
        /// The object.
        place: &'static str,
        /// The key.
        key: String,
        /// `the nearest known one is "floor"; `, or empty if no known key is similar.
        hint: String,
        /// The known keys.
        accepted: String,
    },
    /// A value has the wrong type, is not in its enumeration, or is an impossible date.
    #[error("{name} is {value}; accepted: {accepted}")]
    NotAccepted {
        /// The key, with its object unless that is the line.
        name: String,
        /// The value, shortened.
        value: String,
        /// What is accepted.
        accepted: String,
    },
    /// The line was observed in the future.
    #[error(
        "observedAt is {at}; accepted: times up to {latest}, a day after this computer's clock"
    )]
    InFuture {
        /// The time on the line.
        at: Timestamp,
        /// The latest accepted time.
        latest: Timestamp,
    },
    /// The line does not have exactly one of the keys that say what it is.
    #[error("the line has {found}; accepted: exactly one of payload, listing, gone, crawl")]
    Kind {
        /// Which of them it has: `none of them`, or `payload and gone`.
        found: String,
    },
    /// The line is too long. Only its beginning is kept.
    #[error("the line is longer than the accepted {limit} bytes")]
    TooLong {
        /// The longest accepted line, in bytes.
        limit: usize,
    },
}

impl LineError {
    /// The error for the value of `name`, of which only `accepted` is.
    pub(super) fn not_accepted(name: &str, value: &JsonText, accepted: impl Into<String>) -> Self {
        Self::NotAccepted {
            name: name.to_owned(),
            value: shortened(value.get()),
            accepted: accepted.into(),
        }
    }

    /// The error for an unknown key of `place`, of which only `accepted` are known.
    pub(super) fn unknown(place: &'static str, key: &str, accepted: &[&str]) -> Self {
        let hint = nearest(key, accepted)
            .map(|nearest| format!("the nearest known one is {nearest:?}; "))
            .unwrap_or_default();
        Self::Unknown {
            place,
            key: shortened(key),
            hint,
            accepted: accepted.join(", "),
        }
    }
}

/// The known key that is most similar to `key`. `None` if no known key is similar.
fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    const LEAST_SIMILARITY: f64 = 0.75;
    let folded = key.to_ascii_lowercase().replace(['_', '-', ' '], "");
    let similarity = |known: &str| strsim::jaro_winkler(&folded, &known.to_ascii_lowercase());
    known
        .iter()
        .map(|known| (similarity(known), *known))
        .filter(|(similarity, _)| *similarity >= LEAST_SIMILARITY)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, known)| known)
}

/// The first 120 characters of a value: enough to recognise it, too few for the text of an advert.
fn shortened(value: &str) -> String {
    const MAX_CHARS: usize = 120;
    match value.char_indices().nth(MAX_CHARS) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", value.get(..end).unwrap_or_default()),
    }
}
