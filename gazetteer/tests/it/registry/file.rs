//! The compiled file: it is read whole or refused.

use std::sync::LazyLock;

use gazetteer::registry::{ATTRIBUTION, OpenError, Registry, edition_id};
use proptest::prelude::*;

use super::{Target, fixture, good, lines};

#[test]
fn a_file_has_its_edition_and_its_counts() {
    let target = Target::new();
    let imported = target.import_good(&good());
    let registry = target.open();
    assert_eq!(registry.edition(), &imported.edition);
    assert_eq!(registry.edition().attribution, ATTRIBUTION);
    assert_eq!(registry.edition().date_text(), "2026-06-30");
    assert_eq!(edition_id(&target.file).unwrap(), imported.edition.id);
    assert_eq!(imported.size, target.bytes().len() as u64);
    let counts = registry.edition().counts;
    assert_eq!(
        (counts.municipalities, counts.streets, counts.places),
        (4, 3, 14)
    );
    assert_eq!((counts.with_district, counts.without_position), (4, 1));
}

#[test]
fn other_files_and_other_formats_are_refused_with_the_command_to_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    assert!(matches!(Registry::open(&path), Err(OpenError::Io { .. })));
    for bytes in [
        &b""[..],
        b"JEDEN",
        b"a text that is longer than the head of a gazetteer, and is not one",
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = Registry::open(&path).unwrap_err();
        assert!(matches!(error, OpenError::NotAGazetteer { .. }), "{error}");
        assert!(
            error.to_string().contains("jeden gazetteer import"),
            "{error}"
        );
    }
    let target = Target::new();
    target.import_good(&[fixture("20260630_OB_599902_ADR.csv")]);
    let mut bytes = target.bytes();
    *bytes.get_mut(8).unwrap() = 99;
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(
        Registry::open(&path),
        Err(OpenError::Version { found: 99, .. })
    ));
}

/// The head of format 1: magic, version, number of sections, checksum.
fn format_1() -> Vec<u8> {
    let mut bytes = b"JEDENGAZ\x01\0\0\0\x10\0\0\0".to_vec();
    bytes.resize(48 + 16 * 16, 7);
    bytes
}

#[test]
fn a_file_of_the_previous_format_is_refused_and_replaced_by_an_import() {
    let target = Target::new();
    std::fs::write(&target.file, format_1()).unwrap();
    for error in [
        Registry::open(&target.file).unwrap_err(),
        edition_id(&target.file).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            format!(
                "the address registry {} has format 1, but this version of jeden reads format 2: \
                 import the registry's files again with `jeden gazetteer import`",
                target.file.display()
            )
        );
    }
    let imported = target.import_good(&good());
    assert!(imported.discarded.unwrap().contains("format 1"));
    assert_eq!(target.open().place_count(), 14);
}

#[test]
fn an_import_replaces_a_gazetteer_that_cannot_be_read() {
    let target = Target::new();
    let first = target.import_good(&good());
    let bytes = target.bytes();
    for (at, word) in [(8, "format"), (bytes.len() - 1, "damaged")] {
        let mut broken = bytes.clone();
        *broken.get_mut(at).unwrap() ^= 1;
        std::fs::write(&target.file, &broken).unwrap();
        let again = target.import_good(&good());
        assert!(again.discarded.is_some_and(|reason| reason.contains(word)));
        assert_eq!(
            (again.replaced, again.edition),
            (None, first.edition.clone())
        );
        assert_eq!(target.bytes(), bytes);
    }
}

#[test]
fn an_import_does_not_overwrite_other_files() {
    let target = Target::new();
    std::fs::write(&target.file, "another file").unwrap();
    assert!(gazetteer::registry::import(&good(), &target.file, &|_| ()).is_err());
    assert_eq!(target.bytes(), b"another file");
}

#[test]
fn a_reader_during_an_import_sees_the_old_or_the_new_edition() {
    let target = Target::new();
    let (old, new) = (
        fixture("20171130_OB_599901_ADR.csv"),
        fixture("20260630_OB_599901_ADR.csv"),
    );
    target.import_good(&[old]);
    let before = lines(&target.open());
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            loop {
                let now = lines(&target.open());
                if now != before {
                    return now;
                }
            }
        });
        target.import_good(&[new]);
        assert_eq!(reader.join().unwrap(), lines(&target.open()));
    });
}

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let target = Target::new();
    target.import_good(&good());
    target.bytes()
});

fn damaged(change: impl FnOnce(&mut Vec<u8>)) -> Result<Registry, OpenError> {
    let target = Target::new();
    let mut bytes = WHOLE.clone();
    change(&mut bytes);
    std::fs::write(&target.file, &bytes).unwrap();
    Registry::open(&target.file)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_changed_byte_is_detected(at in any::<prop::sample::Index>(), by in 1_u8..) {
        let opened = damaged(|bytes| {
            let at = at.index(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = byte.wrapping_add(by);
            }
        });
        prop_assert!(opened.is_err());
    }

    #[test]
    fn a_truncated_or_extended_file_is_detected(at in any::<prop::sample::Index>(), more in any::<bool>()) {
        let opened = damaged(|bytes| if more { bytes.push(0) } else { bytes.truncate(at.index(bytes.len())) });
        prop_assert!(opened.is_err());
    }
}
