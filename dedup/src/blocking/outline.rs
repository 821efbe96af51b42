//! The few figures of a listing that must not be far apart for a pair of a block that says little to be worth comparing.

use crate::profile::Profile;

/// Beyond this ratio of sizes two adverts are hardly of one property.
const SIZES: f32 = 1.2;

/// Beyond this ratio of prices.
const PRICES: f32 = 1.4;

/// From this difference on, floors.
const FLOORS: u8 = 3;

/// From this difference on, numbers of rooms.
const ROOMS: u8 = 2;

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
            rooms: profile.best_arrangement().and_then(schema::Arrangement::rooms),
            floor: profile.best_floor().map(|floor| floor as i8),
        }
    }

    /// Whether nothing that is known of both is far apart.
    pub fn fits(&self, other: &Self) -> bool {
        (self.sizes_fit(other) || self.plots_fit(other))
            && both(self.prices, other.prices, |(least, most), (least_there, most_there)| {
                least <= most_there * PRICES && least_there <= most * PRICES
            })
            && both(self.rooms, other.rooms, |one, there| one.abs_diff(there) < ROOMS)
            && both(self.floor, other.floor, |one, there| one.abs_diff(there) < FLOORS)
    }

    fn sizes_fit(&self, other: &Self) -> bool {
        both(self.size, other.size, |one, there| one <= there * SIZES && there <= one * SIZES)
    }

    /// On one plot living areas differ by the way they are counted; or the two were taken for each other.
    fn plots_fit(&self, other: &Self) -> bool {
        let equal = |one: Option<f32>, there: Option<f32>| {
            one.zip(there).is_some_and(|(one, there)| (one / there - 1.0).abs() < 0.01)
        };
        equal(self.plot, other.plot) || (equal(self.plot, other.size) && equal(self.size, other.plot))
    }
}

/// Whether two known values pass; what is unknown does.
fn both<T>(one: Option<T>, other: Option<T>, pass: impl Fn(T, T) -> bool) -> bool {
    one.zip(other).is_none_or(|(one, other)| pass(one, other))
}
