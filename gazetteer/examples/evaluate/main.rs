//! Measures how well and how quickly addresses are found, with the registry and the adverts beside the project:
//!
//! ```sh
//! cargo run --release -p gazetteer --example evaluate
//! ```
//!
//! `-- seed N` draws other houses and errors for the fresh queries, `-- wrong FORM` prints the queries of a form whose
//! answers are more than 50 m away, and `-- locate TEXT…` prints the answer of a search to each text. If the data are absent, it says
//! so and ends.

#![expect(clippy::print_stdout, reason = "the example prints its results")]

#[path = "../../tests/it/absent.rs"]
mod absent;
mod adverts;
mod cases;
mod figures;
mod fresh;
mod refused;
mod sample;

use std::sync::Arc;
use std::time::Instant;

use figures::Query;
use gazetteer::GazetteerBuilder;
use gazetteer::registry::Registry;

/// The default seed.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(shared) = sample::folder() else {
        println!("skipped: no data beside the project");
        return Ok(());
    };
    let file = sample::compiled(&shared)?;
    let started = Instant::now();
    let registry = Arc::new(Registry::open(&file)?);
    let opened = started.elapsed();
    let gazetteer = GazetteerBuilder::new()
        .registry(Arc::clone(&registry))
        .build();
    println!(
        "{} address places, {} names of places",
        registry.place_count(),
        gazetteer.len()
    );
    println!(
        "opened in {opened:.0?}, with the search {:.0?}; {}",
        started.elapsed(),
        sample::resident()
    );

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["locate", texts @ ..] = words.as_slice() {
        for text in texts {
            println!("{text}: {:#?}", gazetteer.find(text));
        }
        return Ok(());
    }
    let form = if let ["wrong", form] = words.as_slice() {
        Some(*form)
    } else {
        None
    };
    cases::check(
        &gazetteer,
        &shared.join("ruian/constructed/normalise_cases.tsv"),
    )?;
    let seed = if let ["seed", seed] = words.as_slice() {
        seed.parse()?
    } else {
        SEED
    };
    for (name, queries) in [
        (
            "fresh, made of registry rows",
            fresh::queries(&registry, seed),
        ),
        (
            "made of registry rows",
            sample::queries(&shared.join("ruian/constructed/synthetic_queries_36k.tsv.gz"))?,
        ),
        (
            "lines of adverts",
            adverts::lines(&shared.join("portal-samples/sreality"))?,
        ),
    ] {
        println!("\n{name}: {} queries", queries.len());
        figures::measure(&gazetteer, &queries, form);
    }
    refused::check(&gazetteer, &registry);
    println!("\n{}", sample::resident());
    Ok(())
}

impl Query {
    fn new(form: &str, text: &str, lat: f64, lng: f64) -> Self {
        Self {
            form: form.to_owned(),
            text: text.to_owned(),
            at: (lat, lng),
        }
    }
}
