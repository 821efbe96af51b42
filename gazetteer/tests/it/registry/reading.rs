//! Reading the published files: archives, encodings, faults.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use gazetteer::registry::{ImportError, Registry, import};

use super::{Target, fixture, good, lines};

/// A zip with these fixtures in a folder, as the whole country is published.
fn zip_of(path: &Path, names: &[&str]) -> PathBuf {
    let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
    for name in names {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("CSV/{name}"), options).unwrap();
        zip.write_all(&std::fs::read(fixture(name)).unwrap())
            .unwrap();
    }
    zip.finish().unwrap();
    path.to_owned()
}

#[test]
fn an_archive_is_read_like_the_files_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["20260630_OB_599902_ADR.csv", "20260630_OB_599903_ADR.csv"];
    let plain = Target::new();
    plain.import_good(&names.map(fixture));

    let zip = zip_of(&folder.path().join("some.zip"), &names);
    let tar_gz = folder.path().join("some.tar.gz");
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(
        File::create(&tar_gz).unwrap(),
        flate2::Compression::fast(),
    ));
    for name in names {
        tar.append_path_with_name(fixture(name), name).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
    let unpacked = folder.path().join("unpacked");
    std::fs::create_dir_all(unpacked.join("CSV")).unwrap();
    std::fs::write(unpacked.join("README.txt"), "skipped").unwrap();
    for name in names {
        std::fs::copy(fixture(name), unpacked.join("CSV").join(name)).unwrap();
    }

    for archive in [zip, tar_gz, unpacked, fixture("20260630_casti.tar.xz")] {
        let target = Target::new();
        let imported = target.import_good(std::slice::from_ref(&archive));
        assert_eq!(
            (imported.files, imported.rows),
            (2, 3),
            "{}",
            archive.display()
        );
        assert_eq!(target.bytes(), plain.bytes(), "{}", archive.display());
    }
}

#[test]
fn an_archive_in_an_archive_is_reported_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nested.zip");
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    for name in ["20260630_casti.tar.xz", "20260630_OB_599902_ADR.csv"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(&std::fs::read(fixture(name)).unwrap())
            .unwrap();
    }
    zip.finish().unwrap();
    let target = Target::new();
    let imported = target.import(&[path]);
    assert_eq!((imported.bad_files, imported.rows), (1, 3));
    let problem = imported.problems.first().unwrap();
    assert!(problem.file.ends_with("nested.zip/20260630_casti.tar.xz"));
    assert!(problem.reason.contains("unpack it"), "{problem}");
}

#[test]
fn old_column_names_and_utf_8_are_read() {
    let target = Target::new();
    target.import_good(&[fixture("20171130_OB_599901_ADR.csv")]);
    let registry = target.open();
    assert_eq!(registry.edition().date, 20_171_130);
    assert_eq!(registry.place_count(), 8);
    assert!(
        lines(&registry)
            .contains(&"99990004 Stalinova č.p. 17/1, Kvíčalov, Kvíčalov, 393 99".to_owned())
    );
}

#[test]
fn faults_are_reported_with_file_line_and_reason_and_nothing_else_is_lost() {
    let target = Target::new();
    let imported = target.import(&[fixture("faults")]);
    let reasons: Vec<String> = imported
        .problems
        .iter()
        .map(|problem| {
            let file = Path::new(&problem.file)
                .file_name()
                .unwrap()
                .to_string_lossy();
            format!("{file}:{}: {}", problem.line.unwrap_or(0), problem.reason)
        })
        .collect();
    let expected = [
        ("20260630_OB_599904_ADR.csv:3", "swapped"),
        ("20260630_OB_599904_ADR.csv:4", "wrong sign"),
        ("20260630_OB_599904_ADR.csv:5", "Souřadnice X is \"\""),
        ("20260630_OB_599904_ADR.csv:6", "PSČ is \"99999\""),
        ("20260630_OB_599904_ADR.csv:7", "Číslo domovní is \"0\""),
        ("20260630_OB_599904_ADR.csv:8", "Typ SO is \"parc.\""),
        ("20260630_OB_599904_ADR.csv:9", "Kód ADM is \"\""),
        (
            "20260630_OB_599904_ADR.csv:10",
            "99990301 occurs twice in this file",
        ),
        ("20260630_OB_599904_ADR.csv:11", "3 fields, the header 19"),
        (
            "20260630_OB_599904_ADR.csv:12",
            "Znak čísla orientačního is \"ab\"",
        ),
        ("20260630_OB_599904_ADR.csv:13", "outside the country"),
        ("20260630_unknown.csv:0", "no table of the registry"),
    ];
    assert_eq!(reasons.len(), expected.len(), "{reasons:#?}");
    for (reason, (place, word)) in reasons.iter().zip(expected) {
        assert!(
            reason.starts_with(place) && reason.contains(word),
            "{reason} is not {place} {word}"
        );
    }
    assert_eq!(
        (imported.bad_rows, imported.bad_values, imported.bad_files),
        (6, 5, 1)
    );
    assert!(!imported.is_complete());
    let registry = target.open();
    let known: Vec<u32> = registry
        .places_in(0..registry.place_count())
        .map(|(_, place)| place.code)
        .collect();
    assert_eq!(
        known,
        [
            99_990_301, 99_990_302, 99_990_303, 99_990_304, 99_990_305, 99_990_312
        ]
    );
    assert_eq!(registry.edition().counts.without_position, 4);
}

#[test]
fn broken_archives_and_broken_xml_are_reported_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let tar_xz = std::fs::read(fixture("20260630_casti.tar.xz")).unwrap();
    let xml = std::fs::read(fixture("20260630_ST_UZSZ.xml")).unwrap();
    let swapped = String::from_utf8(xml.clone())
        .unwrap()
        .replace("-690900.00 -1100900.00", "-1100900.00 -690900.00");
    let paths = [
        fixture("20260630_OB_599901_ADR.csv"),
        at("a_no.zip", b"this is not a zip"),
        at("b_cut.tar.xz", tar_xz.get(..tar_xz.len() / 2).unwrap()),
        at("c_cut.xml", xml.get(..xml.len() / 2).unwrap()),
        at("d_other.xml", b"<html><body/></html>"),
        at("e_swapped.xml", swapped.as_bytes()),
        at("f_no.gz", b"not gzip"),
        at("g_readme.txt", b"a named file of a kind that is not read"),
    ];
    let target = Target::new();
    let imported = target.import(&paths);
    let named: Vec<&str> = [
        "a_no",
        "b_cut",
        "c_cut",
        "d_other",
        "e_swapped",
        "f_no",
        "g_readme",
    ]
    .into_iter()
    .filter(|name| {
        imported
            .problems
            .iter()
            .any(|problem| problem.file.contains(name))
    })
    .collect();
    assert_eq!(named.len(), 7, "{:#?}", imported.problems);
    assert_eq!(imported.bad_files, 6, "{:#?}", imported.problems);
    assert!(
        imported
            .problems
            .iter()
            .any(|problem| problem.reason.contains("CO.499902")),
        "{:?}",
        imported.problems
    );
    assert_eq!(target.open().place_count(), 9);
}

#[test]
fn a_missing_path_or_an_empty_folder_changes_nothing() {
    let target = Target::new();
    target.import_good(&good());
    let before = target.bytes();
    let missing = import(
        &[PathBuf::from("/nowhere/at/all.zip")],
        &target.file,
        &|_| (),
    )
    .unwrap_err();
    assert!(
        matches!(&missing, ImportError::Missing { .. })
            && missing.to_string().contains("/nowhere/at/all.zip")
    );
    let folder = tempfile::tempdir().unwrap();
    let nothing = import(&[folder.path().to_owned()], &target.file, &|_| ()).unwrap_err();
    assert!(matches!(nothing, ImportError::Nothing { .. }), "{nothing}");
    assert_eq!(target.bytes(), before);
}

#[test]
fn the_vfr_of_a_municipality_is_kept_until_its_table_is_imported() {
    let target = Target::new();
    target.import_good(&[fixture("20260630_ST_UZSZ.xml")]);
    let registry = target.open();
    assert_eq!(
        (registry.place_count(), registry.municipalities().len()),
        (0, 2)
    );
    target.import_good(&[fixture("20260630_OB_599901_ADR.csv")]);
    let registry = target.open();
    let index = registry.municipality_by_code(599_901).unwrap();
    assert_eq!(
        registry
            .declined(registry.municipality(index).unwrap().forms)
            .count(),
        5
    );
}

#[test]
fn tables_in_memory_are_read_like_files() {
    let bytes = std::fs::read(fixture("20260630_OB_599902_ADR.csv")).unwrap();
    let registry = Registry::from_tables(&[("20260630_OB_599902_ADR.csv", &bytes)]).unwrap();
    let target = Target::new();
    target.import_good(&[fixture("20260630_OB_599902_ADR.csv")]);
    assert_eq!(registry.edition(), target.open().edition());
}

mod any_bytes {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn no_table_makes_the_import_panic(
            name in prop::sample::select(vec!["20260630_OB_599901_ADR.csv", "UI_OBEC.csv", "vazby-cr.csv"]),
            at in any::<prop::sample::Index>(),
            with in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let mut bytes = std::fs::read(fixture(name)).unwrap();
            let at = at.index(bytes.len());
            let end = (at + with.len()).min(bytes.len());
            bytes.splice(at..end, with);
            let _ = Registry::from_tables(&[(name, &bytes)]);
        }

        #[test]
        fn no_vfr_or_archive_makes_the_import_panic(
            name in prop::sample::select(vec!["20260630_ST_UZSZ.xml", "20260630_casti.tar.xz"]),
            at in any::<prop::sample::Index>(),
            with in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let target = Target::new();
            let path = target.file.with_file_name(name);
            let mut bytes = std::fs::read(fixture(name)).unwrap();
            let at = at.index(bytes.len());
            let end = (at + with.len()).min(bytes.len());
            bytes.splice(at..end, with);
            std::fs::write(&path, &bytes).unwrap();
            let _ = import(&[path], &target.file, &|_| ());
        }
    }
}
