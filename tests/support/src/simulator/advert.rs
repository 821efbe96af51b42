//! The adverts of the simulator.

/// The kinds of advert in the simulator. Each portal has a fixture of each kind, from which its pages are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The fixture `flat-sale`.
    FlatSale,
    /// The fixture `flat-rent`.
    FlatRent,
    /// The fixture `house-sale`.
    HouseSale,
    /// The fixture `land-sale`.
    LandSale,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [
        Self::FlatSale,
        Self::FlatRent,
        Self::HouseSale,
        Self::LandSale,
    ];

    /// The name of the fixture from which its pages are made.
    pub fn fixture(self) -> &'static str {
        match self {
            Self::FlatSale => "flat-sale",
            Self::FlatRent => "flat-rent",
            Self::HouseSale => "house-sale",
            Self::LandSale => "land-sale",
        }
    }
}

/// The current version of an advert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advert {
    /// The simulator's number of the advert, unique on its portal, from 1.
    pub number: u64,
    /// What it advertises.
    pub kind: Kind,
    /// The price in CZK, per month if it is a rent. At least 1,000.
    pub price: u64,
    /// How often its text was rewritten. The text states this number.
    pub revision: u32,
}

/// The sentence in which the text of an advert states its number and revision. It makes every advert's text different, and
/// a rewritten text recognisable in the database.
pub fn sentence(advert: &Advert) -> String {
    format!(
        "Nabídka číslo {} ve znění {}.",
        advert.number, advert.revision
    )
}
