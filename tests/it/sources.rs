//! The project's own files, for tests that check rules about them.

use std::path::Path;

use super::jeden::project;

/// The crates, by folder; the program is the root itself.
pub const CRATES: [&str; 13] = [
    "schema",
    "gazetteer/czech",
    "gazetteer",
    "ingest",
    "dedup",
    "api",
    "feed",
    "export",
    "operations",
    "statistics",
    "mcp",
    "console",
    ".",
];

/// The files below a folder of the project, by their path within it.
pub fn files(folder: &str) -> Vec<String> {
    let (root, mut found) = (project(""), Vec::new());
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in folder
            .read_dir()
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() && name != "target" && name != ".git" {
                folders.push(path);
            } else if path.is_file() {
                found.push(
                    path.strip_prefix(&root)
                        .unwrap()
                        .to_string_lossy()
                        .into_owned(),
                );
            }
        }
    }
    found.sort();
    found
}

/// The sources of all crates, without their tests.
pub fn sources() -> Vec<String> {
    let folders = CRATES.iter().map(|name| format!("{name}/src"));
    let files = folders
        .flat_map(|folder| files(&folder))
        .map(|file| file.trim_start_matches("./").to_owned());
    files.filter(|file| has_extension(file, "rs")).collect()
}

pub fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|found| found == extension)
}

/// The lines of code of a file with their numbers, without comments.
pub fn code(file: &str) -> Vec<(usize, String)> {
    let text =
        std::fs::read_to_string(project(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let numbered = (1..).zip(text.lines().map(str::to_owned));
    numbered
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .collect()
}

/// Fails if something was found that breaks the rule.
pub fn assert_none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}
