//! The levels of places and the codes that the registry gives them.

/// The kind of a place, from the largest to the smallest.
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
    /// A house. Only the address registry knows houses.
    Address,
}

impl Level {
    /// The name of the level in messages.
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

/// The codes in the address registry (RÚIAN) of a place and of everything it lies in.
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
