//! Real files of the registry, if they are present beside the workspace.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use gazetteer::Region;
use gazetteer::registry::{BuildingNumber, Registry};

use super::{Target, lines};

/// The folder of real files, beside the workspace.
fn real(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/ruian")
        .join(folder);
    if path.exists() {
        return Some(path);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test must be visible")]
    {
        eprintln!("skipped: there are no registry files at {}", path.display());
    }
    None
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn real_tables_are_read_without_faults() {
    let Some(tables) = real("csv") else { return };
    let target = Target::new();
    let imported = target.import_good(&[tables]);
    let counts = imported.edition.counts;
    assert_eq!((imported.files, imported.edition.date), (39, 20_220_430));
    assert_eq!(u64::from(counts.places), imported.rows);
    assert!(
        counts.city_parts > 20 && counts.streets > 2000,
        "{counts:?}"
    );
    let registry = target.open();
    let line = lines(&registry)
        .into_iter()
        .find(|line| line.contains("Klatovská č.p. 538/274a"));
    assert!(line.is_some_and(|line| line.contains("Plzeň")));
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn newer_tables_replace_older_ones() {
    let Some(tables) = real("older") else { return };
    let target = Target::new();
    let imported = target.import_good(&[tables]);
    assert_eq!(imported.files, 22);
    assert_eq!(imported.edition.counts.municipalities, 12);
    let registry = target.open();
    for municipality in registry.municipalities() {
        assert!(municipality.edition >= 20_180_531);
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_vfr_declines_names_and_joins_its_table() {
    let (Some(vfr), Some(tables)) = (real("vfr"), real("csv")) else {
        return;
    };
    let target = Target::new();
    target.import_good(&[vfr, tables]);
    let registry = target.open();
    let index = registry.municipality_by_code(564_729).unwrap();
    let village = registry.municipality(index).unwrap();
    let forms: Vec<&str> = registry.declined(village.forms).collect();
    assert_eq!(forms, ["Děčan", "Děčanům", "Děčany", "Děčanech", "Děčany"]);
    assert_eq!(village.district, Some(gazetteer::District::Litomerice));
    assert_eq!(village.quarters.len(), 4);
    let quarter = gazetteer::registry::QuarterIndex(village.quarters.start);
    assert!(
        registry
            .find_in_quarter(quarter, BuildingNumber::Building(1))
            .next()
            .is_some()
    );
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn published_hierarchy_tables_are_read() {
    let Some(tables) = real("strukt_fixture") else {
        return;
    };
    let target = Target::new();
    // One row of its address table has the signs of VFR.
    let imported = target.import(&[tables]);
    assert_eq!(
        (imported.bad_rows, imported.bad_values, imported.bad_files),
        (0, 1, 0),
        "{:?}",
        imported.problems
    );
    let registry = target.open();
    let place = super::place(&registry, 21_690_278);
    let at = place.location.unwrap();
    assert!(
        (at.lat - 50.089_480).abs() < 1e-6 && (at.lng - 14.398_606).abs() < 1e-6,
        "{at:?}"
    );
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn codes_of_districts_and_their_regions_are_those_of_real_lists() {
    let Some(list) = real("lists/casti_obci_psc_hierarchy_2021.csv.gz") else {
        return;
    };
    let list = flate2::read::GzDecoder::new(std::fs::File::open(list).unwrap());
    let mut reader = csv::Reader::from_reader(list);
    let column = |name: &str, header: &csv::StringRecord| {
        header.iter().position(|column| column == name).unwrap()
    };
    let header = reader.headers().unwrap().clone();
    let [code, name, district, district_name, region] =
        ["kodobce", "nazobce", "kodokresu", "nazokresu", "nazevkraj"]
            .map(|name| column(name, &header));
    let mut names = std::collections::BTreeMap::new();
    let mut list = "KOD;NAZEV;STATUS_KOD;OKRES_KOD;PLATI_OD;PLATI_DO\n".to_owned();
    for record in reader.records() {
        let record = record.unwrap();
        let field = |at: usize| record.get(at).unwrap();
        let (code, name, district) = (field(code), field(name), field(district));
        let expected = (field(district_name).to_owned(), field(region).to_owned());
        names.insert(code.parse::<u32>().unwrap(), expected);
        writeln!(list, "{code};{name};2;{district};2021-01-01T00:00:00;").unwrap();
    }
    let registry = Registry::from_tables(&[("UI_OBEC.csv", list.as_bytes())]).unwrap();
    assert!(registry.municipalities().len() > 6000);
    for municipality in registry.municipalities() {
        let district = municipality.district.unwrap();
        let (expected, region) = names.get(&municipality.code).unwrap();
        assert!(
            expected == district.name() || expected == "Hlavní město Praha",
            "{expected} is not {district}"
        );
        assert_eq!(Region::parse(region), Some(district.region()));
    }
}
