//! Dumps for tests: the authored ones, and larger generated ones.

use std::path::PathBuf;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use support::{Filled, TestDatabase};

use super::jeden::{Jeden, project};

/// The folder of the authored dumps.
pub fn folder() -> PathBuf {
    project("fixtures/dumps")
}

/// Databases into which the program has replayed the authored dumps, as nearly every test of a command needs.
pub async fn replayed() -> Vec<TestDatabase> {
    static REPLAYED: Filled = Filled::new();
    let replay = async |database: &TestDatabase| Jeden::on(&database.url).replay(&[&folder()]);
    REPLAYED.databases(replay).await
}

/// The lines of the authored dumps whose file name starts with `prefix`, file by file.
pub fn authored(prefix: &str) -> Vec<String> {
    let mut files: Vec<PathBuf> = folder()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| {
        file.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    });
    files.sort();
    assert!(!files.is_empty(), "no dump begins with {prefix:?}");
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// The lines in another order, which depends on the seed only.
pub fn shuffled(mut lines: Vec<String>, seed: u64) -> Vec<String> {
    lines.shuffle(&mut StdRng::seed_from_u64(seed));
    lines
}

const TOWNS: [&str; 8] = [
    "Plzeň",
    "Liberec",
    "Olomouc",
    "Zlín",
    "Kladno",
    "Most",
    "Jihlava",
    "Pardubice",
];
const STREETS: [&str; 12] = [
    "Nádražní",
    "Husova",
    "Palackého",
    "Jiráskova",
    "Komenského",
    "Zahradní",
    "Školní",
    "Lesní",
    "Polní",
    "Smetanova",
    "Dvořákova",
    "Riegrova",
];
const LAYOUTS: [&str; 6] = ["1+kk", "2+kk", "2+1", "3+kk", "3+1", "4+1"];

/// The observations of generated flats in order of time. Most flats are on two portals.
pub fn invented(flats: usize, seed: u64) -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut lines: Vec<(i64, String)> = Vec::new();
    for number in 0..flats {
        let facts = flat(&mut rng, number);
        for site in ["sreality", "idnes"] {
            if rng.random_bool(0.8) {
                lines.extend(life(&mut rng, site, number, facts.clone()));
            }
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

fn flat(rng: &mut StdRng, number: usize) -> Value {
    let mut pick = |from: &[&'static str]| *from.choose(rng).expect("something to pick from");
    let (town, street, layout) = (pick(&TOWNS), pick(&STREETS), pick(&LAYOUTS));
    json!({
        "offerType": "sale", "type": "apartment", "title": format!("Prodej bytu {layout}, {town}"),
        "description": format!("Byt číslo {number} v ulici {street}, po rekonstrukci, se sklepem."),
        "city": town, "street": street, "address": format!("{street} {}, {town}", rng.random_range(1..99)),
        "arrangement": layout, "livingArea": f64::from(rng.random_range(280..1100)) / 10.0,
        "floor": rng.random_range(0..9), "priceTotal": rng.random_range(40..180) * 50_000,
    })
}

fn life(rng: &mut StdRng, site: &str, number: usize, mut facts: Value) -> Vec<(i64, String)> {
    let mut hour = rng.random_range(0..500);
    let offer_id = format!("{number}");
    let line = |hour: i64, key: &str, value: &Value| {
        let at = format!("2026-05-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24);
        (
            hour,
            json!({"siteId": site, "offerId": offer_id, "observedAt": at, key: value}).to_string(),
        )
    };
    let mut lines = vec![line(hour, "listing", &facts)];
    if rng.random_bool(0.3) {
        hour += rng.random_range(1..100);
        facts["priceTotal"] = json!(facts["priceTotal"].as_i64().unwrap_or_default() - 50_000);
        lines.push(line(hour, "listing", &facts));
    }
    if rng.random_bool(0.2) {
        lines.push(line(hour + rng.random_range(1..100), "gone", &json!(true)));
    }
    lines
}
