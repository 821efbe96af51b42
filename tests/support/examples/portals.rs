//! Serves the simulated portals, to try a crawl without sending requests to a real portal.
//!
//! `cargo run -p support --example portals -- 10000` puts 10,000 adverts on each portal and prints an address. In another
//! terminal, run `jeden scrape sreality --base-url ADDRESS`. Enter lets a day pass. `q` ends the program, which then prints
//! how many requests it answered.

#![expect(clippy::print_stdout, reason = "the example prints its results")]

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
        println!("a day has passed");
    }
    let mut asked: BTreeMap<(&str, u16), usize> = BTreeMap::new();
    for request in &simulator.world().requests {
        *asked.entry((request.site_id, request.status)).or_default() += 1;
    }
    for ((site_id, status), count) in asked {
        println!("{site_id}: {count} answers of {status}");
    }
}
