//! What is on a simulated portal, day by day, and what a reader who came every day must know in the end.

use rand::RngExt;
use rand::rngs::StdRng;

use super::advert::{Advert, Kind};

/// The adverts of one portal, those that have gone among them.
#[derive(Debug, Clone, Default)]
pub struct Market {
    places: Vec<Place>,
}

/// An advert and its life.
#[derive(Debug, Clone)]
struct Place {
    advert: Advert,
    live: bool,
    /// The prices it had at the end of its days on the portal, without repetitions.
    prices: Vec<u64>,
    /// Whether it was live at the end of any day.
    seen: bool,
}

/// What must be known of an advert that was on the portal at the end of any day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// The advert as it was last.
    pub advert: Advert,
    /// Whether it is still there.
    pub live: bool,
    /// Its prices from the first to the last, each other than the one before.
    pub prices: Vec<u64>,
}

/// How probable it is that something happens to an advert in a day.
const PRICE_MOVES: f64 = 0.06;
/// Of the adverts whose price moves.
const TEXT_IS_REWRITTEN: f64 = 0.5;
const GOES: f64 = 0.05;
const RETURNS: f64 = 0.08;

impl Market {
    /// A market with `count` adverts of all kinds.
    pub fn of(count: u64, rng: &mut StdRng) -> Self {
        let mut market = Self::default();
        for _ in 0..count {
            market.add(rng);
        }
        market
    }

    /// The adverts that are on the portal, the newest first.
    pub fn live(&self) -> Vec<Advert> {
        self.places
            .iter()
            .rev()
            .filter(|place| place.live)
            .map(|place| place.advert.clone())
            .collect()
    }

    /// A day goes by: some adverts come, go and return, some prices move, some texts are rewritten.
    pub fn pass_a_day(&mut self, rng: &mut StdRng) {
        for place in &mut self.places {
            if !place.live {
                place.live = rng.random_bool(RETURNS);
            } else if rng.random_bool(GOES) {
                place.live = false;
            }
            if place.live && rng.random_bool(PRICE_MOVES) {
                // A price moves by a hundredth to a twelfth, most of them down.
                let step = place.advert.price / rng.random_range(12..100);
                let up = rng.random_bool(0.2);
                place.advert.price = if up {
                    place.advert.price + step
                } else {
                    place.advert.price - step
                };
                // A text that is rewritten alone shows on no list: it is read some days later, which a test that
                // has no days to wait cannot ask for.
                place.advert.revision += u32::from(rng.random_bool(TEXT_IS_REWRITTEN));
            }
        }
        for _ in 0..rng.random_range(0..4) {
            self.add(rng);
        }
    }

    /// The day's crawls are over: what is on the portal now has been seen.
    pub fn close_the_day(&mut self) {
        for place in self.places.iter_mut().filter(|place| place.live) {
            place.seen = true;
            if place.prices.last() != Some(&place.advert.price) {
                place.prices.push(place.advert.price);
            }
        }
    }

    /// What must be known after the last closed day.
    pub fn truth(&self) -> Vec<Truth> {
        let seen = self.places.iter().filter(|place| place.seen);
        let truth = |place: &Place| Truth {
            advert: place.advert.clone(),
            live: place.live,
            prices: place.prices.clone(),
        };
        seen.map(truth).collect()
    }

    fn add(&mut self, rng: &mut StdRng) {
        let kind = Kind::ALL[rng.random_range(0..Kind::ALL.len())];
        let price = match kind {
            Kind::FlatRent => rng.random_range(90..400) * 100,
            Kind::FlatSale | Kind::HouseSale | Kind::LandSale => {
                rng.random_range(800..20_000) * 1_000
            }
        };
        let number = self.places.len() as u64 + 1;
        let advert = Advert {
            number,
            kind,
            price,
            revision: 0,
        };
        self.places.push(Place {
            advert,
            live: true,
            prices: Vec::new(),
            seen: false,
        });
    }
}
