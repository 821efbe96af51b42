//! The adverts of a simulated portal, day by day, and what a daily crawl must know about them after the last day.

use rand::RngExt;
use rand::rngs::StdRng;

use super::advert::{Advert, Kind};

/// The adverts of one portal, including those that have ended.
#[derive(Debug, Clone, Default)]
pub struct Market {
    places: Vec<Place>,
}

/// An advert and its life.
#[derive(Debug, Clone)]
struct Place {
    advert: Advert,
    live: bool,
    /// Its prices at the end of each day, without repetitions.
    prices: Vec<u64>,
    /// What it said at the end of the last day on which it was live then; `None` if there was no such day. It may have
    /// changed and ended since, on days without a crawl.
    seen: Option<Advert>,
    /// Whether it was live and readable at the end of the last day.
    known_live: bool,
    /// Whether it neither ends nor changes.
    lasts: bool,
}

/// What a crawler must know about an advert that was live at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// The advert as it was at the end of the last day on which it was live then.
    pub advert: Advert,
    /// Whether it is live.
    pub live: bool,
    /// Its prices in order, without repetitions.
    pub prices: Vec<u64>,
}

/// The probability that an advert's price changes in a day.
const PRICE_CHANGES: f64 = 0.06;
/// The probability that the text is rewritten when the price changes.
const TEXT_IS_REWRITTEN: f64 = 0.5;
/// The probability that a live advert ends in a day.
const ENDS: f64 = 0.05;
/// The probability that an ended advert returns in a day.
const RETURNS: f64 = 0.08;

impl Market {
    /// A market with `count` adverts of all kinds.
    pub fn new(count: u64, rng: &mut StdRng) -> Self {
        let mut market = Self::default();
        for _ in 0..count {
            market.add(rng);
        }
        market
    }

    /// The live adverts, the newest first.
    pub fn live(&self) -> Vec<Advert> {
        self.places
            .iter()
            .rev()
            .filter(|place| place.live)
            .map(|place| place.advert.clone())
            .collect()
    }

    /// The simulator's numbers of all adverts there have been.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.places.iter().map(|place| place.advert.number)
    }

    /// Adds an advert that nothing happens to. Returns its number.
    pub fn add_lasting(&mut self, rng: &mut StdRng) -> u64 {
        self.add(rng);
        if let Some(place) = self.places.last_mut() {
            place.lasts = true;
        }
        self.places.len() as u64
    }

    /// The number of an advert that was live at the end of the last day and still is, the one that appeared first.
    pub fn known_live(&self) -> Option<u64> {
        let mut known = self
            .places
            .iter()
            .filter(|place| place.known_live && place.live);
        known.next().map(|place| place.advert.number)
    }

    /// Ends an advert that was live.
    pub fn end(&mut self, number: u64) {
        let advert = self
            .places
            .iter_mut()
            .find(|place| place.advert.number == number);
        if let Some(place) = advert {
            place.live = false;
        }
    }

    /// Lets a day pass: some adverts appear, end or return, some prices change, some texts are rewritten.
    pub fn pass_a_day(&mut self, rng: &mut StdRng) {
        for place in self.places.iter_mut().filter(|place| !place.lasts) {
            if !place.live {
                place.live = rng.random_bool(RETURNS);
            } else if rng.random_bool(ENDS) {
                place.live = false;
            }
            if place.live && rng.random_bool(PRICE_CHANGES) {
                // Prices change by 1 % to 8 %, mostly down.
                let step = place.advert.price / rng.random_range(12..100);
                let up = rng.random_bool(0.2);
                place.advert.price = if up {
                    place.advert.price + step
                } else {
                    place.advert.price - step
                };
                // If only the text changed, no index page would show it, and the crawler would notice days later. The same
                // holds if the price is again what it was when the advert was last seen, some days ago.
                if place.prices.last() == Some(&place.advert.price) {
                    place.advert.price += 1_000;
                }
                place.advert.revision += u32::from(rng.random_bool(TEXT_IS_REWRITTEN));
            }
        }
        for _ in 0..rng.random_range(0..4) {
            self.add(rng);
        }
    }

    /// Changes the price of an advert, so that a list shows it changed.
    pub fn change_price(&mut self, number: u64) {
        let advert = self
            .places
            .iter_mut()
            .find(|place| place.advert.number == number);
        if let Some(place) = advert {
            place.advert.price += 1_000;
        }
    }

    /// Ends the day after its crawls: the adverts that are live now have been seen, except those that cannot be read.
    pub fn close_the_day(&mut self, broken: &[u64]) {
        for place in &mut self.places {
            place.known_live = place.live && !broken.contains(&place.advert.number);
            if !place.known_live {
                continue;
            }
            place.seen = Some(place.advert.clone());
            if place.prices.last() != Some(&place.advert.price) {
                place.prices.push(place.advert.price);
            }
        }
    }

    /// What a crawler must know after the last day.
    pub fn truth(&self) -> Vec<Truth> {
        let truth = |place: &Place| {
            Some(Truth {
                advert: place.seen.clone()?,
                live: place.live,
                prices: place.prices.clone(),
            })
        };
        self.places.iter().filter_map(truth).collect()
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
            seen: None,
            known_live: false,
            lasts: false,
        });
    }
}
