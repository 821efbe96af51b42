//! The model's one table: the match weight of each comparison level.
//!
//! A weight is log₂ of a likelihood ratio: how much more often two adverts of one property reach
//! the level than two random adverts of the same kind in the same municipality. The weights come
//! from knowledge of the market and from labelled sets; `docs/MATCHING.md` gives the reasons. A
//! missing value reaches no level and weighs nothing.

/// One way in which two values agree or differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The level in plain words, as explanations print it.
    pub words: &'static str,
    /// Match weight: log₂ of the likelihood ratio.
    pub weight: f32,
    /// Its place in [`LEVELS`]; the prior is behind the last level.
    pub(crate) number: usize,
}

/// The weight of a pair before anything is compared.
pub const PRIOR: Level = Level {
    words: "two adverts of one kind in one municipality",
    weight: -8.0,
    number: NAMES.len(),
};

/// A pair of at least this match weight is a link.
pub(crate) const LINK: f32 = 0.0;

/// Pairs below this match weight are not stored: no other listing could still join them.
pub(crate) const KEPT: f32 = -6.0;

/// Declares the levels of each comparison, and [`LEVELS`] with all of them.
macro_rules! levels {
    ($($(#[$doc:meta])* $comparison:ident {
        $($(#[$note:meta])* $name:ident = $weight:literal, $words:literal;)+
    })+) => {
        $(
            $(#[$doc])*
            pub(crate) mod $comparison {
                use super::{Level, number};

                $($(#[$note])* pub(crate) const $name: Level = Level {
                    words: $words,
                    weight: $weight,
                    number: number(stringify!($comparison), stringify!($name)),
                };)+
            }
        )+

        /// The comparison and the name of every level.
        const NAMES: &[(&str, &str)] = &[
            $($((stringify!($comparison), stringify!($name)),)+)+
        ];

        /// Every level, with the name of the comparison that reaches it.
        pub const LEVELS: &[(&str, Level)] = &[
            $($((stringify!($comparison), $comparison::$name),)+)+
        ];
    };
}

/// The place of a level among all levels.
const fn number(comparison: &str, name: &str) -> usize {
    let mut place = 0;
    while place < NAMES.len() {
        if equal(NAMES[place].0, comparison) && equal(NAMES[place].1, name) {
            return place;
        }
        place += 1;
    }
    place
}

const fn equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut place = 0;
    while place < one.len() {
        if one[place] != other[place] {
            return false;
        }
        place += 1;
    }
    true
}

levels! {
    /// Street, house number, pin and quarter: one comparison, because they depend on each other.
    place {
        /// By RÚIAN code.
        ADDRESS_POINT = 10.0, "the same address point";
        STREET_AND_POINT = 8.2, "the same street, and pins at a point that few adverts share";
        POINT = 7.2, "pins at one point that few adverts share";
        PIN_25 = 6.5, "exact pins within 25 m";
        HOUSE = 5.6, "the same house number";
        STREET_AND_PIN = 4.4, "the same street, pins within 60 m";
        STREET = 4.6, "the same street";
        STREET_IN_TEXT = 4.4, "the text of one names the street of the other";
        PIN_100 = 4.4, "pins within 100 m";
        SHARED_POINT = 4.0, "pins at one point that some adverts share";
        VILLAGE = 4.4, "the same small municipality";
        POSTAL_TOWN_AND_NAME = 3.6,
            "one names only the nearest town; a text names the other's street or quarter";
        POSTAL_TOWN_AND_PIN = 3.2, "one may name only the nearest town; pins within 2 km";
        PIN_300 = 3.0, "pins within 300 m";
        QUARTER = 2.6, "the same quarter";
        MUNICIPALITY = 2.2, "the same municipality";
        PIN_1000 = 1.6, "pins within 1 km";
        /// One names only the town whose post office or district the other lies in.
        POSTAL_TOWN = 0.4, "one may name only the nearest town";
        /// From 80,000 inhabitants on: two random adverts of the city share little else.
        LARGE_CITY = 0.2, "the same large city";
        /// Praha has ten times the adverts of a large city.
        CAPITAL = -0.6, "both in Praha";
        PIN_FAR = -3.0, "pins over 1 km apart";
        COARSE_PIN_FAR = -3.6, "pins of unknown precision over 3 km apart";
        PIN_VERY_FAR = -4.0, "pins over 4 km apart";
        DIFFERENT_QUARTER = -4.4, "different quarters";
        DIFFERENT_MUNICIPALITY = -4.8, "different municipalities";
        DIFFERENT_STREET = -6.0, "different streets";
    }

    /// Property type and subtype.
    kind {
        SUBTYPE = 1.0, "the same subtype";
        DIFFERENT_SUBTYPE = -0.2, "different subtypes";
        /// Portals file one property under different types.
        DIFFERENT_TYPE = -1.6, "different property types";
    }

    /// Living area, or the plot if land is offered.
    size {
        /// At least 1,000 m² and not a multiple of 100.
        DISTINCTIVE = 6.6, "equal, and not a round number";
        /// Both areas have decimals.
        EXACT = 6.0, "equal to a tenth of a m²";
        DISTINCTIVE_IN_TEXT = 6.0,
            "the text of one states the size of the other, which is not a round number";
        SWAPPED = 6.0, "living area and plot swapped";
        EQUAL = 4.2, "equal";
        IN_TEXT = 4.0, "the text of one states the size of the other";
        ROUNDED = 2.2, "equal when rounded";
        /// Rooms and garages come in few sizes.
        EQUAL_SMALL = 2.8, "equal, under 25 m²";
        SMALL_IN_TEXT = 1.8, "the text of one states the size of the other, under 25 m²";
        NEAR = -0.4, "within 3 %";
        CLOSE = -0.6, "within 8 %";
        /// Houses: what counts as living area is a matter of opinion.
        DIFFERENT_ON_ONE_PLOT = -0.6, "different, but the plots are equal";
        /// One area may include the balcony or loggia. Land that differs by more than 3 %.
        OFF = -3.0, "within 20 %";
        DIFFERENT = -6.0, "different";
    }

    /// Plot of a house.
    plot {
        EQUAL = 4.8, "equal plots";
        IN_TEXT = 4.6, "the text of one states the plot of the other";
        NEAR = -2.0, "plots within 3 %";
        OFF = -5.0, "plots within 20 %";
        DIFFERENT = -5.2, "different plots";
    }

    /// Room layout (dispozice).
    layout {
        EQUAL = 0.2, "the same layout";
        /// `1+0` and `1+kk`: a garsoniéra is called either.
        ONE_ROOM = -0.4, "one room, named differently";
        /// Such as `2+kk` and `2+1`.
        CONFUSED = -2.4, "layouts that are often confused";
        NEXT = -4.4, "one room apart";
        DIFFERENT = -6.0, "different layouts";
    }

    /// Floor of the unit and number of storeys.
    floor {
        /// Texts distinguish `2. patro` from `3. NP`.
        EQUAL_IN_TEXTS = 2.6, "the same floor in both texts";
        EQUAL = 2.2, "the same floor";
        STOREYS = 0.8, "the same number of storeys";
        /// Portals count the ground floor as 0 or as 1.
        NEXT = -1.6, "one floor apart";
        DIFFERENT_STOREYS = -2.6, "different numbers of storeys";
        DIFFERENT = -4.8, "different floors";
        NEXT_IN_TEXTS = -6.2, "one floor apart in the texts";
        DIFFERENT_IN_TEXTS = -7.6, "different floors in the texts";
        /// Flats above each other share layout and size, so layout and size say less there.
        STACKED = -7.6, "different floors on one street";
    }

    /// Price and price history.
    price {
        /// At least two equal prices, each asked from about the same time.
        HISTORY = 9.4, "the same price changes";
        /// At least four digits before the zeros, and no round price less one.
        EQUAL_DISTINCTIVE = 6.0, "the same price, and not a round one";
        EQUAL = 4.4, "the same price";
        /// Rooms and garages come in few prices.
        EQUAL_SMALL = 3.4, "the same price, under 25 m²";
        IN_TEXT = 3.2, "the text of one states the price of the other";
        EQUAL_ONCE = 2.4, "the same price at another time";
        /// Few adverts leave the price out; those of one property often all do.
        NEITHER = 3.0, "neither states a price";
        /// Fees or commission.
        WITH_FEES = 1.0, "the prices differ by an amount that a text states";
        /// Owners do not ask for the commission that an agency adds.
        WITH_COMMISSION = 0.2, "an owner asks less without an agency than the other, within 8 %";
        /// The last price of the earlier advert and the first of the later.
        CLOSE_LATER = -0.2, "prices within 8 %, one after the other";
        /// Prices asked at the same time.
        CLOSE = -1.4, "prices within 8 %";
        /// The price is on request.
        ONLY_ONE = 0.0, "only one states a price";
        OFF_LATER = -1.6, "prices within 20 %, one after the other";
        OFF = -4.4, "prices within 20 %";
        DIFFERENT = -4.6, "different prices";
        DIFFERENT_LATER = -4.6, "different prices, one after the other";
    }

    /// Title and description.
    text {
        COPY = 6.4, "the same text, numbers included";
        ALIKE = 3.4, "much of the text in common";
        PARTLY = 1.2, "some of the text in common";
        /// A typing error, or a text that a project uses for several units.
        COPY_DIFFERENT_FACT = 0.8, "the same text, but one of floor, size, plot and price differs";
        UNLIKE = 0.4, "little or no text in common";
        /// Few other facts tell two rooms or garages apart.
        UNLIKE_SMALL = -0.2, "little or no text in common, under 25 m²";
        ALIKE_DIFFERENT_NUMBERS = -1.0, "much of the text in common, but different numbers";
        NEAR_COPY_DIFFERENT_NUMBERS = -2.4, "most of the text in common, but different numbers";
        COPY_DIFFERENT_FACTS = -3.8, "the same text, but several facts differ";
        /// One agent with another unit, or at another time.
        COPY_DIFFERENT_NUMBERS = -5.4, "the same text, but different numbers";
    }

    /// Numbers that few adverts share.
    identifiers {
        COPY = 12.0, "one says that it is a copy of the other";
        ORDER = 10.0, "the same order number";
        PARCEL = 8.0, "the same parcel number";
        /// At most four adverts: probably the owner's number.
        RARE_PHONE = 7.6, "the same phone number, which few adverts state";
        UNIT = 5.6, "the same unit number";
        /// Several agencies may use the same short number.
        SHORT_ORDER = 4.4, "the same short order number";
        /// At most twelve adverts.
        OCCASIONAL_PHONE = 4.2, "the same phone number, which some adverts state";
        /// One or two characters.
        SHORT_UNIT = 1.6, "the same short unit number";
        COMMON_PHONE = -2.0, "the same phone number, which many adverts state";
        DIFFERENT_ORDER = -3.8, "one agency, different order numbers";
    }

    /// Parts of the property, such as a balcony or a cellar, and the direction it faces.
    parts {
        /// The area has decimals.
        PART = 3.2, "a part of exactly the same size";
        DIRECTION = 0.8, "facing the same direction";
        PART_ROUNDED = 1.2, "a part of the same size when rounded";
        DIFFERENT_PART = -4.6, "a part of a different size";
        DIFFERENT_DIRECTION = -7.4, "facing different directions";
    }

    /// Construction, ownership, energy class and year.
    building {
        OWNERSHIP = 2.2, "the same rare ownership";
        CONSTRUCTION = 0.4, "the same construction";
        YEAR = 0.6, "built in the same year";
        ENERGY = -0.2, "the same energy class";
        DIFFERENT_OWNERSHIP = -1.6, "different ownership";
        DIFFERENT_CONSTRUCTION = -2.0, "different construction";
        DIFFERENT_YEAR = -2.0, "built more than five years apart";
        DIFFERENT_ENERGY = -2.2, "different energy classes";
    }

    /// When both were advertised, and whether on one portal.
    time {
        /// An advert posted again.
        SUCCESSION_AT_ONCE = 3.0, "one follows the other on the same portal within two days";
        SAME_END = 4.0, "both disappeared within a day and a half on two portals";
        /// Few comparable adverts came on that day.
        SAME_START = 2.8, "both appeared within a day and a half on two portals";
        SUCCESSION = 1.6, "one follows the other on the same portal";
        SAME_START_AS_OTHERS = 1.0,
            "both appeared within a day and a half on two portals, as some others did";
        SAME_END_AS_OTHERS = 0.8,
            "both disappeared within a day and a half on two portals, as some others did";
        END_WITHIN_DAYS = 2.0, "both disappeared within four days on two portals";
        START_WITHIN_WEEKS = 1.0, "both appeared within three weeks on two portals";
        SUCCESSION_UNWATCHED = 0.7,
            "one was last seen before the other appeared on the same portal";
        END_WITHIN_WEEKS = 0.6, "both disappeared within three weeks on two portals";
        TOGETHER_ELSEWHERE = 0.4, "live at the same time on two portals";
        TOGETHER_UNWATCHED = -1.0, "both on one portal, whose removals are unknown";
        /// The earlier one may be older than the first crawl of its portal.
        START_AFTER = -1.4,
            "one appeared days or weeks after the first crawl that found the other";
        LONG_AGO = -1.6, "more than half a year between them";
        /// The earlier one may be older than the first crawl of its portal.
        START_LONG_AFTER = -1.8,
            "one appeared more than three weeks after the first crawl that found the other";
        START_FAR_APART = -2.0, "appeared more than five weeks apart on two portals";
        APART = -2.2, "on two portals, with weeks between them";
        /// Usually two units; sometimes one unit from two agencies.
        TOGETHER = -3.4, "both live on one portal at the same time";
        /// Nobody knows whether one agent advertises both.
        TOGETHER_WORDLESS = -5.0,
            "both live on one portal at the same time, one of them without a text";
        /// An agent does not pay twice for one unit.
        TOGETHER_ONE_AGENT = -17.0, "both live on one portal at the same time, from one agent";
    }
}

/// What look-alikes take off a link: if one portal shows several at the same time, they are
/// several units.
pub(crate) mod look_alikes {
    /// What each doubling of the number of candidates takes off.
    pub(crate) const EACH_DOUBLING: f32 = -2.8;
    /// The most that all look-alikes together take off.
    pub(crate) const MOST: f32 = -12.0;
    /// A look-alike does not count if it has another link that is heavier by at least this.
    pub(crate) const CLEARLY: f32 = 1.0;
}
