//! How many listings share a point on the map or a phone number: what unrelated adverts share says little.

/// How many listings of one kind of offer share a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// At most four: the adverts of one property on several portals.
    Few,
    /// At most twelve.
    Several,
    /// More: the middle of a quarter, the phone of an agency.
    Many,
}

impl Sharing {
    /// The most listings that still make a difference to be counted.
    pub const COUNTED: usize = 13;

    /// Of a value that `count` listings have.
    pub fn of(count: usize) -> Self {
        match count {
            0..=4 => Self::Few,
            5..=12 => Self::Several,
            _ => Self::Many,
        }
    }
}

/// How many share what a listing states; counted over the set of listings, so that it changes as others come and go.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// Its pin, to eleven metres.
    pub pin: Sharing,
    /// Its phone numbers, in their order.
    pub phones: Box<[Sharing]>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            pin: Sharing::Few,
            phones: Box::default(),
        }
    }
}
