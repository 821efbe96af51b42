//! The place of the address registry that an address means.

use crate::level::{Codes, Level};

/// What the registry knows of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resolved {
    /// The smallest part of the address that the registry knows.
    pub level: Level,
    /// The registry's codes; empty if the address is [`Certainty::Ambiguous`].
    pub codes: Codes,
    /// How certain it is that the address means this place.
    pub certainty: Certainty,
}

/// How certain it is which place of the registry an address means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// Several places fit equally well, so nothing is taken from any of them.
    Ambiguous,
    /// A name was misspelt, or the registry does not know some part of the address.
    Corrected,
    /// Every part of the address is a name of the place, or of one that it lies in.
    Exact,
}
