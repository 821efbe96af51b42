//! The meaning of a published word in the API's vocabulary.

/// A word that was understood. Readers return `None` for a word that was not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning<T> {
    /// The API has this value for it.
    Value(T),
    /// The API has no value for it (a private sewage plant, "jiná" construction). The field is left out, which is not
    /// an error.
    Unexpressed,
}

impl<T> Meaning<T> {
    /// The value; `None` if the API has none.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Unexpressed => None,
        }
    }
}
