//! The few figures of a listing that must not be far apart for a pair of a block that says little to be worth comparing.

use super::{BOUND, Tells};
use crate::profile::Profile;

/// How well the figures of two listings must fit for the pair to be worth comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// In any way: what they share tells enough.
    Any,
    /// Not far apart.
    Near,
    /// Close, for many share what they share.
    Close,
    /// Nearly equal, for so many share it that the block is almost over the bound.
    Alike,
}

/// From this many listings on, the pairs of a block must be close.
pub const CROWDED: usize = 10;

/// From this many on, they must be alike.
pub const FULL: usize = 30;

impl Fit {
    /// What is asked of the pairs of a block; `None` where it makes none.
    pub fn asked(key: i64, listings: usize) -> Option<Self> {
        match listings {
            _ if listings > BOUND => None,
            _ if Tells::of(key) == Tells::Much => Some(Self::Any),
            FULL.. => Some(Self::Alike),
            CROWDED.. => Some(Self::Close),
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

/// The most that two listings may be apart.
struct Tolerance {
    /// Ratio of sizes.
    size: f32,
    /// Ratio of prices.
    price: f32,
    rooms: u8,
    /// Between notations a floor is off by one, and by more where somebody erred; `None` where floors do not count.
    floors: Option<u8>,
}

/// Size, price, rooms and floor in brief.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outline {
    size: Option<f32>,
    plot: Option<f32>,
    /// The least and the most that was asked.
    prices: Option<(f32, f32)>,
    rooms: Option<u8>,
    floor: Option<i8>,
}

impl Outline {
    /// Of a listing.
    pub fn of(profile: &Profile) -> Self {
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

    /// Whether all that is known of both fits so well.
    pub fn fits(&self, other: &Self, fit: Fit) -> bool {
        let Some(most) = fit.tolerance() else {
            return true;
        };
        (self.sizes_fit(other, most.size) || self.plots_fit(other))
            && both(
                self.prices,
                other.prices,
                |(least, dearest), (least_there, dearest_there)| {
                    least <= dearest_there * most.price && least_there <= dearest * most.price
                },
            )
            && both(self.rooms, other.rooms, |one, there| {
                one.abs_diff(there) <= most.rooms
            })
            && both(self.floor, other.floor, |one, there| {
                most.floors.is_none_or(|most| one.abs_diff(there) <= most)
            })
    }

    fn sizes_fit(&self, other: &Self, ratio: f32) -> bool {
        both(self.size, other.size, |one, there| {
            one <= there * ratio && there <= one * ratio
        })
    }

    /// On one plot living areas differ by the way they are counted; or the two were taken for each other.
    fn plots_fit(&self, other: &Self) -> bool {
        let equal = |one: Option<f32>, there: Option<f32>| {
            one.zip(there)
                .is_some_and(|(one, there)| (one - there).abs() < 0.01 * one.max(there))
        };
        equal(self.plot, other.plot)
            || (equal(self.plot, other.size) && equal(self.size, other.plot))
    }
}

/// Whether two known values pass; what is unknown does.
fn both<T>(one: Option<T>, other: Option<T>, pass: impl Fn(T, T) -> bool) -> bool {
    one.zip(other).is_none_or(|(one, other)| pass(one, other))
}
