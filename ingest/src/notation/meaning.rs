//! What a published word means in the spec's vocabulary.

/// A word that was understood. A word that was not is `None` around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning<T> {
    /// The spec has a value for it.
    Value(T),
    /// Understood, but the spec has no value for it (a sewage plant of one's own, "jiná" construction): the field is
    /// left out, and nothing is amiss.
    Unexpressed,
}

impl<T> Meaning<T> {
    /// The value, `None` where the spec has none.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Unexpressed => None,
        }
    }
}
