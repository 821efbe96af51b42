//! Generated listings: each property is advertised by one to three portals, in towns of very different sizes.

use ingest::{dumps, intake};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schema::store::Db;
use schema::{Observation, Timestamp};
use serde_json::{Value, json};

/// After everything that is observed.
pub const NOW: Timestamp = Timestamp(1_809_129_600_000);

/// The first day of what is observed.
const BEGIN: i64 = 1_777_593_600_000;
const DAY: i64 = 86_400_000;

const PORTALS: [&str; 4] = ["sreality", "idnes", "bezrealitky", "bazos"];
const LAYOUTS: [&str; 7] = ["1+kk", "1+1", "2+kk", "2+1", "3+kk", "3+1", "4+kk"];
const WORDS: [&str; 48] = [
    "byt",
    "dům",
    "světlý",
    "prostorný",
    "klidný",
    "zrekonstruovaný",
    "cihlový",
    "panelový",
    "balkon",
    "lodžie",
    "sklep",
    "garáž",
    "zahrada",
    "výtah",
    "kuchyň",
    "koupelna",
    "ložnice",
    "pokoj",
    "okna",
    "podlaha",
    "topení",
    "plyn",
    "voda",
    "elektřina",
    "škola",
    "školka",
    "obchod",
    "park",
    "les",
    "řeka",
    "vlak",
    "tramvaj",
    "dálnice",
    "centrum",
    "náměstí",
    "sídliště",
    "novostavba",
    "původní",
    "stav",
    "vlastnictví",
    "družstvo",
    "hypotéka",
    "prohlídka",
    "ihned",
    "volný",
    "cena",
    "dohoda",
    "provize",
];

/// A property, as its own seed makes it.
struct Property {
    town: u32,
    street: u32,
    house: u32,
    layout: &'static str,
    area: f64,
    floor: i16,
    price: f64,
    text: String,
    first_day: i64,
}

impl Property {
    /// Towns have sizes in inverse proportion to their rank, as real ones do; streets grow with the town.
    fn invent(number: usize, towns: f64) -> Self {
        let mut rng = StdRng::seed_from_u64(number as u64);
        let town = towns.powf(rng.random_range(0.0..1.0)) as u32;
        let streets = (4_000 / (town + 1)).clamp(3, 1_500);
        let area = f64::from(rng.random_range(220..1_800)) / 10.0;
        let words: Vec<&str> = (0..60)
            .map(|_| *WORDS.choose(&mut rng).expect("a word"))
            .collect();
        Self {
            town,
            street: rng.random_range(0..streets),
            house: rng.random_range(1..120),
            layout: LAYOUTS.choose(&mut rng).expect("a layout"),
            area,
            floor: rng.random_range(0..8),
            price: (area * f64::from(rng.random_range(40_000..140_000)) / 1_000.0).round()
                * 1_000.0,
            text: words.join(" "),
            first_day: rng.random_range(0..200),
        }
    }

    /// The line of an advert on one portal.
    fn line(&self, site: &str, number: &str, rng: &mut StdRng) -> Value {
        let (town, street) = (
            format!("Obec {}", self.town),
            format!("Ulice {}", self.street),
        );
        let mut facts = json!({
            "offerType": "sale", "type": "apartment", "title": format!("Prodej bytu {}", self.layout),
            "description": self.text, "city": town, "arrangement": self.layout,
            "livingArea": if rng.random_bool(0.5) { self.area.round() } else { self.area },
            "priceTotal": self.price,
        });
        let mut maybe = |name: &str, value: Value, likely: f64| {
            if rng.random_bool(likely) {
                facts[name] = value;
            }
        };
        maybe("street", json!(street), 0.7);
        maybe(
            "address",
            json!(format!("{street} {}, {town}", self.house)),
            0.3,
        );
        maybe("floor", json!(self.floor), 0.6);
        maybe("district", json!("Trutnov"), 0.5);
        let degrees = |part: u32| f64::from(part % 1_000) / 1_000.0;
        let (lat, lng) = (
            49.0 + degrees(self.town) + degrees(self.street) / 20.0,
            14.0 + degrees(self.town * 7) + degrees(self.house) / 50.0,
        );
        maybe("location", json!({"lat": lat, "lng": lng}), 0.6);
        let day = self.first_day + rng.random_range(0..20);
        json!({"siteId": site, "offerId": number, "observedAt": at(day), "url": null, "listing": facts})
    }
}

/// Stores so many listings. A few are gone, so that portals are known to report that.
pub async fn store(db: &Db, count: usize) {
    let towns = (count as f64 / 60.0).clamp(50.0, 6_000.0);
    let mut rng = StdRng::seed_from_u64(7);
    let mut lines: Vec<Value> = Vec::new();
    let (mut stored, mut property) = (0, 0);
    while stored < count {
        let invented = Property::invent(property, towns);
        property += 1;
        for _ in 0..rng.random_range(1..4).min(count - stored) {
            let site = *PORTALS.choose(&mut rng).expect("a portal");
            let number = format!("{stored}");
            lines.push(invented.line(site, &number, &mut rng));
            if stored % 5 == 0 {
                lines.push(
                    json!({"siteId": site, "offerId": number, "observedAt": at(300), "gone": true}),
                );
            }
            stored += 1;
        }
        if lines.len() >= 1_000 || stored == count {
            let batch: Vec<Observation> = lines.drain(..).map(|line| observation(&line)).collect();
            intake::observe(db, "bench", &batch, NOW)
                .await
                .expect("stored observations");
        }
    }
}

fn observation(line: &Value) -> Observation {
    dumps::parse_line(line.to_string().as_bytes())
        .expect("a line")
        .expect("an observation")
}

fn at(day: i64) -> Timestamp {
    Timestamp(BEGIN + day * DAY)
}
