//! What the address registry makes of an address.

use crate::places::{Codes, Level};

/// How an address stands in the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resolved {
    /// The finest part that the registry knows.
    pub level: Level,
    /// The registry's codes of it and of what it lies in; none where the address is [`Certainty::Ambiguous`].
    pub codes: Codes,
    /// How sure that is.
    pub certainty: Certainty,
}

/// How sure it is which place of the registry an address means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Several places fit as well: nothing is taken over from any of them.
    Ambiguous,
    /// A name was misspelt, or something of the address says nothing to the registry.
    Corrected,
    /// Every part is a name of the place or of what it lies in.
    Exact,
}
