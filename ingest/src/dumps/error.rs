//! Why a line could not be read.

use super::object::JsonText;

/// A line that cannot be read. Each cause names the thing, the value found and what would have been accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The bytes are no text.
    #[error("no UTF-8: byte {byte} of the line does not belong to any character")]
    NotUtf8 {
        /// Position of the first such byte, counted from 1.
        byte: usize,
    },
    /// The text is no JSON.
    #[error("broken JSON: {reason}")]
    BrokenJson {
        /// What the parser said, with the column.
        reason: String,
    },
    /// A key that every such object carries is missing.
    #[error("{place} has no {key}")]
    Missing {
        /// The object, for example `the line`.
        place: &'static str,
        /// The missing key.
        key: String,
    },
    /// A key stands twice: which value is meant cannot be told.
    #[error("{place} has {key} twice")]
    Twice {
        /// The object.
        place: &'static str,
        /// The repeated key.
        key: String,
    },
    /// A key that the object does not have.
    #[error("{place} has the unknown key {key:?}; {hint}accepted: {accepted}")]
    Unknown {
        /// The object.
        place: &'static str,
        /// The key as it stands.
        key: String,
        /// `the nearest is "floor"; `, or nothing where none is near.
        hint: String,
        /// The keys it may have.
        accepted: String,
    },
    /// A value of another type, outside its enumeration, or an impossible date.
    #[error("{name} is {value}; accepted: {accepted}")]
    NotAccepted {
        /// The key, with the object it stands in where that is not the line.
        name: String,
        /// The value as it stands, shortened.
        value: String,
        /// What is accepted there.
        accepted: String,
    },
    /// The keys contradict each other.
    #[error("the line has {found}; accepted: exactly one of payload, listing, gone, crawl")]
    Kind {
        /// What it has: `none of them`, or `payload and gone`.
        found: String,
    },
    /// The line is longer than any listing is. Only its beginning is kept.
    #[error("the line is longer than {limit} bytes; accepted: up to that many")]
    TooLong {
        /// The longest line that is read.
        limit: usize,
    },
}

impl LineError {
    /// `name` holds `value`, where only `accepted` is.
    pub(super) fn not_accepted(name: &str, value: &JsonText, accepted: impl Into<String>) -> Self {
        Self::NotAccepted {
            name: name.to_owned(),
            value: shortened(value.get()),
            accepted: accepted.into(),
        }
    }

    /// `place` has the unknown key `key`, where only `accepted` are.
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

/// The known key that `key` most resembles; `None` where it resembles none.
fn nearest<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    let folded = key.to_ascii_lowercase().replace(['_', '-', ' '], "");
    let likeness = |known: &str| strsim::jaro_winkler(&folded, &known.to_ascii_lowercase());
    known
        .iter()
        .map(|known| (likeness(known), *known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, known)| known)
}

/// At most 120 characters of a value: enough to recognise it, too little for a whole advert text.
fn shortened(value: &str) -> String {
    const CHARS: usize = 120;
    match value.char_indices().nth(CHARS) {
        None => value.to_owned(),
        Some((end, _)) => format!("{}…", value.get(..end).unwrap_or_default()),
    }
}
