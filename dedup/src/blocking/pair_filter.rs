//! The filter for pairs that share only a weak key: their size, price, rooms and floor must not be
//! far apart.

use super::{KeyStrength, MAX_BLOCK_SIZE, Member};
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

    /// The largest difference that passes.
    fn tolerance(self) -> Tolerance {
        match self {
            Self::Any => Tolerance {
                size: f32::INFINITY,
                price: f32::INFINITY,
                rooms: f32::INFINITY,
                floors: f32::INFINITY,
            },
            Self::Near => Tolerance {
                size: 1.3,
                price: 1.5,
                rooms: 1.0,
                floors: f32::INFINITY,
            },
            Self::Close => Tolerance {
                size: 1.1,
                price: 1.2,
                rooms: 1.0,
                floors: 1.0,
            },
            Self::Alike => Tolerance {
                size: 1.06,
                price: 1.1,
                rooms: 0.0,
                floors: 0.0,
            },
        }
    }
}

/// The largest difference that passes.
#[derive(Clone, Copy)]
struct Tolerance {
    /// Ratio of the sizes.
    size: f32,
    /// Ratio of the prices.
    price: f32,
    rooms: f32,
    /// Portals count floors from 0 or from 1, so equal floors may differ by one.
    floors: f32,
}

/// The facts of a listing that the filter compares, at low precision. An unknown fact is not a number, so that no
/// comparison with it is true and a test needs no branch.
#[derive(Debug, Clone, Copy)]
pub struct CoarseFacts {
    size: f32,
    plot: f32,
    /// The lowest price asked.
    low: f32,
    /// The highest price asked.
    high: f32,
    rooms: f32,
    floor: f32,
}

impl Default for CoarseFacts {
    fn default() -> Self {
        Self {
            size: f32::NAN,
            plot: f32::NAN,
            low: f32::NAN,
            high: f32::NAN,
            rooms: f32::NAN,
            floor: f32::NAN,
        }
    }
}

impl CoarseFacts {
    /// The facts of a listing.
    pub fn from_profile(profile: &Profile) -> Self {
        let prices = profile.prices.iter().map(|point| point.price_total as f32);
        let rooms = profile
            .best_arrangement()
            .and_then(schema::Arrangement::rooms);
        Self {
            size: profile.size().map_or(f32::NAN, |size| size as f32),
            plot: profile.land_area.map_or(f32::NAN, |plot| plot as f32),
            low: prices.clone().fold(f32::NAN, f32::min),
            high: prices.fold(f32::NAN, f32::max),
            rooms: rooms.map_or(f32::NAN, f32::from),
            floor: profile.best_floor().map_or(f32::NAN, f32::from),
        }
    }

    /// Whether a pair passes the filter. An unknown value always passes.
    pub fn pass(&self, other: &Self, filter: PairFilter) -> bool {
        self.are_near(other, filter.tolerance())
    }

    fn are_near(&self, other: &Self, tolerance: Tolerance) -> bool {
        let size = tolerance.size;
        let sizes_differ = self.size > other.size * size || other.size > self.size * size;
        let price = tolerance.price;
        let prices_differ = self.low > other.high * price || other.low > self.high * price;
        let rooms_differ = (self.rooms - other.rooms).abs() > tolerance.rooms;
        let floors_differ = (self.floor - other.floor).abs() > tolerance.floors;
        !(prices_differ | rooms_differ | floors_differ) && (!sizes_differ || self.plots_pass(other))
    }

    /// Whether the plots are equal, because then the living areas may have been measured in different
    /// ways, or whether one listing has living area and plot swapped.
    fn plots_pass(&self, other: &Self) -> bool {
        let equal = |one: f32, other: f32| (one - other).abs() < 0.01 * one.max(other);
        equal(self.plot, other.plot)
            || (equal(self.plot, other.size) && equal(self.size, other.plot))
    }
}

/// The members of a block that pass the filter together with a listing.
pub(crate) fn passing_members<'a>(
    filter: PairFilter,
    own: &'a CoarseFacts,
    members: &'a [Member],
    coarse_facts: &'a [CoarseFacts],
) -> impl Iterator<Item = Member> + 'a {
    let tolerance = filter.tolerance();
    members
        .iter()
        .copied()
        .filter(move |other| own.are_near(&coarse_facts[*other as usize], tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_that_one_listing_does_not_state_keeps_no_pair_apart() {
        let full = CoarseFacts {
            size: 60.0,
            plot: 400.0,
            low: 5e6,
            high: 6e6,
            rooms: 3.0,
            floor: 2.0,
        };
        let unlike = CoarseFacts {
            size: 90.0,
            plot: 900.0,
            low: 9.9e6,
            high: 9.9e6,
            rooms: 5.0,
            floor: 5.0,
        };
        let unknown = CoarseFacts::default();
        for filter in [PairFilter::Near, PairFilter::Close, PairFilter::Alike] {
            assert!(full.pass(&full, filter) && unknown.pass(&unknown, filter));
            assert!(full.pass(&unknown, filter) && unknown.pass(&full, filter));
            assert!(!full.pass(&unlike, filter) && !unlike.pass(&full, filter));
            for one_fact in [
                CoarseFacts {
                    size: 90.0,
                    ..unknown
                },
                CoarseFacts {
                    low: 9.9e6,
                    high: 9.9e6,
                    ..unknown
                },
                CoarseFacts {
                    rooms: 5.0,
                    ..unknown
                },
            ] {
                assert!(!full.pass(&one_fact, filter), "{filter:?} {one_fact:?}");
            }
        }
        assert!(full.pass(&unlike, PairFilter::Any));
    }
}
