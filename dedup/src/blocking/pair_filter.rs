//! The filter for pairs that share only a weak key: their size, price, rooms and floor must not be
//! far apart.

use super::{KeyStrength, MAX_BLOCK_SIZE};
use crate::profile::Profile;

/// How close the facts of two listings must be for the pair to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairFilter {
    /// Every pair passes: the key is strong.
    Any,
    /// Not far apart.
    Near,
    /// Close, because many listings share the key.
    Close,
    /// Nearly equal, because the block is almost too large.
    Alike,
}

/// The size of a block from which its pairs must pass [`PairFilter::Close`].
pub const CLOSE_FROM: usize = 10;

/// The size of a block from which its pairs must pass [`PairFilter::Alike`].
pub const ALIKE_FROM: usize = 30;

impl PairFilter {
    /// The filter for the pairs of a block; `None` if the block makes no pairs, because it is too large
    /// or its key only counts.
    pub fn for_block(key: i64, listings: usize) -> Option<Self> {
        match listings {
            _ if listings > MAX_BLOCK_SIZE => None,
            _ if KeyStrength::of_key(key) == KeyStrength::CountOnly => None,
            _ if KeyStrength::of_key(key) == KeyStrength::Strong => Some(Self::Any),
            ALIKE_FROM.. => Some(Self::Alike),
            CLOSE_FROM.. => Some(Self::Close),
            _ => Some(Self::Near),
        }
    }

    fn tolerance(self) -> Option<Tolerance> {
        match self {
            Self::Any => None,
            Self::Near => Some(Tolerance {
                size: 1.3,
                price: 1.5,
                rooms: 1,
                floors: None,
            }),
            Self::Close => Some(Tolerance {
                size: 1.1,
                price: 1.2,
                rooms: 1,
                floors: Some(1),
            }),
            Self::Alike => Some(Tolerance {
                size: 1.06,
                price: 1.1,
                rooms: 0,
                floors: Some(0),
            }),
        }
    }
}

/// The largest difference that passes.
struct Tolerance {
    /// Ratio of the sizes.
    size: f32,
    /// Ratio of the prices.
    price: f32,
    rooms: u8,
    /// Portals count floors from 0 or from 1, so equal floors may differ by one. `None` ignores the
    /// floors.
    floors: Option<u8>,
}

/// The facts of a listing that the filter compares, at low precision.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CoarseFacts {
    size: Option<f32>,
    plot: Option<f32>,
    /// The lowest and the highest price asked.
    prices: Option<(f32, f32)>,
    rooms: Option<u8>,
    floor: Option<i8>,
}

impl CoarseFacts {
    /// The facts of a listing.
    pub fn from_profile(profile: &Profile) -> Self {
        let prices = profile.prices.iter().map(|point| point.price_total as f32);
        let widest = |range: Option<(f32, f32)>, price: f32| {
            let (least, most) = range.unwrap_or((price, price));
            Some((least.min(price), most.max(price)))
        };
        Self {
            size: profile.size().map(|size| size as f32),
            plot: profile.land_area.map(|plot| plot as f32),
            prices: prices.fold(None, widest),
            rooms: profile
                .best_arrangement()
                .and_then(schema::Arrangement::rooms),
            floor: profile.best_floor().map(|floor| floor as i8),
        }
    }

    /// Whether a pair passes the filter. An unknown value always passes.
    pub fn pass(&self, other: &Self, filter: PairFilter) -> bool {
        let Some(tolerance) = filter.tolerance() else {
            return true;
        };
        (self.sizes_pass(other, tolerance.size) || self.plots_pass(other))
            && unknown_or(
                self.prices,
                other.prices,
                |(low, high), (other_low, other_high)| {
                    low <= other_high * tolerance.price && other_low <= high * tolerance.price
                },
            )
            && unknown_or(self.rooms, other.rooms, |one, other| {
                one.abs_diff(other) <= tolerance.rooms
            })
            && unknown_or(self.floor, other.floor, |one, other| {
                tolerance
                    .floors
                    .is_none_or(|floors| one.abs_diff(other) <= floors)
            })
    }

    fn sizes_pass(&self, other: &Self, ratio: f32) -> bool {
        unknown_or(self.size, other.size, |one, other| {
            one <= other * ratio && other <= one * ratio
        })
    }

    /// Whether the plots are equal, because then the living areas may have been measured in different
    /// ways, or whether one listing has living area and plot swapped.
    fn plots_pass(&self, other: &Self) -> bool {
        let equal = |one: Option<f32>, other: Option<f32>| {
            one.zip(other)
                .is_some_and(|(one, other)| (one - other).abs() < 0.01 * one.max(other))
        };
        equal(self.plot, other.plot)
            || (equal(self.plot, other.size) && equal(self.size, other.plot))
    }
}

/// Whether two values pass a test, or one of them is unknown.
fn unknown_or<T>(one: Option<T>, other: Option<T>, pass: impl Fn(T, T) -> bool) -> bool {
    one.zip(other).is_none_or(|(one, other)| pass(one, other))
}
