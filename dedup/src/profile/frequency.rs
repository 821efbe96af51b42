//! How many listings share a pin, a phone number or a day. A value that unrelated adverts share says little.

/// How many listings of one kind of offer share a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frequency {
    /// At most four, such as the adverts of one property on several portals.
    Rare,
    /// At most twelve.
    Occasional,
    /// More, such as the middle of a quarter or the phone of an agency.
    Common,
}

impl Frequency {
    /// Counting may stop here: larger counts give the same frequency.
    pub const COUNT_LIMIT: usize = 13;

    /// The frequency of a value that `count` listings have.
    pub fn from_count(count: usize) -> Self {
        match count {
            0..=4 => Self::Rare,
            5..=12 => Self::Occasional,
            _ => Self::Common,
        }
    }
}

/// How frequent the values of a listing are in the whole set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueFrequencies {
    /// Frequency of the pin, rounded to eleven metres.
    pub pin: Frequency,
    /// Frequencies of the phone numbers, in the order of the profile.
    pub phones: Box<[Frequency]>,
    /// How many comparable listings appeared on the same day, on any portal. [`Frequency::Common`] if
    /// the first crawl of the portal found the listing, because then it may be older.
    pub first_day: Frequency,
    /// How many comparable listings disappeared on the same day, on any portal.
    pub last_day: Frequency,
}

impl Default for ValueFrequencies {
    fn default() -> Self {
        Self {
            pin: Frequency::Rare,
            phones: Box::default(),
            first_day: Frequency::Common,
            last_day: Frequency::Common,
        }
    }
}
