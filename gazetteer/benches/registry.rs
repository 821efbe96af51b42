//! Importing and opening a registry of 100,000 invented address places.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;

use gazetteer::registry::{GridPoint, Imported, Registry, import};

fn main() {
    divan::main();
}

const MUNICIPALITIES: u32 = 50;
const PLACES: u32 = 2_000;

/// The address tables in a folder, and the file compiled from them.
struct Files {
    _folder: tempfile::TempDir,
    tables: PathBuf,
    compiled: PathBuf,
}

static FILES: LazyLock<Files> = LazyLock::new(|| {
    #[expect(
        clippy::unwrap_used,
        reason = "a benchmark cannot run without its files"
    )]
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let compiled = folder.path().join("jeden.gazetteer");
    let _ = std::fs::create_dir_all(&tables);
    for municipality in 0..MUNICIPALITIES {
        let name = format!("20260630_OB_{}_ADR.csv", 590_000 + municipality);
        let _ = std::fs::write(tables.join(name), table(municipality));
    }
    import_tables(&tables, &compiled);
    Files {
        _folder: folder,
        tables,
        compiled,
    }
});

fn import_tables(tables: &std::path::Path, target: &std::path::Path) -> Option<Imported> {
    import(&[tables.to_owned()], target, &|_| ()).ok()
}

fn table(municipality: u32) -> String {
    let mut table = String::from(
        "Kód ADM;Kód obce;Název obce;Kód MOMC;Název MOMC;Kód obvodu Prahy;Název obvodu Prahy;Kód části obce;\
         Název části obce;Kód ulice;Název ulice;Typ SO;Číslo domovní;Číslo orientační;Znak čísla orientačního;PSČ;\
         Souřadnice Y;Souřadnice X;Platí Od\n",
    );
    let code = 590_000 + municipality;
    for place in 0..PLACES {
        let (id, street, quarter) = (municipality * PLACES + place + 1, place / 40, place % 3);
        let (y, x) = (
            500_000 + municipality * 6_000 + place,
            1_000_000 + municipality * 3_000 + place * 2,
        );
        let _ = writeln!(
            table,
            "{id};{code};Obec {municipality};;;;;{quarter}{code};Část {quarter};{code}{street};Ulice {street};č.p.;\
             {};{};;39{:03};{y}.5;{x}.25;2011-07-01T00:00:00",
            place + 1,
            place % 40 + 1,
            municipality % 5,
        );
    }
    table
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn import_100000_places() -> u64 {
    let target = FILES.compiled.with_extension("again");
    let _ = std::fs::remove_file(&target);
    import_tables(&FILES.tables, &target).map_or(0, |imported| imported.rows)
}

#[divan::bench(sample_count = 10)]
fn open_100000_places() -> Option<u32> {
    Registry::open(&FILES.compiled)
        .ok()
        .map(|registry| registry.place_count())
}

#[divan::bench]
fn grid_to_degrees() -> Option<f64> {
    let point =
        GridPoint::from_distances(divan::black_box(744_384.54), divan::black_box(1_042_569.73));
    point.ok().map(|point| point.to_wgs84().lat)
}
