//! Several imports into one gazetteer: neither order nor repetition matters.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;

use super::{Target, fixture, good, lines};

#[test]
fn importing_the_same_files_again_changes_nothing() {
    let target = Target::new();
    let first = target.import_good(&good());
    let bytes = target.bytes();
    let again = target.import_good(&good());
    assert_eq!(target.bytes(), bytes);
    assert_eq!(again.replaced, Some(first.edition.id));
    assert_eq!(again.edition, first.edition);
}

#[test]
fn an_older_edition_does_not_replace_a_newer_one() {
    let target = Target::new();
    target.import_good(&[fixture("20260630_OB_599901_ADR.csv")]);
    let before = lines(&target.open());
    target.import_good(&[fixture("20171130_OB_599901_ADR.csv")]);
    assert_eq!(lines(&target.open()), before);
}

/// These fixtures in an archive with the name of an edition of the whole country.
fn whole_country(folder: &tempfile::TempDir, date: u32, names: &[&str]) -> PathBuf {
    let path = folder.path().join(format!("{date}_OB_ADR_csv.zip"));
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    for name in names {
        let renamed = name.replace("20260630", &date.to_string());
        zip.start_file(
            format!("CSV/{renamed}"),
            zip::write::SimpleFileOptions::default(),
        )
        .unwrap();
        zip.write_all(&std::fs::read(fixture(name)).unwrap())
            .unwrap();
    }
    zip.finish().unwrap();
    path
}

#[test]
fn municipalities_missing_from_a_newer_edition_of_the_whole_country_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::new();
    target.import_good(&good());
    let newer = whole_country(&folder, 20_260_731, &["20260630_OB_599901_ADR.csv"]);
    let imported = target.import_good(&[newer]);
    assert_eq!(imported.edition.whole_country, 20_260_731);
    let registry = target.open();
    assert_eq!(registry.municipalities().len(), 1);
    assert_eq!(registry.place_count(), 9);
    target.import_good(&good());
    assert_eq!(
        target.open().municipalities().len(),
        1,
        "an old file does not bring them back"
    );
}

#[test]
fn an_edition_of_the_whole_country_with_a_broken_table_removes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::new();
    target.import_good(&good());
    let path = folder.path().join("20260731_OB_ADR_csv.zip");
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    zip.start_file(
        "CSV/20260731_OB_599901_ADR.csv",
        zip::write::SimpleFileOptions::default(),
    )
    .unwrap();
    zip.write_all(b"<html>502 Bad Gateway</html>").unwrap();
    zip.finish().unwrap();
    let before = target.bytes();
    let imported = target.import(&[path, fixture("UI_OBEC.csv")]);
    assert_eq!(imported.bad_files, 1);
    assert_eq!(target.bytes(), before);
}

#[test]
fn a_place_that_moved_to_another_municipality_counts_once() {
    let header =
        "Kód ADM;Kód obce;Název obce;Kód části obce;Název části obce;Typ SO;Číslo domovní;PSČ";
    let table = |municipality: u32, date: u32, codes: &[u32]| {
        let rows = codes.iter().map(|code| {
            format!("{code};{municipality};M{municipality};9{municipality};C;č.p.;1;39399\n")
        });
        (
            format!("{date}_OB_{municipality}_ADR.csv"),
            format!("{header}\n{}", rows.collect::<String>()),
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, text): (String, String)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let old = write(table(1001, 20_250_101, &[5, 6]));
    let new = write(table(1002, 20_260_101, &[6, 7]));
    let newest = write(table(1002, 20_260_601, &[7]));
    let target = Target::new();
    target.import_good(&[old.clone(), new]);
    let municipality_of_6 = |target: &Target| {
        let registry = target.open();
        let place = super::place(&registry, 6);
        registry.municipality(place.municipality).unwrap().code
    };
    assert_eq!(
        (target.open().place_count(), municipality_of_6(&target)),
        (3, 1002)
    );
    // The newer municipality loses the place: the row of the older one counts again.
    target.import_good(std::slice::from_ref(&newest));
    assert_eq!(
        (target.open().place_count(), municipality_of_6(&target)),
        (3, 1001)
    );
    let at_once = Target::new();
    at_once.import_good(&[newest, old]);
    assert_eq!(at_once.bytes(), target.bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_order_in_any_number_of_imports_gives_the_same_file(
        order in Just(good()).prop_shuffle(),
        counts in prop::collection::vec(1_usize..4, 9),
        again in prop::sample::subsequence(good(), 0..4),
    ) {
        let at_once = Target::new();
        at_once.import(&good());
        let one_by_one = Target::new();
        let mut left = order.as_slice();
        for count in counts {
            let (now, later) = left.split_at(count.min(left.len()));
            if !now.is_empty() {
                one_by_one.import(now);
            }
            left = later;
        }
        if !again.is_empty() {
            one_by_one.import(&again);
        }
        let (whole, parts) = (at_once.open(), one_by_one.open());
        prop_assert_eq!(whole.edition(), parts.edition());
        prop_assert_eq!(at_once.bytes(), one_by_one.bytes());
    }
}
