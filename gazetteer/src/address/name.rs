//! Names of places.

use czech::names::place_key;

/// A name as a portal wrote it, with the match key that its other spellings share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// As written, without words that do not belong to the name.
    pub written: String,
    /// The match key. Compare keys, never the written forms.
    pub key: String,
}

impl Name {
    /// The name of a place; `None` if `written` has neither letter nor digit.
    pub(crate) fn place(written: &str) -> Option<Self> {
        let key = place_key(written);
        (!key.is_empty()).then(|| Self {
            written: written.trim().to_owned(),
            key,
        })
    }
}
