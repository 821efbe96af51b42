//! The model's one table: what each agreement or disagreement weighs, in log₂ of how much likelier it is between two
//! adverts of one property than between two random adverts of the same kind in the same municipality.
//!
//! The figures come from knowledge of the market and were set by hand; `docs/MATCHING.md` gives the reasons. Missing
//! values have no row: they say nothing.

/// One way in which two values agree or differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The agreement in plain words.
    pub words: &'static str,
    /// log₂ of the likelihood ratio.
    pub weight: f32,
}

const fn level(words: &'static str, weight: f32) -> Level {
    Level { words, weight }
}

/// Odds that two random adverts of one kind in one municipality are the same property.
pub const PRIOR: Level = level("two adverts of one kind in one municipality", -8.0);

/// From here on two listings belong together.
pub const LINK: f32 = 0.0;

/// Below this a pair is not kept: nothing that another listing could add would join it.
pub const KEPT: f32 = -6.0;

/// Place: street, number, pin, quarter are one comparison, for its parts depend on each other.
pub mod place {
    use super::{Level, level};

    /// The same RÚIAN address point.
    pub const ADDRESS_POINT: Level = level("the same address point", 10.0);
    /// Street and building number agree.
    pub const HOUSE: Level = level("the same house number", 7.2);
    /// Street agrees, numbers agree in the part both give.
    pub const STREET: Level = level("the same street", 4.8);
    /// Street agrees and the pins lie close.
    pub const STREET_AND_PIN: Level = level("the same street, pins together", 4.6);
    /// The street of one is named in the text of the other.
    pub const STREET_IN_TEXT: Level = level("the street is named in the other text", 5.2);
    /// Street agrees, and hardly another advert shares the point.
    pub const STREET_AND_POINT: Level = level(
        "the same street, and a point that hardly another advert shares",
        8.2,
    );
    /// One point that hardly another advert shares.
    pub const POINT: Level = level("one point that hardly another advert shares", 7.2);
    /// One point that some adverts share.
    pub const SHARED_POINT: Level = level("one point that some adverts share", 4.0);
    /// Both pins mark the property and lie within 25 m.
    pub const PIN_25: Level = level("exact pins within 25 m", 6.5);
    /// Within 100 m.
    pub const PIN_100: Level = level("pins within 100 m", 4.4);
    /// Within 300 m.
    pub const PIN_300: Level = level("pins within 300 m", 3.0);
    /// Within 1 km.
    pub const PIN_1000: Level = level("pins within 1 km", 1.6);
    /// The same quarter.
    pub const QUARTER: Level = level("the same quarter", 2.4);
    /// The same municipality, and a small one.
    pub const VILLAGE: Level = level("the same small municipality", 3.6);
    /// The same municipality.
    pub const MUNICIPALITY: Level = level("the same municipality", 1.4);
    /// The same large city (80,000 inhabitants and more), of which a random pair would share little else.
    pub const LARGE_CITY: Level = level("the same large city", -0.8);
    /// Praha, with ten times the listings of a large city.
    pub const CAPITAL: Level = level("both in Praha", -2.6);
    /// Pins of unknown precision over 3 km apart in one municipality.
    pub const COARSE_PIN_FAR: Level = level("pins of unknown precision over 3 km apart", -3.6);
    /// Exact pins between 1 km and 4 km apart.
    pub const PIN_FAR: Level = level("pins over 1 km apart", -3.0);
    /// Exact pins further apart.
    pub const PIN_VERY_FAR: Level = level("pins over 4 km apart", -4.0);
    /// Different quarters.
    pub const OTHER_QUARTER: Level = level("different quarters", -4.4);
    /// Different streets.
    pub const OTHER_STREET: Level = level("different streets", -4.0);
    /// Different municipalities.
    pub const OTHER_MUNICIPALITY: Level = level("different municipalities", -4.8);
    /// One names only the town whose post office or district the other lies in.
    pub const POSTAL_TOWN: Level = level("one may name only the nearest town", -0.4);
    /// As above, and the text of one names the street or quarter of the other.
    pub const POSTAL_TOWN_AND_NAME: Level = level(
        "one names only the nearest town, its text the other's quarter or street",
        2.8,
    );
    /// As above, and the pins lie together.
    pub const POSTAL_TOWN_AND_PIN: Level =
        level("one may name only the nearest town, pins within 2 km", 3.2);
}

/// Size: living area, or the plot of land.
pub mod size {
    use super::{Level, level};

    /// Both give a fraction and it is the same.
    pub const EXACT: Level = level("equal to a tenth of a m²", 6.0);
    /// Equal whole figures.
    pub const EQUAL: Level = level("equal", 3.4);
    /// Equal whole figures under 25 m²: of rooms and garages there are few sizes.
    pub const EQUAL_SMALL: Level = level("equal, and small", 2.0);
    /// Equal figures of four digits and more that are not round.
    pub const TELLING: Level = level("equal, and no round figure", 6.6);
    /// As above, one of them in the text.
    pub const TELLING_IN_TEXT: Level = level(
        "the size of one, no round figure, stands in the text of the other",
        6.0,
    );
    /// One is the other rounded.
    pub const ROUNDED: Level = level("equal when rounded", 2.8);
    /// Within 3 %.
    pub const NEAR: Level = level("within 3 %", 0.6);
    /// Within 8 %.
    pub const CLOSE: Level = level("within 8 %", 0.0);
    /// Within 20 %: balcony or loggia counted in, other rules.
    pub const OFF: Level = level("within 20 %", -3.2);
    /// Further apart.
    pub const OTHER: Level = level("different", -6.0);
    /// Of houses on plots of one size: what counts as living area is a matter of opinion.
    pub const OTHER_ON_ONE_PLOT: Level = level("different, but the plots are equal", -0.6);
    /// The living area of each is the plot of the other.
    pub const SWAPPED: Level = level("living area and plot exchanged", 6.0);
    /// One size is stated in the text of the other.
    pub const IN_TEXT: Level = level("the size of one stands in the text of the other", 4.0);
}

/// Plot of a house.
pub mod plot {
    use super::{Level, level};

    /// The same plot area.
    pub const EQUAL: Level = level("equal plots", 4.8);
    /// The plot of one is stated in the text of the other.
    pub const IN_TEXT: Level = level("the plot of one stands in the text of the other", 4.6);
    /// Within 3 %.
    pub const NEAR: Level = level("plots within 3 %", 0.8);
    /// Within 20 %.
    pub const OFF: Level = level("plots within 20 %", -2.6);
    /// Further apart.
    pub const OTHER: Level = level("different plots", -5.2);
}

/// Room layout.
pub mod layout {
    use super::{Level, level};

    /// The same layout.
    pub const EQUAL: Level = level("the same layout", 0.2);
    /// 2+kk and 2+1, 1+0 and 1+kk: portals and agents confuse them.
    pub const CONFUSED: Level = level("layouts that are often confused", -2.4);
    /// 1+0 and 1+kk: a garsoniéra is called either.
    pub const ONE_ROOM: Level = level("one room, under two names", -0.4);
    /// One room more or less.
    pub const NEXT: Level = level("one room apart", -4.4);
    /// Further apart.
    pub const OTHER: Level = level("different layouts", -6.0);
}

/// Property type and subtype.
pub mod kind {
    use super::{Level, level};

    /// The same subtype.
    pub const SUBTYPE: Level = level("the same subtype", 1.6);
    /// Different subtypes of one type.
    pub const OTHER_SUBTYPE: Level = level("different subtypes", -0.6);
    /// Types that portals file the same property under.
    pub const OTHER_TYPE: Level = level("different property types", -2.8);
}

/// Floor.
pub mod floor {
    use super::{Level, level};

    /// The same floor.
    pub const EQUAL: Level = level("the same floor", 2.2);
    /// The same floor in both texts, where `2. patro` and `3. NP` are told apart.
    pub const EQUAL_IN_WORDS: Level = level("the same floor in both texts", 2.6);
    /// One apart in both texts.
    pub const NEXT_IN_WORDS: Level = level("one floor apart in the texts", -5.6);
    /// Further apart in both texts.
    pub const OTHER_IN_WORDS: Level = level("different floors in the texts", -7.6);
    /// One apart: ground counted as 0 here and as 1 there.
    pub const NEXT: Level = level("one floor apart", -1.0);
    /// Further apart.
    pub const OTHER: Level = level("different floors", -4.8);
    /// Further apart in one street: flats stacked in one house are of one layout and size, so that these say less.
    pub const STACKED: Level = level("different floors in one street", -7.6);
    /// Buildings of different height.
    pub const OTHER_BUILDING: Level = level("buildings of different height", -2.2);
    /// Buildings of the same height.
    pub const BUILDING: Level = level("buildings of the same height", 0.8);
}

/// Price and its path.
pub mod price {
    use super::{Level, level};

    /// Two prices or more asked by both, in the same order.
    pub const PATH: Level = level("the same price steps", 9.4);
    /// A price asked by both at the same time.
    pub const EQUAL: Level = level("an equal price", 4.4);
    /// A price asked by both at different times.
    pub const EQUAL_ONCE: Level = level("an equal price at another time", 2.4);
    /// The price of one stands in the text of the other.
    pub const IN_TEXT: Level = level("the price of one stands in the text of the other", 3.2);
    /// The prices differ by an amount that a text states: fees, commission.
    pub const WITH_FEES: Level = level("the prices differ by an amount that a text states", 1.6);
    /// Within 2 %.
    pub const NEAR: Level = level("prices within 2 %", -0.4);
    /// Within 8 %.
    pub const CLOSE: Level = level("prices within 8 %", -0.2);
    /// Within 20 %.
    pub const OFF: Level = level("prices within 20 %", -3.8);
    /// Further apart.
    pub const OTHER: Level = level("different prices", -4.6);
}

/// Text.
pub mod text {
    use super::{Level, level};

    /// A copy, numbers included.
    pub const COPY: Level = level("the same text, numbers included", 6.4);
    /// A copy, but one fact given apart from it differs: a portal's or typist's error, or a project's text.
    pub const COPY_OTHER_FACT: Level =
        level("the same text, but another floor, size or price", -0.6);
    /// A copy, but several facts given apart from it differ: a text that stands for many units.
    pub const COPY_OTHER_FACTS: Level = level("the same text, but several facts differ", -3.8);
    /// A copy, but numbers differ: one agent, another unit or another time.
    pub const COPY_OTHER_NUMBERS: Level = level("the same text, but other numbers", -5.4);
    /// Most in common, numbers differ.
    pub const NEAR_COPY_OTHER_NUMBERS: Level =
        level("most of the text in common, but other numbers", -2.4);
    /// Much in common, numbers differ.
    pub const ALIKE_OTHER_NUMBERS: Level =
        level("much of the text in common, but other numbers", -1.0);
    /// Much in common, no number against it.
    pub const ALIKE: Level = level("much of the text in common", 3.4);
    /// Some in common.
    pub const PARTLY: Level = level("some of the text in common", 1.2);
    /// Two agents' words.
    pub const UNLIKE: Level = level("each in its own words", 0.8);
}

/// Distinguishing marks.
pub mod marks {
    use super::{Level, level};

    /// The same designation of the unit.
    pub const UNIT: Level = level("the same unit number", 5.6);
    /// The same designation, of one or two signs.
    pub const SHORT_UNIT: Level = level("the same short unit number", 1.0);
    /// One links to the other as what it is a copy of.
    pub const COPY: Level = level("one says that it is a copy of the other", 12.0);
    /// The same parcel.
    pub const PARCEL: Level = level("the same parcel number", 8.0);
    /// The same order number.
    pub const ORDER: Level = level("the same order number", 10.0);
    /// The same short order number, as several agencies may use.
    pub const SHORT_ORDER: Level = level("the same short order number", 4.4);
    /// One agency, two order numbers.
    pub const OTHER_ORDER: Level = level("one agency, different order numbers", -3.8);
    /// The same phone number, which at most four adverts state: an owner's.
    pub const PHONE_OF_FEW: Level = level(
        "the same phone number, and hardly another advert states it",
        7.6,
    );
    /// The same phone number, which at most twelve adverts state.
    pub const PHONE_OF_SEVERAL: Level =
        level("the same phone number, and few adverts state it", 4.2);
    /// The same phone number.
    pub const PHONE: Level = level("the same phone number", 0.0);
}

/// Parts of the property, and where it faces.
pub mod rooms {
    use super::{Level, level};

    /// One part (balcony, cellar …) has the same size with a fraction.
    pub const PART: Level = level("a part of exactly one size", 2.8);
    /// One part has the same size when rounded.
    pub const PART_ROUNDED: Level = level("a part of one size, rounded", 1.2);
    /// One part has different sizes.
    pub const OTHER_PART: Level = level("a part of different size", -3.8);
    /// Windows or balcony face the same side.
    pub const FACE: Level = level("facing the same side", 1.6);
    /// Windows or balcony face other sides.
    pub const OTHER_FACE: Level = level("facing different sides", -4.2);
}

/// Features and condition.
pub mod traits {
    use super::{Level, level};

    /// The same construction.
    pub const BUILDING: Level = level("the same construction", 0.4);
    /// Different construction.
    pub const OTHER_BUILDING: Level = level("different construction", -2.0);
    /// The same ownership, and a rare one.
    pub const OWNERSHIP: Level = level("the same rare ownership", 2.2);
    /// Different ownership.
    pub const OTHER_OWNERSHIP: Level = level("different ownership", -1.6);
    /// The same energy class.
    pub const ENERGY: Level = level("the same energy class", -0.2);
    /// Different energy classes.
    pub const OTHER_ENERGY: Level = level("different energy classes", -1.6);
}

/// When and where both were advertised.
pub mod time {
    use super::{Level, level};

    /// Live together on one portal: usually two units, sometimes two agencies.
    pub const TOGETHER: Level = level("both live on one portal at the same time", -3.4);
    /// Live together on one portal by one agent: nobody pays for one unit twice.
    pub const TOGETHER_ONE_AGENT: Level = level(
        "both live on one portal at the same time, by one agent",
        -17.0,
    );
    /// On one portal, of which nobody reports what goes.
    pub const TOGETHER_UNWATCHED: Level = level(
        "both on one portal, and nobody saw whether the first had gone",
        -1.0,
    );
    /// On one portal, of which nobody reports what goes, and the first was not seen again.
    pub const SUCCESSION_UNWATCHED: Level = level(
        "the first was last seen before the other came to the same portal",
        0.5,
    );
    /// One follows the other on one portal: a re-listing.
    pub const SUCCESSION: Level = level("one follows the other on the same portal", 1.2);
    /// Live at the same time on two portals, as one property is.
    pub const TOGETHER_ELSEWHERE: Level = level("live at the same time on two portals", 0.4);
    /// Two weeks and more between them, on two portals.
    pub const APART: Level = level("weeks between them, on two portals", -3.0);
    /// More than half a year between them.
    pub const LONG_AGO: Level = level("more than half a year between them", -1.6);
}

/// Look-alikes: as many live together on one portal, so many units there are.
pub mod look_alikes {
    /// Weight of one more look-alike.
    pub const EACH: f32 = -3.0;
    /// The most that look-alikes take away.
    pub const MOST: f32 = -9.0;
    /// How much better a pair must be than a rival to be no longer in doubt.
    pub const MARGIN: f32 = 3.0;
}
