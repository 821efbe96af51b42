//! The place of the address registry that an address means.

/// The kinds of places, from the largest to the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Kraj.
    Region,
    /// Okres.
    District,
    /// Obec, or the area of a postal code.
    Municipality,
    /// Část obce, městská část, numbered city district.
    Quarter,
    /// Ulice.
    Street,
    /// An address point. Only an address registry knows these.
    Address,
}

impl Level {
    /// The word for it in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::District => "district",
            Self::Municipality => "municipality",
            Self::Quarter => "quarter",
            Self::Street => "street",
            Self::Address => "address",
        }
    }
}

/// The codes in the address registry (RÚIAN) of a place and of the places that it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Codes {
    /// Adresní místo.
    pub address_place: Option<u32>,
    /// Ulice.
    pub street: Option<u32>,
    /// Část obce.
    pub quarter: Option<u32>,
    /// Městská část, městský obvod.
    pub city_part: Option<u32>,
    /// Obec.
    pub municipality: Option<u32>,
}

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
