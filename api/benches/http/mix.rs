//! The query mix: classes of searches with weights, as people search.

use super::market::TOWNS;

/// A class of requests: its name, its weight in the mix in per cent, its paths.
pub struct Class {
    pub name: &'static str,
    pub weight: u32,
    pub paths: Vec<String>,
}

fn class(name: &'static str, weight: u32, queries: impl IntoIterator<Item = String>) -> Class {
    let paths = queries
        .into_iter()
        .map(|query| format!("/v1/offers?{query}"));
    Class {
        name,
        weight,
        paths: paths.collect(),
    }
}

fn texts(queries: &[&str]) -> Vec<String> {
    queries.iter().map(|query| (*query).to_owned()).collect()
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// The classes of searches that need no cursor.
pub fn searches() -> Vec<Class> {
    let towns = || TOWNS.iter().cycle();
    let prices = [2_000_000, 3_500_000, 5_600_000, 8_000_000];
    let small = |(number, (.., lat, lng, _)): (usize, &(u32, &str, &str, f64, f64, f64))| {
        let (lat, lng) = (lat + number as f64 * 0.0007, lng - number as f64 * 0.0009);
        let kind = [
            "rent&arrangement=2%2Bkk",
            "sale&arrangement=3%2B1",
            "sale&arrangement=2%2Bkk",
        ][number % 3];
        format!("lat={lat:.4}&lng={lng:.4}&type=apartment&offerType={kind}")
    };
    let wide = |number: usize| {
        let (lat, lng) = (48.9 + number as f64 * 0.1, 13.2 + number as f64 * 0.3);
        format!(
            "lat={lat:.3}&lng={lng:.3}&radiusMeters=20000&type={}",
            ["land", "house"][number % 2]
        )
    };
    vec![
        class(
            "plain",
            10,
            texts(&["", "limit=50", "type=apartment", "offerType=rent"]),
        ),
        class(
            "district and price",
            23,
            towns()
                .take(38)
                .enumerate()
                .map(|(number, (_, _, district, ..))| {
                    let price = prices[number % 4];
                    format!(
                        "offerType=sale&type=apartment&district={}&priceMin={price}&priceMax={}",
                        encoded(district),
                        price * 17 / 10
                    )
                }),
        ),
        class(
            "2 km with filters",
            19,
            (0..38).map(|number| {
                let town = match number % 4 {
                    0 | 1 => 0,
                    2 => 1,
                    _ => 2 + number / 4 % 10,
                };
                small((number, &TOWNS[town]))
            }),
        ),
        class("20 km", 6, (0..15).map(wide)),
        class(
            "rare subtype",
            3,
            texts(&[
                "subtype=wine_cellar",
                "subtype=fishpond",
                "subtype=orchard&offerType=sale",
                "subtype=attic&priceMax=900000",
            ]),
        ),
        class(
            "high price",
            4,
            texts(&[
                "priceMin=15000000",
                "offerType=rent&priceMin=78000",
                "offerType=sale&priceMin=19500000",
                "offerType=rent&priceMin=200000",
            ]),
        ),
        class(
            "inactive",
            5,
            texts(&[
                "includeInactive=true",
                "includeInactive=true&type=house",
                "includeInactive=true&district=Praha&offerType=rent",
            ]),
        ),
        class(
            "nothing",
            3,
            texts(&[
                "type=apartment&subtype=fishpond&floorMin=30",
                "floorMin=20",
                "priceMin=999999999999",
                "neighborhood=Nowhere",
            ]),
        ),
        class(
            "neighbourhood",
            8,
            towns().take(20).enumerate().map(|(number, (_, city, ..))| {
                let quarter = encoded(&format!("{city} čtvrť {}", number * 2));
                format!("neighborhood={quarter}&type=apartment&offerType=rent")
            }),
        ),
        class(
            "arrangement",
            6,
            (0..15).map(|number| {
                format!(
                    "arrangement=2%2Bkk&offerType=rent&priceMax={}",
                    8_000 + number * 1_500
                )
            }),
        ),
        class(
            "conjunctions",
            2,
            texts(&[
                "ownership=communal&buildingType=stone",
                "buildingType=wood&landAreaMin=3000&livingAreaMax=70",
            ]),
        ),
    ]
}

/// The broad searches of which deep pages are read.
pub const WALKED: [&str; 4] = ["", "type=apartment", "offerType=sale", "district=Praha"];

/// Paths drawn by the weights of their classes, always the same.
pub fn drawn(classes: &[Class], count: usize) -> Vec<String> {
    let total: u32 = classes.iter().map(|class| class.weight).sum();
    let mut state = 0x9e37_79b9_u32;
    let mut next = move || {
        // A linear congruential generator is random enough here.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let mut draw = || {
        let mut weight = next() % total;
        let class = classes.iter().find(|class| {
            let found = weight < class.weight;
            weight = weight.saturating_sub(class.weight);
            found
        });
        let paths = &class.unwrap_or(&classes[0]).paths;
        paths[next() as usize % paths.len()].clone()
    };
    (0..count).map(|_| draw()).collect()
}
