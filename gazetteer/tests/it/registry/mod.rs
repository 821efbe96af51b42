//! The address registry: reading, compiling and storing it.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

mod boundaries;
mod coordinates;
mod file;
mod lookup;
mod merging;
mod reading;
mod sample;

use std::path::{Path, PathBuf};

use gazetteer::registry::{AddressPlace, Imported, Registry, import};

/// The folder of registry fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ruian")
}

/// A fixture of this name.
pub fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

/// The fixtures without faults.
pub fn good() -> Vec<PathBuf> {
    [
        "20171130_OB_599901_ADR.csv",
        "20260630_OB_599901_ADR.csv",
        "20260630_OB_599902_ADR.csv",
        "20260630_OB_599903_ADR.csv",
        "20260630_OB_554782_ADR.csv",
        "vazby-cr.csv",
        "UI_OBEC.csv",
        "UI_OKRES.csv",
        "20260630_ST_UZSZ.xml",
    ]
    .map(fixture)
    .to_vec()
}

/// A compiled gazetteer in its own folder.
pub struct Target {
    _folder: tempfile::TempDir,
    pub file: PathBuf,
}

impl Target {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jeden.gazetteer");
        Self {
            _folder: folder,
            file,
        }
    }

    pub fn import(&self, paths: &[PathBuf]) -> Imported {
        import(paths, &self.file, &|_| ()).unwrap()
    }

    /// Imports files that must have no fault.
    pub fn import_good(&self, paths: &[PathBuf]) -> Imported {
        let imported = self.import(paths);
        assert!(imported.is_complete(), "{:?}", imported.problems);
        imported
    }

    pub fn open(&self) -> Registry {
        Registry::open(&self.file).unwrap()
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.file).unwrap()
    }
}

/// The address place with this code.
pub fn place(registry: &Registry, code: u32) -> AddressPlace {
    let mut places = registry.places_in(0..registry.place_count());
    places.find(|(_, place)| place.code == code).unwrap().1
}

/// The addresses of a registry as people write them, sorted.
pub fn lines(registry: &Registry) -> Vec<String> {
    let all = 0..registry.place_count();
    let mut lines: Vec<String> = registry
        .places_in(all)
        .map(|(_, place)| {
            let name = |index| registry.name(index);
            let street = place.street.and_then(|index| registry.street(index));
            let quarter = registry.quarter(place.quarter).unwrap();
            let municipality = registry.municipality(place.municipality).unwrap();
            let orientation = place.orientation.map_or(String::new(), |orientation| {
                format!(
                    "/{}{}",
                    orientation.number,
                    orientation.letter.map_or(String::new(), String::from)
                )
            });
            let number = match place.number {
                gazetteer::registry::BuildingNumber::Building(number) => format!("č.p. {number}"),
                gazetteer::registry::BuildingNumber::Registration(number) => {
                    format!("č.ev. {number}")
                }
            };
            format!(
                "{} {} {number}{orientation}, {}, {}, {}",
                place.code,
                street.map_or("-", |street| name(street.name)),
                name(quarter.name),
                name(municipality.name),
                place
                    .postal_code
                    .map_or("-".to_owned(), |code| code.to_string()),
            )
        })
        .collect();
    lines.sort();
    lines
}
