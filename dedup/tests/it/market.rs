//! An invented market with many look-alikes on few streets, so that clusters are close to each other.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::feeding::{crawl, gone, seen};

const SITES: [&str; 4] = ["sreality", "idnes", "bezrealitky", "bazos"];
const STREETS: [&str; 3] = ["Koterovská", "Slovanská", "Táborská"];
const LAYOUTS: [&str; 3] = ["2+kk", "2+1", "3+1"];
const TEXTS: [&str; 4] = [
    "Nabízíme k prodeji světlý byt po rekonstrukci v cihlovém domě s výtahem, sklepem a lodžií do dvora.",
    "Prodáme družstevní byt v původním stavu. Dům je zateplený, stoupačky vyměněné, u domu lze parkovat.",
    "Byt v osobním vlastnictví s balkonem, klidná ulice, výborná dostupnost do centra tramvají i vlakem.",
    "Exkluzivně nabízíme prostorný byt v novostavbě, součástí ceny je sklep a garážové stání v suterénu domu.",
];

/// A property of the market.
struct Flat {
    street: &'static str,
    house: u32,
    layout: &'static str,
    area: f64,
    floor: i16,
    price: f64,
    text: &'static str,
    city: &'static str,
}

impl Flat {
    fn invent(rng: &mut StdRng) -> Self {
        Self {
            street: pick(rng, &STREETS),
            house: rng.random_range(1..6),
            layout: pick(rng, &LAYOUTS),
            area: f64::from(rng.random_range(104..128)) / 2.0,
            floor: rng.random_range(0..5),
            price: f64::from(rng.random_range(70..80)) * 50_000.0,
            text: pick(rng, &TEXTS),
            city: if rng.random_bool(0.8) {
                "Plzeň"
            } else {
                "Lhota"
            },
        }
    }

    /// The fields that one portal publishes: rounded, and with gaps.
    fn published(&self, rng: &mut StdRng) -> Value {
        let area = if rng.random_bool(0.5) {
            self.area
        } else {
            self.area.round()
        };
        let mut facts = json!({
            "offerType": "sale", "type": "apartment", "title": format!("Prodej bytu {}", self.layout),
            "description": self.text, "city": self.city, "arrangement": self.layout,
            "livingArea": area, "priceTotal": self.price,
        });
        let mut maybe = |name: &str, value: Value, likely: f64| {
            if rng.random_bool(likely) {
                facts[name] = value;
            }
        };
        maybe("street", json!(self.street), 0.7);
        maybe(
            "address",
            json!(format!("{} {}, {}", self.street, self.house, self.city)),
            0.3,
        );
        maybe("floor", json!(self.floor), 0.6);
        maybe("elevator", json!(self.house.is_multiple_of(2)), 0.4);
        maybe("energyClass", json!("C"), 0.3);
        maybe(
            "district",
            json!(if self.city == "Plzeň" {
                "Plzeň-město"
            } else {
                "Trutnov"
            }),
            0.5,
        );
        maybe(
            "location",
            json!({"lat": 49.73 + f64::from(self.house) / 1e4, "lng": 13.4}),
            0.4,
        );
        facts
    }
}

fn pick<T: Copy>(rng: &mut StdRng, from: &[T]) -> T {
    *from.choose(rng).expect("something to pick from")
}

/// The observations of `count` listings of about a third as many flats: first sights, changes of every
/// kind, removals, returns, unchanged sights, and crawls that end the listings they do not show.
pub fn lines(count: usize, seed: u64) -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(seed);
    let flats: Vec<Flat> = (0..count.div_ceil(3))
        .map(|_| Flat::invent(&mut rng))
        .collect();
    let mut lines = Vec::new();
    for number in 0..count {
        let flat = flats.choose(&mut rng).expect("a flat");
        let site = pick(&mut rng, &SITES);
        lines.extend(life(&mut rng, flat, site, &format!("n{number}")));
    }
    for site in SITES {
        let at = rng.random_range(400..700);
        lines.push(crawl(site, at - 200, at));
    }
    lines
}

/// The observations of one listing.
fn life(rng: &mut StdRng, flat: &Flat, site: &str, number: &str) -> Vec<String> {
    let mut at = rng.random_range(1..300);
    let mut facts = flat.published(rng);
    let mut lines = vec![seen(site, number, at, &facts)];
    for _ in 0..rng.random_range(0..4) {
        at += rng.random_range(0..200);
        match rng.random_range(0..8) {
            0 | 1 => {
                facts["priceTotal"] =
                    json!(flat.price - f64::from(rng.random_range(0..5)) * 50_000.0);
            }
            2 => facts["livingArea"] = json!(flat.area + f64::from(rng.random_range(0..12))),
            3 => facts["description"] = json!(pick(rng, &TEXTS)),
            4 => facts = flat.published(rng),
            5 => {
                facts.as_object_mut().expect("an object").remove("city");
            }
            6 => {
                lines.push(gone(site, number, at));
                continue;
            }
            _ => {}
        }
        lines.push(seen(site, number, at, &facts));
    }
    lines
}

/// Equal adverts without an address, which share every block. The first `moving` of them move to
/// another town later.
pub fn crowd(adverts: usize, moving: usize) -> Vec<String> {
    let identical = |city: &str| {
        json!({
            "offerType": "sale", "type": "apartment", "city": city, "arrangement": "2+kk", "livingArea": 51.3,
            "floor": 2, "floorCount": 4, "priceTotal": 3_333_000,
        })
    };
    let advert = |number: usize| (SITES[number % SITES.len()], format!("c{number}"));
    let first = (0..adverts)
        .map(advert)
        .map(|(site, number)| seen(site, &number, 1, &identical("Plzeň")));
    let later = (0..moving)
        .map(advert)
        .map(|(site, number)| seen(site, &number, 9, &identical("Zlín")));
    first.chain(later).collect()
}

/// A flat that every portal publishes in the same way.
pub fn flat() -> Value {
    json!({
        "offerType": "sale", "type": "apartment", "title": "Prodej bytu 3+1", "city": "Plzeň",
        "street": "Koterovská", "address": "Koterovská 12, Plzeň", "arrangement": "3+1", "livingArea": 72.4,
        "floor": 3, "priceTotal": 4_890_000,
        "description": "Prodáme slunný byt s lodžií ve zrekonstruovaném domě u řeky, sklep, nové rozvody, klid.",
    })
}

/// Another flat, in another town.
pub fn other_flat() -> Value {
    json!({
        "offerType": "sale", "type": "apartment", "title": "Prodej bytu 1+kk", "city": "Zlín",
        "street": "Okružní", "address": "Okružní 4705, Zlín", "arrangement": "1+kk", "livingArea": 31,
        "floor": 7, "priceTotal": 2_650_000, "description": "Garsonka po rekonstrukci, volná ihned, výtah.",
    })
}
