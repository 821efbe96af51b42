//! Serves the simulated portals until Enter is pressed: something to crawl that nobody minds.
//!
//! `cargo run -p support --example portals -- 10000` puts 10,000 adverts on each; then, in another terminal,
//! `jeden scrape sreality --base-url URL` with the address that is printed. Enter lets a day go by, `q` ends it and says
//! what was asked.

#![expect(clippy::print_stdout, reason = "it talks to whoever runs it")]

use std::collections::BTreeMap;
use std::io::BufRead;

use support::simulator::Simulator;
use support::simulator::portals::SIMULATED;

fn main() {
    let adverts = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(100);
    let simulator = Simulator::start(SIMULATED, adverts, 1);
    println!(
        "{adverts} adverts on each portal at {}",
        simulator.base_url()
    );
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if line.trim() == "q" {
            break;
        }
        simulator.world().pass_a_day();
        println!("a day has gone by");
    }
    let mut asked: BTreeMap<(&str, u16), usize> = BTreeMap::new();
    for visit in &simulator.world().visits {
        *asked.entry((visit.site_id, visit.status)).or_default() += 1;
    }
    for ((site_id, status), count) in asked {
        println!("{site_id}: {count} answers of {status}");
    }
}
