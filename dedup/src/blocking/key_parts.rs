//! Sizes, prices and rooms as parts of blocking keys. Nearly equal values share a band: bands
//! overlap by half, so two values within half a band of each other share at least one.

use std::cell::OnceCell;

use schema::SpecEnum;

use super::cells::Pin;
use crate::hash::{Hash, combine};
use crate::profile::Profile;

/// What a number means. The same number with two meanings gives two key parts.
#[derive(Clone, Copy)]
enum Meaning {
    Size = 1,
    SizeBand,
    Price,
    PriceBand,
    Plot,
}

fn key_part(meaning: Meaning, value: u64) -> Hash {
    combine(meaning as u64, value)
}

/// A listing, with the key parts that several rules use.
pub(super) struct KeyParts<'a> {
    pub profile: &'a Profile,
    /// The kind of offer.
    pub offer: Hash,
    pin: OnceCell<Option<Pin>>,
    /// The number of rooms, or 99 if it is unknown.
    pub rooms: u64,
    /// The size in whole m².
    pub size: Option<Hash>,
    /// Bands 10 % wide: sizes within 5 % of each other share one.
    size_bands: Option<[Hash; 2]>,
    /// Bands 12 % wide: last prices within 6 % of each other share one.
    price_bands: Option<[Hash; 2]>,
}

impl<'a> KeyParts<'a> {
    pub fn from_profile(profile: &'a Profile) -> Self {
        let size = profile.size();
        let last_price = profile.prices.last().map(|point| point.price_total);
        Self {
            profile,
            offer: profile
                .offer_type
                .map_or(u64::MAX, |offer| u64::from(offer.code())),
            pin: OnceCell::new(),
            rooms: profile
                .best_arrangement()
                .and_then(schema::Arrangement::rooms)
                .map_or(99, u64::from),
            size: size.map(|size| key_part(Meaning::Size, size.round() as u64)),
            size_bands: size
                .filter(|size| *size > 0.0)
                .map(|size| bands(Meaning::SizeBand, size, 0.1)),
            price_bands: last_price.map(|price| bands(Meaning::PriceBand, price, 0.12)),
        }
    }

    pub fn pin(&self) -> Option<Pin> {
        *self
            .pin
            .get_or_init(|| self.profile.place.pin.and_then(Pin::at))
    }

    pub fn size_bands(&self) -> &[Hash] {
        self.size_bands.as_slice().as_flattened()
    }

    pub fn price_bands(&self) -> &[Hash] {
        self.price_bands.as_slice().as_flattened()
    }

    /// The first prices asked.
    pub fn prices(&self, count: usize) -> impl Iterator<Item = Hash> {
        let asked = self.profile.prices.iter().take(count);
        asked.map(|point| key_part(Meaning::Price, point.price_total as u64))
    }

    /// The first and the last price asked.
    pub fn first_and_last_price(&self) -> impl Iterator<Item = Hash> {
        let first = self.prices(1).next();
        let last = self.profile.prices.last();
        let last = last.map(|point| key_part(Meaning::Price, point.price_total as u64));
        first
            .into_iter()
            .chain(last.filter(move |last| Some(*last) != first))
    }

    /// The size in m², rounded and truncated. If no size is stated, the largest areas in the text.
    pub fn sizes(&self) -> impl Iterator<Item = Hash> {
        let stated = self.profile.size();
        let truncated = stated.map(|size| size.floor() as u64);
        let rounded = stated.map(|size| size.round() as u64);
        let in_text = self.areas_in_text(15).take(3);
        truncated
            .into_iter()
            .chain(rounded.filter(move |size| Some(*size) != truncated))
            .chain(in_text.filter(move |_| stated.is_none()))
            .map(|size| key_part(Meaning::Size, size))
    }

    /// The stated plot in whole m².
    pub fn plot(&self) -> Option<Hash> {
        let stated = self.profile.land_area;
        stated.map(|plot| key_part(Meaning::Plot, plot.round() as u64))
    }

    /// The stated plot and the largest areas in the text, in whole m².
    pub fn plots(&self) -> impl Iterator<Item = Hash> {
        let stated = self.profile.land_area.map(|plot| plot.round() as u64);
        let others = self
            .areas_in_text(200)
            .take(2)
            .filter(move |area| Some(*area) != stated);
        stated
            .into_iter()
            .chain(others)
            .map(|plot| key_part(Meaning::Plot, plot))
    }

    /// The areas in the text of at least `least` m², the largest first.
    fn areas_in_text(&self, least: u64) -> impl Iterator<Item = u64> {
        let areas = self.profile.marks.areas.iter().rev();
        areas
            .map(|tenths| u64::from(*tenths) / 10)
            .filter(move |area| *area >= least)
    }
}

fn bands(meaning: Meaning, value: f64, width: f64) -> [Hash; 2] {
    let place = value.max(1.0).ln() / width;
    [
        key_part(meaning, place.floor() as u64 * 2),
        key_part(meaning, (place + 0.5).floor() as u64 * 2 + 1),
    ]
}
