//! Locating texts and completing addresses with the registry of the whole country. It needs the registry that
//! `cargo run --release -p gazetteer --example evaluate` compiles; without it nothing is measured.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use gazetteer::registry::Registry;
use gazetteer::{AddressParts, Gazetteer, GazetteerBuilder};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../target/evaluate/ruian.gazetteer"
);

static REGISTRY: LazyLock<Option<Arc<Registry>>> =
    LazyLock::new(|| Registry::open(Path::new(FILE)).ok().map(Arc::new));

static GAZETTEER: LazyLock<Option<Gazetteer>> = LazyLock::new(|| {
    REGISTRY
        .clone()
        .map(|registry| GazetteerBuilder::new().registry(registry).build())
});

fn main() {
    divan::main();
}

#[divan::bench(args = [
    "Klatovská 538/274a, 321 00 Plzeň 3",
    "namesti republiky 7, plzen",
    "Belehrdska 554, Pardubice",
    "Českoslvenské arámdy 275, Hradec Králvé",
    "Dolní Adršpach 130, okres Náchod",
    "v Karlových Varech",
    "Nová Ves",
    "Hlavní",
    "Estepona nemá nic společného s touto zemí a jejími ulicemi",
])]
fn locate(bencher: divan::Bencher<'_, '_>, text: &str) {
    if let Some(gazetteer) = GAZETTEER.as_ref() {
        bencher.bench_local(|| gazetteer.locate(divan::black_box(text)).is_ok());
    }
}

#[divan::bench]
fn complete_a_listing(bencher: divan::Bencher<'_, '_>) {
    let parts = AddressParts {
        street: Some("Klatovska"),
        house_number: Some("538"),
        neighborhood: Some("Litice"),
        city: Some("Plzeň"),
        district: Some("Plzeň-město"),
        ..AddressParts::default()
    };
    if let Some(gazetteer) = GAZETTEER.as_ref() {
        bencher.bench_local(|| gazetteer.complete_address(divan::black_box(&parts)));
    }
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn build_the_search(bencher: divan::Bencher<'_, '_>) {
    if let Some(registry) = REGISTRY.as_ref() {
        bencher.bench_local(|| {
            GazetteerBuilder::new()
                .registry(Arc::clone(registry))
                .build()
                .len()
        });
    }
}
