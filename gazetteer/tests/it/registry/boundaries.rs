//! The boundaries of regions and districts.

use gazetteer::registry::OutlineKind;

use super::{Target, fixture, good};

const BOUNDARIES: &str = "20260630_ST_UKSG.xml";

#[test]
fn boundaries_are_kept_simplified_and_survive_later_imports() {
    let target = Target::new();
    target.import_good(&good());
    let without = target.bytes().len();
    assert!(target.open().outlines().is_empty());
    let imported = target.import_good(&[fixture(BOUNDARIES)]);
    assert_eq!(imported.outlines, 2);
    let registry = target.open();
    let [region, district] = registry.outlines() else {
        unreachable!("{:?}", registry.outlines())
    };
    assert_eq!(
        (region.kind, region.code, region.rings().count()),
        (OutlineKind::Region, 108, 3),
        "two parts and a hole"
    );
    assert_eq!(
        (district.kind, district.code),
        (OutlineKind::District, 3304)
    );
    let ring = district.rings().next().unwrap();
    assert!((10..61).contains(&ring.len()), "{}", ring.len());
    assert_eq!(ring.first(), ring.last());
    // Pelhřimov lies at about 49.43, 15.22.
    assert!(
        ring.iter()
            .all(|point| (49.0..50.0).contains(&point.lat) && (14.7..15.9).contains(&point.lng)),
        "{ring:?}"
    );
    assert!(target.bytes().len() < without + 2_000);
    // The next import starts from the compiled file.
    let again = target.import_good(&good());
    assert_eq!(again.outlines, 2);
    assert_eq!(target.open().outlines(), registry.outlines());
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let (one, other) = (Target::new(), Target::new());
    let mut files = good();
    files.push(fixture(BOUNDARIES));
    one.import_good(&files);
    other.import_good(&[fixture(BOUNDARIES)]);
    other.import_good(&good());
    assert_eq!(one.bytes(), other.bytes());
}

#[test]
fn a_broken_boundary_is_reported_with_file_element_and_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("20260731_ST_UKSG.xml");
    let text = std::fs::read_to_string(fixture(BOUNDARIES)).unwrap();
    let (before, district) = text.split_once("OK.3304").unwrap();
    let broken = district.replacen("<gml:posList>", "<gml:posList>here ", 1);
    std::fs::write(&path, format!("{before}OK.3304{broken}")).unwrap();
    let target = Target::new();
    let imported = target.import(&[path]);
    let said = imported.problems[0].to_string();
    for part in [
        "20260731_ST_UKSG.xml",
        "OK.3304",
        "not a number",
        "as ČÚZK publishes it",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(imported.outlines, 1, "the region is kept");
}
