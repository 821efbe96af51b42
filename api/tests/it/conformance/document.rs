//! `docs/CONFORMANCE.md` and the doc comments of the tests must agree.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The form in which a doc comment cites a sentence.
const CITATION: &str = "/// Spec, ";
/// The folders whose tests may cite sentences, and the marks of their tests.
const FOLDERS: [(&str, &str); 3] = [
    ("api/tests/it", ""),
    ("api/src", "unit "),
    ("tests/it", "jeden "),
];
/// The heading from which the test writes the document.
const BACK: &str = "## The tests, and what each holds\n";
/// What precedes the reason of a sentence without a test.
const REASON: &str = "– ";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// The committed document.
pub fn document() -> String {
    std::fs::read_to_string(root().join("docs/CONFORMANCE.md")).unwrap()
}

/// A row of the document: the place of the sentence, its text, and the reason if it has no test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub place: String,
    pub sentence: String,
    pub reason: Option<String>,
}

/// The row in a line of the document, if it is one.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line
        .strip_prefix('|')?
        .strip_suffix('|')?
        .split('|')
        .map(str::trim)
        .collect();
    let [place, sentence, held] = cells.as_slice() else {
        return None;
    };
    place
        .ends_with(|last: char| last.is_ascii_digit())
        .then(|| Row {
            place: (*place).to_owned(),
            sentence: (*sentence).to_owned(),
            reason: held.starts_with(REASON).then(|| (*held).to_owned()),
        })
}

/// Every sentence of the document.
pub fn rows() -> Vec<Row> {
    document().lines().filter_map(row).collect()
}

/// The sentences that each test cites, as `place: sentence`, by the test's name.
fn citations() -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for (folder, mark) in FOLDERS {
        read_folder(&root().join(folder), mark, "", &mut all);
    }
    all
}

fn read_folder(folder: &Path, mark: &str, module: &str, all: &mut BTreeMap<String, Vec<String>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let inner = if name == "mod" {
            module.to_owned()
        } else {
            format!("{module}{name}::")
        };
        if path.is_dir() {
            read_folder(&path, mark, &inner, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            for (test, cited) in cited_in(&std::fs::read_to_string(&path).unwrap()) {
                assert!(
                    all.insert(format!("{mark}{inner}{test}"), cited).is_none(),
                    "{inner}{test} twice"
                );
            }
        }
    }
}

/// The citing tests of a source file, with their citations.
fn cited_in(source: &str) -> Vec<(String, Vec<String>)> {
    let mut tests = Vec::new();
    let (mut cited, mut is_test) = (Vec::new(), false);
    for line in source.lines().map(str::trim) {
        if let Some(citation) = line.strip_prefix(CITATION) {
            cited.push(citation.trim_end_matches('.').to_owned());
        } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(name) = line
            .strip_prefix("async ")
            .unwrap_or(line)
            .strip_prefix("fn ")
        {
            let name = name.split('(').next().unwrap_or_default();
            assert!(
                is_test || cited.is_empty(),
                "{name} cites the specification but is not a test"
            );
            if !cited.is_empty() {
                tests.push((name.to_owned(), std::mem::take(&mut cited)));
            }
            is_test = false;
        }
    }
    tests
}

/// The document with the column and the section that the test writes.
fn written(citations: &BTreeMap<String, Vec<String>>) -> String {
    let document = document();
    let by_hand = document.split(BACK).next().unwrap();
    let mut text = String::new();
    for line in by_hand.lines() {
        let Some(row) = row(line) else {
            writeln!(text, "{line}").unwrap();
            continue;
        };
        let cited = format!("{}: {}", row.place, row.sentence);
        let tests = citations
            .iter()
            .filter(|(_, sentences)| sentences.contains(&cited));
        let tests: Vec<String> = tests.map(|(test, _)| format!("`{test}`")).collect();
        let held = row.reason.clone().unwrap_or_else(|| tests.join(", "));
        writeln!(text, "| {} | {} | {held} |", row.place, row.sentence).unwrap();
    }
    writeln!(text, "{BACK}\n| test | sentences |\n|---|---|").unwrap();
    for (test, sentences) in citations {
        let places: Vec<&str> = sentences
            .iter()
            .filter_map(|cited| Some(cited.split_once(':')?.0))
            .collect();
        writeln!(text, "| `{test}` | {} |", places.join(", ")).unwrap();
    }
    text
}

#[test]
fn every_citation_is_a_sentence_of_the_document_word_for_word() {
    let sentences: Vec<String> = rows()
        .into_iter()
        .map(|row| format!("{}: {}", row.place, row.sentence))
        .collect();
    for (test, cited) in citations() {
        for citation in cited {
            assert!(
                sentences.contains(&citation),
                "{test} cites a sentence that is not in docs/CONFORMANCE.md: {citation}"
            );
        }
    }
}

#[test]
fn every_sentence_has_a_test_or_a_reason() {
    let cited: Vec<String> = citations().into_values().flatten().collect();
    for Row {
        place,
        sentence,
        reason,
    } in rows()
    {
        let is_held = cited.contains(&format!("{place}: {sentence}"));
        assert!(
            is_held != reason.is_some(),
            "{place}: needs either a test or a reason: {sentence}"
        );
    }
}

#[test]
fn no_sentence_has_two_rows() {
    let rows = rows();
    assert!(rows.len() > 100, "{}", rows.len());
    for (number, row) in rows.iter().enumerate() {
        assert!(
            rows[..number].iter().all(|other| other.place != row.place),
            "{}",
            row.place
        );
    }
}

#[test]
fn the_document_is_up_to_date() {
    let fresh = written(&citations());
    if std::env::var_os("JEDEN_WRITE_CONFORMANCE").is_some() {
        std::fs::write(root().join("docs/CONFORMANCE.md"), &fresh).unwrap();
    }
    assert!(
        document() == fresh,
        "docs/CONFORMANCE.md is not up to date: run with JEDEN_WRITE_CONFORMANCE=1"
    );
}

#[test]
fn citations_are_found_in_sources() {
    let source =
        "/// Spec, Limits 3: counted.\n#[tokio::test]\nasync fn one() {}\n#[test]\nfn two() {}\n";
    assert_eq!(
        cited_in(source),
        [("one".to_owned(), vec!["Limits 3: counted".to_owned()])]
    );
}
