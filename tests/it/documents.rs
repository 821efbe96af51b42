//! Paths and tests that documents name exist, and tables that exist are named in ARCHITECTURE.md.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::jeden::project;
use super::sources::{CRATES, assert_none, code, files, has_extension};

/// The paths that a document names: links to files, and paths in backticks.
fn named_paths(document: &str) -> Vec<(PathBuf, String)> {
    let text = std::fs::read_to_string(project(document)).unwrap();
    let folder = project(document).parent().expect("a folder").to_owned();
    let mut named = Vec::new();
    for rest in text.split("](").skip(1) {
        let link = rest.split([')', '#']).next().unwrap_or_default();
        if !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:") {
            named.push((folder.join(link), link.to_owned()));
        }
    }
    let folders = [
        ".ci",
        "api",
        "clients",
        "console",
        "dedup",
        "docs",
        "export",
        "feed",
        "fixtures",
        "gazetteer",
        "ingest",
        "mcp",
        "migrations",
        "operations",
        "schema",
        "src",
        "statistics",
        "tests",
    ];
    for quoted in text.split('`').skip(1).step_by(2) {
        let path = quoted
            .split_once('/')
            .is_some_and(|(first, _)| folders.contains(&first));
        // `example` is the name of a future portal. Patterns and commands are not paths.
        if path && !quoted.contains(['*', ' ', '{', '<', '…']) && !quoted.contains("/example") {
            named.push((project(quoted), quoted.to_owned()));
        }
    }
    named
}

#[test]
fn every_path_that_a_document_names_exists() {
    let documents: Vec<String> = files("")
        .into_iter()
        .filter(|file| has_extension(file, "md"))
        .collect();
    assert!(documents.iter().any(|document| document == "README.md"));
    let missing: Vec<String> = documents
        .iter()
        .flat_map(|document| {
            let named = named_paths(document)
                .into_iter()
                .filter(|(path, _)| !path.exists());
            named
                .map(move |(_, name)| format!("{document} names {name}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_none(&missing, "documents name what does not exist");
}

/// A name in backticks that consists of four or more words joined by underscores is the name of a test.
#[test]
fn every_test_that_a_document_names_exists() {
    let folders = CRATES
        .iter()
        .flat_map(|name| [format!("{name}/src"), format!("{name}/tests")]);
    let files: Vec<String> = folders
        .filter(|folder| project(folder).is_dir())
        .flat_map(|folder| files(&folder))
        .collect();
    let tests: BTreeSet<String> = files
        .iter()
        .filter(|file| has_extension(file, "rs"))
        .flat_map(|file| code(file))
        .filter_map(|(_, line)| Some(line.split_once("fn ")?.1.split('(').next()?.to_owned()))
        .collect();
    let mut missing = Vec::new();
    for document in ["ARCHITECTURE.md", "docs/THREATS.md"] {
        let text = std::fs::read_to_string(project(document)).unwrap();
        let named = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| name.matches('_').count() > 3);
        let named = named.filter(|name| {
            name.chars()
                .all(|char| char.is_ascii_lowercase() || "_0123456789".contains(char))
        });
        missing.extend(
            named
                .filter(|name| !tests.contains(*name))
                .map(|name| format!("{document} names {name}")),
        );
    }
    assert_none(&missing, "documents name tests that do not exist");
}

/// The names of the tables in statements that begin with `words`.
fn tables_after(migration: &str, words: &str) -> Vec<String> {
    let statements = migration.split(words).skip(1);
    let names = statements.filter_map(|rest| {
        let rest = rest.trim_start_matches("IF NOT EXISTS ");
        let rest = rest.trim_start_matches("IF EXISTS ");
        rest.split([' ', '(', ';']).next()
    });
    names.map(str::to_owned).collect()
}

#[test]
fn every_table_is_named_in_the_architecture() {
    let architecture = std::fs::read_to_string(project("ARCHITECTURE.md")).unwrap();
    let mut tables = BTreeSet::new();
    for file in files("migrations/sqlite") {
        let text = std::fs::read_to_string(project(&file)).unwrap();
        tables.extend(tables_after(&text, "CREATE TABLE "));
        for dropped in tables_after(&text, "DROP TABLE ") {
            tables.remove(&dropped);
        }
    }
    assert!(tables.contains("raw_listings"), "{tables:?}");
    let missing: Vec<String> = tables
        .into_iter()
        .filter(|table| !architecture.contains(&format!("`{table}`")))
        .collect();
    assert_none(&missing, "tables that ARCHITECTURE.md does not name");
}
