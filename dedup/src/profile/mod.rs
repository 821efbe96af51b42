//! The profile of a listing: the form in which it is compared. It is built once and compared many
//! times.

pub mod building;
mod frequency;
pub mod marks;
mod municipality;
pub mod names;
pub mod parts;
pub mod place;
pub mod sketch;

use czech::tokens::{Piece, pieces};
use schema::{
    Arrangement, ListingId, ListingKey, OfferType, PricePoint, PropertyType, StoredListing,
    Subtype, Timestamp,
};

use crate::addresses::Addresses;
use crate::hash::{Hash, hash};

pub use building::{BuildingFacts, EnergyClass};
pub use frequency::{Frequency, ValueFrequencies};
pub use marks::Marks;
pub use municipality::MunicipalitySize;
pub use names::{Names, StreetKeys};
pub use parts::Parts;
pub use place::{Place, Precision};
pub use sketch::Sketch;

pub(crate) use municipality::municipality_key;

/// Adverts seen within this many milliseconds may have been read by one crawl, one after the other.
const CRAWL_MILLIS: i64 = 12 * 3_600_000;

/// When a listing was advertised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lifetime {
    /// When it was first seen.
    pub first_seen: Timestamp,
    /// When it was gone; `None` while it is live.
    pub gone_at: Option<Timestamp>,
    /// When it was last seen.
    pub last_seen: Timestamp,
    /// Whether removals on the portal are known. If not, a live listing may have been gone for long.
    pub portal_is_watched: bool,
    /// Whether it appeared when it was first seen. What the first crawl of a portal finds may be older.
    pub start_is_known: bool,
    /// Whether the first crawl of its portal found many adverts. What it did not find was not there then. A crawl that
    /// found a few may have been limited, or a sample.
    pub first_crawl_was_wide: bool,
}

impl Lifetime {
    /// How long both were advertised at the same time, in milliseconds. A negative value is the gap
    /// between them.
    pub fn overlap(self, other: Self) -> i64 {
        let end = |lifetime: Self| lifetime.gone_at.map_or(i64::MAX / 4, Timestamp::millis);
        end(self).min(end(other)) - self.first_seen.millis().max(other.first_seen.millis())
    }
}

/// Where and when a listing was advertised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Advertised<'a> {
    /// The portal.
    pub portal: &'a str,
    /// When.
    pub lifetime: Lifetime,
}

/// Everything about a listing that is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Its row in the store.
    pub id: ListingId,
    /// Portal and number. Every order goes by them, because row numbers depend on the order of arrival.
    pub key: ListingKey,
    /// Kind of offer. Listings of different kinds are never compared.
    pub offer_type: Option<OfferType>,
    /// Property type.
    pub property_type: Option<PropertyType>,
    /// Finer property type.
    pub subtype: Option<Subtype>,
    /// Room layout.
    pub arrangement: Option<Arrangement>,
    /// The share on offer, as published; `None` for the whole property.
    pub share: Option<String>,
    /// Where it is.
    pub place: Place,
    /// Living area, m².
    pub living_area: Option<f64>,
    /// Plot area, m².
    pub land_area: Option<f64>,
    /// Total floor area, m².
    pub total_area: Option<f64>,
    /// Floor of the unit; the ground floor is 0.
    pub floor: Option<i16>,
    /// Number of floors of the building.
    pub floor_count: Option<i16>,
    /// Prices over time.
    pub prices: Box<[PricePoint]>,
    /// The price that the advert shows as its former one, CZK.
    pub former_price: Option<f64>,
    /// Unit, parcel and order numbers and other identifiers in the text.
    pub marks: Marks,
    /// Parts of the property with their sizes, and its orientation.
    pub parts: Parts,
    /// A summary of the text.
    pub sketch: Sketch,
    /// Construction, ownership, energy class and year.
    pub building: BuildingFacts,
    /// When it was advertised.
    pub lifetime: Lifetime,
    /// The listing of another portal that this one says it is a copy of.
    pub same_as: Option<ListingKey>,
    /// How frequent its pin and phone numbers are; the default until the whole set is counted.
    pub frequencies: ValueFrequencies,
}

impl Profile {
    /// Reads a listing. `addresses` reads its address.
    pub fn from_listing(listing: &StoredListing, addresses: &Addresses) -> Self {
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
            marks.add_units(&[marks::Unit::new(marks::UnitKind::Flat, unit)]);
        }
        if let Some(note) = &evidence.note_on_price {
            marks.add_amounts(&pieces(note));
        }
        Self {
            id: *id,
            key: key.clone(),
            offer_type: attributes.offer_type,
            property_type: attributes.property_type,
            subtype: attributes.subtype,
            arrangement: attributes.arrangement,
            share: evidence.share.clone(),
            place: Place::from_listing(attributes, evidence, addresses),
            living_area: attributes.living_area,
            land_area: attributes.land_area,
            total_area: evidence.total_area,
            floor: attributes.floor,
            floor_count: attributes.floor_count,
            prices: state.prices.clone().into_boxed_slice(),
            former_price: evidence.former_price,
            marks,
            parts: Parts::from_listing(attributes, &text),
            sketch: Sketch::from_pieces(&text[title_end..]),
            building: BuildingFacts::from_listing(attributes, evidence),
            lifetime: Lifetime {
                first_seen: state.first_seen_at,
                gone_at: state.gone_at,
                last_seen: state.last_seen_at,
                portal_is_watched: true,
                start_is_known: true,
                first_crawl_was_wide: true,
            },
            same_as: evidence.same_as.clone(),
            frequencies: ValueFrequencies::default(),
        }
    }

    /// Where and when it was advertised.
    pub(crate) fn advertised(&self) -> Advertised<'_> {
        Advertised {
            portal: &self.key.site_id,
            lifetime: self.lifetime,
        }
    }

    /// Whether this listing appeared on the same portal after the other was last seen, if removals
    /// on the portal are not known.
    pub(crate) fn follows_unwatched(&self, other: &Self) -> bool {
        self.key.site_id == other.key.site_id
            && !other.lifetime.portal_is_watched
            && other.lifetime.last_seen.millis() + CRAWL_MILLIS < self.lifetime.first_seen.millis()
    }

    /// The stated floor, or else the floor in the text.
    pub fn best_floor(&self) -> Option<i16> {
        self.floor.or(self.marks.floor)
    }

    /// The stated layout, or else the layout in the text.
    pub fn best_arrangement(&self) -> Option<Arrangement> {
        self.arrangement.or(self.marks.arrangement)
    }

    /// The size that distinguishes this kind of property: the plot for land, or else the floor area.
    pub fn size(&self) -> Option<f64> {
        match self.property_type {
            Some(PropertyType::Land) => self.land_area.or(self.living_area),
            _ => self.living_area.or(self.total_area),
        }
    }

    /// Whether the text states this area in m².
    pub fn text_states(&self, area: f64) -> bool {
        area >= 10.0
            && self
                .marks
                .areas
                .binary_search(&((area * 10.0).round() as u32))
                .is_ok()
    }
}
