//! Dump files that are written.

use std::io::Write;
use std::path::Path;

use ingest::dumps::{DumpFile, DumpItem, find_sources, read_lines};
use schema::{ListingKey, Observation, Timestamp};

fn gone(number: u32) -> Observation {
    Observation::Gone {
        key: ListingKey::new("idnes", number.to_string()),
        at: Timestamp(1_777_593_600_000),
    }
}

fn lines(path: &Path) -> usize {
    let items = read_lines(find_sources(&[path.to_owned()]).unwrap());
    items
        .inspect(|item| assert!(matches!(item, DumpItem::Line(_)), "{item:?}"))
        .count()
}

#[test]
fn an_existing_dump_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst"] {
        let path = folder.path().join(name);
        for parts in 1..=3 {
            let mut dump = DumpFile::open(&path).unwrap();
            dump.write([gone(parts), gone(parts + 10)].iter()).unwrap();
            dump.finish().unwrap();
            assert_eq!(lines(&path), 2 * parts as usize, "{name}");
        }
    }
}

#[test]
fn a_dump_that_is_cut_off_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst"] {
        let path = folder.path().join(name);
        let mut dump = DumpFile::open(&path).unwrap();
        dump.write([gone(1)].iter()).unwrap();
        dump.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(&whole[..whole.len() - 3]).unwrap();
        drop(file);
        let refused = DumpFile::open(&path)
            .err()
            .expect("it is cut off")
            .to_string();
        assert!(refused.contains("cut off"), "{refused}");
        assert_eq!(
            std::fs::read(&path).unwrap().len(),
            whole.len() - 3,
            "{name}"
        );
    }
}
