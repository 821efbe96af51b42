//! Distances and times.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gazetteer::Gazetteer;
use schema::Location;

/// A text and the position of the place that it means.
pub struct Query {
    pub form: String,
    pub text: String,
    pub at: (f64, f64),
}

impl Query {
    /// Its position to about ten metres.
    pub fn pin(&self) -> (i64, i64) {
        ((self.at.0 * 1e4) as i64, (self.at.1 * 1e4) as i64)
    }
}

/// The distance if nothing was found: farther than any two points of the country.
const NOWHERE: f64 = 10_000.0;
/// How often each text is located. The fastest run counts, so that the load of the machine does not.
const TIMES: usize = 3;

/// Locates all texts and prints the share within each distance by form, and the times.
pub fn measure(gazetteer: &Gazetteer, queries: &[Query], wrong: Option<&str>) {
    let mut distances: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut times = Vec::with_capacity(queries.len());
    for query in queries {
        let found = gazetteer.find(&query.text);
        times.extend((0..TIMES).map(|_| time(gazetteer, &query.text)).min());
        let distance = found.as_ref().map_or(NOWHERE, |found| {
            found.location.kilometres_to(Location {
                lat: query.at.0,
                lng: query.at.1,
            })
        });
        distances.entry(&query.form).or_default().push(distance);
        if wrong.is_some_and(|form| query.form.starts_with(form)) && distance > 0.05 {
            let answer = found.map_or_else(|error| error.to_string(), |found| found.to_string());
            println!("{distance:9.2} km  {}  =>  {answer}", query.text);
        }
    }
    times.sort();
    let at = |share: f64| {
        times
            .get((times.len().saturating_sub(1) as f64 * share) as usize)
            .copied()
    };
    let shown = [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| at(share).unwrap_or_default());
    println!(
        "time: p50 {:?}, p90 {:?}, p99 {:?}, p99.9 {:?}, longest {:?}",
        shown[0], shown[1], shown[2], shown[3], shown[4]
    );
    println!(
        "{:32} {:>7} {:>8} {:>8} {:>8} {:>8}",
        "form", "queries", "50 m", "500 m", "2 km", "nowhere"
    );
    for (form, distances) in distances {
        let share = |limit: f64| {
            let within = distances
                .iter()
                .filter(|distance| **distance <= limit)
                .count();
            100.0 * within as f64 / distances.len() as f64
        };
        let nowhere = distances
            .iter()
            .filter(|distance| **distance >= NOWHERE)
            .count();
        let (metres, half, two) = (share(0.05), share(0.5), share(2.0));
        println!(
            "{form:32} {:7} {metres:6.2} % {half:6.2} % {two:6.2} % {nowhere:8}",
            distances.len()
        );
    }
}

fn time(gazetteer: &Gazetteer, text: &str) -> Duration {
    let started = Instant::now();
    let found = std::hint::black_box(gazetteer.find(std::hint::black_box(text)));
    let elapsed = started.elapsed();
    drop(found);
    elapsed
}
