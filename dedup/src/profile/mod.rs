//! A listing in the form in which it is compared: read once, compared many times.

pub mod marks;
pub mod names;
pub mod place;
pub mod rooms;
pub mod sharing;
pub mod sketch;
pub mod traits;

use czech::tokens::{Piece, pieces};
use schema::{
    Arrangement, ListingId, ListingKey, OfferType, PricePoint, PropertyType, StoredListing,
    Subtype, Timestamp,
};

use crate::addresses::Addresses;

pub use marks::Marks;
pub use names::{Names, StreetKeys};
pub use place::{Place, Precision};
pub use rooms::Rooms;
pub use sharing::{Shared, Sharing};
pub use sketch::Sketch;
pub use traits::{EnergyClass, Traits};

/// A hashed text: equal texts are equal, and that is all that is asked of it.
pub type Hash = u64;

/// The hash of some texts in order (FNV-1a, its bits mixed once more): the same on every machine and in every version, for
/// blocking keys are stored.
pub fn hash(parts: &[&str]) -> Hash {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    (state ^ (state >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// When a listing was advertised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Life {
    /// First sight.
    pub from: Timestamp,
    /// When it went; `None` while it is live.
    pub until: Option<Timestamp>,
    /// The last time that it was seen.
    pub seen: Timestamp,
    /// Whether anybody watches when listings of its portal go: else one that is still live may be gone for long.
    pub watched: bool,
}

impl Life {
    /// How long both were advertised at once, in milliseconds; a negative figure is the gap between them.
    pub fn overlap(self, other: Self) -> i64 {
        let until = |life: Self| life.until.map_or(i64::MAX / 4, Timestamp::millis);
        until(self).min(until(other)) - self.from.millis().max(other.from.millis())
    }
}

/// Everything about a listing that dedup compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Its row.
    pub id: ListingId,
    /// Portal and number: what order and ties are decided by, for row numbers depend on the order of arrival.
    pub key: ListingKey,
    /// Kind of offer; never compared across.
    pub offer_type: Option<OfferType>,
    /// Property type.
    pub property_type: Option<PropertyType>,
    /// Finer property type.
    pub subtype: Option<Subtype>,
    /// Room layout.
    pub arrangement: Option<Arrangement>,
    /// Share on offer, as published; `None` for the whole.
    pub share: Option<String>,
    /// Where it is.
    pub place: Place,
    /// Living area, m².
    pub living_area: Option<f64>,
    /// Plot area, m².
    pub land_area: Option<f64>,
    /// Total floor area, m².
    pub total_area: Option<f64>,
    /// Floor of the unit, ground = 0.
    pub floor: Option<i16>,
    /// Floors of the building.
    pub floor_count: Option<i16>,
    /// Prices over time.
    pub prices: Box<[PricePoint]>,
    /// Unit, parcel and order numbers and other marks.
    pub marks: Marks,
    /// Parts of the property with their sizes, and where it faces.
    pub rooms: Rooms,
    /// The text in brief.
    pub sketch: Sketch,
    /// Feature and condition fields that a portal states.
    pub traits: Traits,
    /// When it was advertised.
    pub life: Life,
    /// The listing of another portal that this one says it is a copy of.
    pub same_as: Option<ListingKey>,
    /// How many others share its pin and its phones; [`Shared::default`] until they are counted.
    pub shared: Shared,
}

impl Profile {
    /// Reads a listing, its address by `addresses`.
    pub fn of(listing: &StoredListing, addresses: &Addresses) -> Self {
        let StoredListing { id, key, state, .. } = listing;
        let attributes = &state.listing.attributes;
        let evidence = &state.listing.evidence;
        let mut text = pieces(attributes.title.as_deref().unwrap_or_default());
        let title_end = text.len();
        text.push(Piece::Stop);
        text.extend(pieces(
            attributes.description.as_deref().unwrap_or_default(),
        ));
        let feature_areas = [
            attributes.balcony_area,
            attributes.loggia_area,
            attributes.terrace_area,
            attributes.storage_area,
            attributes.garden_area,
            attributes.garage_area,
        ];
        let mut marks = Marks::from_pieces(
            &text,
            evidence.order_code.as_deref(),
            feature_areas.into_iter().flatten(),
        );
        if let Some(unit) = &attributes.unit_number {
            let unit = marks::Unit::new(marks::UnitKind::Flat, unit);
            marks.units = [&*marks.units, &[unit]].concat().into_boxed_slice();
            marks.units.sort_unstable();
        }
        Self {
            id: *id,
            key: key.clone(),
            offer_type: attributes.offer_type,
            property_type: attributes.property_type,
            subtype: attributes.subtype,
            arrangement: attributes.arrangement,
            share: evidence.share.clone(),
            place: Place::of(attributes, evidence, addresses),
            living_area: attributes.living_area,
            land_area: attributes.land_area,
            total_area: evidence.total_area,
            floor: attributes.floor,
            floor_count: attributes.floor_count,
            prices: state.prices.clone().into_boxed_slice(),
            marks,
            rooms: Rooms::read(attributes, &text),
            sketch: Sketch::from_pieces(&text[title_end..]),
            traits: Traits::of(attributes),
            life: Life {
                from: state.first_seen_at,
                until: state.gone_at,
                seen: state.last_seen_at,
                watched: true,
            },
            same_as: evidence.same_as.clone(),
            shared: Shared::default(),
        }
    }

    /// The floor that is stated, else the one the text gives.
    pub fn best_floor(&self) -> Option<i16> {
        self.floor.or(self.marks.floor)
    }

    /// The layout that is stated, else the one the text gives.
    pub fn best_arrangement(&self) -> Option<Arrangement> {
        self.arrangement.or(self.marks.arrangement)
    }

    /// The size by which this kind of property is told apart: the plot for land, else the floor area.
    pub fn size(&self) -> Option<f64> {
        match self.property_type {
            Some(PropertyType::Land) => self.land_area.or(self.living_area),
            _ => self.living_area.or(self.total_area),
        }
    }

    /// Whether the text states this area, m².
    pub fn text_states(&self, area: f64) -> bool {
        area >= 10.0
            && self
                .marks
                .areas
                .binary_search(&((area * 10.0).round() as u32))
                .is_ok()
    }
}
