//! The query mix: classes of searches with weights, as people search.

use super::market::{TOWNS, Town};

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
    by_place().into_iter().chain(by_value()).collect()
}

fn small_circle(number: usize, (.., lat, lng, _): Town) -> String {
    let (lat, lng) = (lat + number as f64 * 0.0007, lng - number as f64 * 0.0009);
    let kind = [
        "rent&arrangement=2%2Bkk",
        "sale&arrangement=3%2B1",
        "sale&arrangement=2%2Bkk",
    ];
    format!(
        "lat={lat:.4}&lng={lng:.4}&type=apartment&offerType={}",
        kind[number % 3]
    )
}

fn large_circle(number: usize) -> String {
    let (lat, lng) = (48.9 + number as f64 * 0.1, 13.2 + number as f64 * 0.3);
    let kind = ["land", "house"][number % 2];
    format!("lat={lat:.3}&lng={lng:.3}&radiusMeters=20000&type={kind}")
}

fn by_place() -> Vec<Class> {
    let towns = || TOWNS.into_iter().cycle().enumerate();
    let prices = [2_000_000, 3_500_000, 5_600_000, 8_000_000];
    let in_district = |(number, (_, _, district, ..)): (usize, Town)| {
        let (price, district) = (prices[number % 4], encoded(district));
        let most = price * 17 / 10;
        format!(
            "offerType=sale&type=apartment&district={district}&priceMin={price}&priceMax={most}"
        )
    };
    // Half in the largest town, a quarter in the second, the rest elsewhere.
    let small = (0..38).map(|number| {
        let town = match number % 4 {
            0 | 1 => 0,
            2 => 1,
            _ => 2 + number / 4 % 10,
        };
        small_circle(number, TOWNS[town])
    });
    let in_quarter = |(number, (_, city, ..)): (usize, Town)| {
        let quarter = encoded(&format!("{city} čtvrť {}", number * 2));
        format!("neighborhood={quarter}&type=apartment&offerType=rent")
    };
    vec![
        class("district and price", 23, towns().take(38).map(in_district)),
        class("2 km with filters", 19, small),
        class("20 km", 6, (0..15).map(large_circle)),
        class("neighbourhood", 8, towns().take(20).map(in_quarter)),
    ]
}

fn by_value() -> Vec<Class> {
    let plain = ["", "limit=50", "type=apartment", "offerType=rent"];
    let rare = [
        "subtype=wine_cellar",
        "subtype=fishpond",
        "subtype=orchard&offerType=sale",
        "subtype=attic&priceMax=900000",
    ];
    let dear = [
        "priceMin=15000000",
        "offerType=rent&priceMin=78000",
        "offerType=sale&priceMin=19500000",
        "offerType=rent&priceMin=200000",
    ];
    let inactive = [
        "includeInactive=true",
        "includeInactive=true&type=house",
        "includeInactive=true&district=Praha&offerType=rent",
    ];
    let nothing = [
        "type=apartment&subtype=fishpond&floorMin=30",
        "floorMin=20",
        "priceMin=999999999999",
        "neighborhood=Nowhere",
    ];
    let conjunctions = [
        "ownership=communal&buildingType=stone",
        "buildingType=wood&landAreaMin=3000&livingAreaMax=70",
    ];
    let arrangement = |number: usize| {
        let price = 8_000 + number * 1_500;
        format!("arrangement=2%2Bkk&offerType=rent&priceMax={price}")
    };
    vec![
        class("plain", 10, texts(&plain)),
        class("rare subtype", 3, texts(&rare)),
        class("high price", 4, texts(&dear)),
        class("inactive", 5, texts(&inactive)),
        class("nothing", 3, texts(&nothing)),
        class("arrangement", 6, (0..15).map(arrangement)),
        class("conjunctions", 2, texts(&conjunctions)),
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
