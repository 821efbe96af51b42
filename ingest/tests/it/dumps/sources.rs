//! Files, folders and streams.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use ingest::dumps::{
    DumpItem, LineError, Source, SourceError, find_sources, parse_line, parse_listing, read_lines,
};
use schema::Observation;

fn gz(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zst(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

/// The lines as `number:content`, and for each source that was cut off the number of its lines.
fn read_all(sources: Vec<Source>) -> (Vec<String>, Vec<u64>) {
    let (mut texts, mut truncated) = (Vec::new(), Vec::new());
    for item in read_lines(sources) {
        match item {
            DumpItem::Line(line) => {
                assert_eq!(line.error, None);
                texts.push(format!(
                    "{}:{}",
                    line.number,
                    String::from_utf8(line.content).unwrap()
                ));
            }
            DumpItem::Truncated(truncation) => truncated.push(truncation.lines),
        }
    }
    (texts, truncated)
}

fn stream(content: impl AsRef<[u8]> + Send + 'static) -> Vec<Source> {
    vec![Source::stream("-", Cursor::new(content))]
}

fn numbered(lines: std::ops::Range<u32>) -> String {
    let lines: Vec<_> = lines
        .map(|number| format!("{{\"line\":{number}}}\n"))
        .collect();
    lines.concat()
}

#[test]
fn are_found_in_folders_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.jsonl", "c.jsonl", "notes.txt", "d.json"] {
        write(folder.path(), name, name);
    }
    write(folder.path(), "a/z.jsonl.gz", gz("a/z.jsonl.gz"));
    write(
        folder.path(),
        "a/deep/y.jsonl.zst",
        zst("a/deep/y.jsonl.zst"),
    );
    let sources = find_sources(&[folder.path().to_owned()]).unwrap();
    assert!(sources.iter().all(|source| source.bytes().is_some()));
    let expected = [
        "1:a/deep/y.jsonl.zst",
        "1:a/z.jsonl.gz",
        "1:b.jsonl",
        "1:c.jsonl",
    ];
    assert_eq!(
        read_all(sources),
        (expected.map(str::to_owned).to_vec(), vec![])
    );
}

#[cfg(unix)]
#[test]
fn are_not_searched_for_in_linked_folders() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.jsonl", "{}");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("back")).unwrap();
    assert_eq!(find_sources(&[folder.path().to_owned()]).unwrap().len(), 1);
}

#[test]
fn are_named_as_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.jsonl", "x");
    let sources = find_sources(&[path.clone(), PathBuf::from("-")]).unwrap();
    let names: Vec<_> = sources
        .iter()
        .map(|source| Arc::clone(source.name()))
        .collect();
    assert_eq!(
        names,
        [path.to_string_lossy().into(), Arc::<str>::from("-")]
    );
}

#[test]
fn with_another_extension_are_refused_when_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "dump.json", "{}");
    assert!(
        matches!(find_sources(std::slice::from_ref(&path)), Err(SourceError::NotADump { path: named }) if named == path)
    );
}

#[test]
fn that_do_not_exist_are_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let there = write(folder.path(), "a.jsonl", "x");
    let missing = folder.path().join("b.jsonl");
    assert!(
        matches!(find_sources(&[there, missing.clone()]), Err(SourceError::Unreadable { path, .. }) if path == missing)
    );
}

#[test]
fn may_be_compressed_in_several_members() {
    let (one, two) = (numbered(0..2), numbered(2..3));
    for content in [
        [gz(&one), gz(&two)].concat(),
        [zst(&one), zst(&two)].concat(),
    ] {
        let expected = [r#"1:{"line":0}"#, r#"2:{"line":1}"#, r#"3:{"line":2}"#]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(read_all(stream(content)), (expected, vec![]));
    }
}

#[test]
fn may_have_windows_line_ends_blank_lines_and_a_byte_order_mark() {
    let content = "\u{feff}{\"a\":1}\r\n\r\n   \n{\"b\":2}\n\n{\"c\":3}";
    let expected = [r#"1:{"a":1}"#, r#"4:{"b":2}"#, r#"6:{"c":3}"#]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(read_all(stream(content)), (expected, vec![]));
}

#[test]
fn may_be_empty() {
    assert_eq!(read_all(stream("")), (vec![], vec![]));
    assert_eq!(read_all(stream("\n\n")), (vec![], vec![]));
}

#[test]
fn that_were_cut_off_are_read_up_to_the_cut_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let text = numbered(0..50_000);
    for (name, whole) in [("cut.jsonl.gz", gz(&text)), ("cut.jsonl.zst", zst(&text))] {
        let half = write(folder.path(), name, &whole[..whole.len() / 2]);
        let after = write(folder.path(), "whole.jsonl", "{}");
        let (texts, truncated) = read_all(find_sources(&[half, after]).unwrap());
        assert_eq!(truncated.len(), 1, "{name}");
        assert_eq!(
            texts.len() as u64,
            truncated[0] + 1,
            "{name}: the next file is read too"
        );
        assert!(
            truncated[0] > 1000,
            "{name}: {} lines before the cut",
            truncated[0]
        );
        let last = &texts[texts.len() - 2];
        assert!(
            last.ends_with('}'),
            "{name}: the line at the cut is not returned: {last}"
        );
    }
}

#[test]
fn that_should_be_compressed_but_are_empty_count_as_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "empty.jsonl.gz", "");
    assert_eq!(read_all(find_sources(&[path]).unwrap()), (vec![], vec![0]));
}

#[test]
fn with_an_endless_line_lose_that_line_only() {
    let content = format!("{{}}\n{}\n{{}}\n{}", "x".repeat(5000), "y".repeat(4096));
    let read: Vec<_> = read_lines(stream(content))
        .with_max_line_bytes(4096)
        .map(|item| match item {
            DumpItem::Line(line) => (line.number, line.content.len(), line.error),
            DumpItem::Truncated(truncation) => panic!("{truncation:?}"),
        })
        .collect();
    let overlong = Some(LineError::TooLong { limit: 4096 });
    assert_eq!(
        read,
        [
            (1, 2, None),
            (2, 1024, overlong),
            (3, 2, None),
            (4, 4096, None)
        ]
    );
}

#[test]
fn report_how_much_has_been_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.jsonl.gz", gz(&numbered(0..1000)));
    let sources = find_sources(&[path]).unwrap();
    let size = sources[0].bytes();
    let mut lines = read_lines(sources);
    assert_eq!(lines.by_ref().count(), 1000);
    assert_eq!(Some(lines.bytes_read()), size);
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn of_the_shared_folder_are_read_completely() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    if !shared.is_dir() {
        println!("skipped: {} is absent", shared.display());
        return;
    }
    let mut read = 0;
    for item in read_lines(find_sources(&[shared]).unwrap()) {
        let DumpItem::Line(dump) = item else {
            panic!("{item:?}")
        };
        match parse_line(&dump.content) {
            Ok(Some(Observation::Seen { raw, .. })) => {
                assert!(
                    parse_listing(&raw.body).is_ok(),
                    "line {} of {}",
                    dump.number,
                    dump.source
                );
            }
            other => {
                assert!(
                    matches!(other, Ok(Some(_))),
                    "line {} of {}: {other:?}",
                    dump.number,
                    dump.source
                );
            }
        }
        read += 1;
    }
    assert_eq!(read, 5708);
}
