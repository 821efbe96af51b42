//! What is advertised in the simulator.

/// The kinds of advert that the simulator makes; each portal has a fixture of each, which is what its page is made of.
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

    /// The name of the fixture that its pages are made of.
    pub fn fixture(self) -> &'static str {
        match self {
            Self::FlatSale => "flat-sale",
            Self::FlatRent => "flat-rent",
            Self::HouseSale => "house-sale",
            Self::LandSale => "land-sale",
        }
    }
}

/// One advert as it is at present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advert {
    /// The simulator's own number of it, unique on its portal: 1 and up.
    pub number: u64,
    /// What it advertises.
    pub kind: Kind,
    /// The price in CZK (of a rent: a month); at least 1,000.
    pub price: u64,
    /// How often its text was rewritten; 0 at first. The text says the number in a sentence of its own.
    pub revision: u32,
}

/// The sentence by which the text of an advert says its number and revision, so that every advert is another one and a
/// rewritten text is seen in the database.
pub fn sentence(advert: &Advert) -> String {
    format!(
        "Nabídka číslo {} ve znění {}.",
        advert.number, advert.revision
    )
}
