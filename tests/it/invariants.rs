//! The invariants of ARCHITECTURE.md that types cannot express: they say what the sources must not contain.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::jeden::project;
use super::sources::{CRATES, assert_none, code, files, has_extension, sources};

/// Every line of code that contains one of the words, except in exempt files.
fn lines_with(words: &[&str], exempt: impl Fn(&str) -> bool) -> Vec<String> {
    let files = sources().into_iter().filter(|file| !exempt(file));
    let found = files.flat_map(|file| {
        let lines = code(&file).into_iter();
        let lines = lines.filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        lines
            .map(|(number, line)| format!("{file}:{number}: {}", line.trim()))
            .collect::<Vec<_>>()
    });
    found.collect()
}

#[test]
fn sql_is_only_in_the_store() {
    let statements = [
        "sqlx",
        "SELECT ",
        "INSERT INTO",
        "UPDATE ",
        "DELETE FROM",
        "CREATE TABLE",
        "ALTER TABLE",
        "PRAGMA ",
    ];
    let found = lines_with(&statements, |file| file.starts_with("schema/src/store/"));
    assert_none(&found, "SQL outside schema/src/store");
}

#[test]
fn a_raw_listing_is_never_changed_and_only_a_purge_deletes_it() {
    let mut found = sources();
    found.extend(files("migrations"));

    let mut updates = Vec::new();
    for file in found {
        let text = std::fs::read_to_string(project(&file)).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for forbidden in [
            "DELETE FROM raw_listings",
            "DROP TABLE raw_listings",
            "REPLACE INTO raw_listings",
        ] {
            if forbidden.starts_with("DELETE") && file.contains("/store/purges/") {
                continue;
            }
            assert!(!text.contains(forbidden), "{file}: {forbidden}");
        }
        let of_file = text.split("UPDATE raw_listings").skip(1);
        updates.extend(of_file.map(|update| (file.clone(), update.to_owned())));
    }
    // Three statements of the store set bodies: one deletes those of adverts that are gone, if the operator says so,
    // another stores a deleted body again, and the third stores a body whole that was a difference.
    updates.retain(|(file, update)| {
        let deletes = " SET body = $1, dictionary = NULL, base = NULL WHERE length(body) > 0 AND";
        let restores =
            " SET body = $2, dictionary = $3, base = NULL WHERE id = $1 AND length(body) = 0";
        let makes_whole =
            " SET body = $2, dictionary = $3, base = NULL \\ WHERE id = $1 AND base IS NOT NULL";
        !(file.starts_with("schema/src/store/raw_listings/")
            && [deletes, restores, makes_whole]
                .iter()
                .any(|allowed| update.starts_with(allowed)))
    });
    for (_, update) in updates {
        let assignments = update.split_once(" SET ").expect("an update sets").1;
        let assignments = assignments.split(" WHERE ").next().unwrap_or_default();
        for column in [
            "base",
            "body",
            "dictionary",
            "form",
            "hash",
            "listing_id",
            "url",
        ] {
            let set = format!("{column} =");
            assert!(
                !assignments.contains(&set),
                "raw_listings.{column} is updated: {assignments}"
            );
        }
    }
}

#[test]
fn a_decision_is_never_changed_and_never_deleted() {
    let mut found = sources();
    found.extend(files("migrations"));
    for file in found {
        let text = std::fs::read_to_string(project(&file)).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for forbidden in [
            "DELETE FROM reviews",
            "UPDATE reviews",
            "DELETE FROM review_answers",
            "UPDATE review_answers",
            "DELETE FROM audit_log",
            "UPDATE audit_log",
            "REPLACE INTO reviews",
            "DROP TABLE reviews",
        ] {
            assert!(!text.contains(forbidden), "{file}: {forbidden}");
        }
    }
}

/// Names that jeden has of its own accord, and some portal as well.
const OURS: [&str; 3] = ["house_number", "city_district", "property_type"];

/// A portal's own names for fields: the fields of its payload structs. Only names of several words count, because
/// single words are common elsewhere.
fn own_names(portal: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files(&format!("ingest/src/portals/{portal}")) {
        for (_, line) in code(&file) {
            let line = line.trim();
            let field = line
                .strip_prefix("pub ")
                .and_then(|rest| rest.split_once(": Field<"));
            names.extend(field.map(|(name, _)| name.to_owned()));
            let renamed = line
                .strip_prefix("#[serde(rename = \"")
                .and_then(|rest| rest.split('"').next());
            names.extend(renamed.map(str::to_owned));
        }
    }
    let spec: BTreeSet<String> = schema::offer_fields::FIELDS
        .iter()
        .map(|field| snake_case(field.name))
        .collect();
    let distinct = |name: &String| name.trim_matches('_').contains('_');
    names.retain(|name| distinct(name) && !spec.contains(name) && !OURS.contains(&name.as_str()));
    names
}

fn snake_case(name: &str) -> String {
    let words = name.chars().map(|letter| {
        if letter.is_ascii_uppercase() {
            format!("_{}", letter.to_ascii_lowercase())
        } else {
            letter.to_string()
        }
    });
    words.collect()
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &first.into_iter().chain(letters).collect::<String>()
    })
}

/// Whether the line contains this name as a whole word.
fn names_it(line: &str, name: &str) -> bool {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(name).any(|(start, _)| {
        let before = line.get(..start).and_then(|rest| rest.chars().next_back());
        let after = line
            .get(start + name.len()..)
            .and_then(|rest| rest.chars().next());
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

#[test]
fn a_portals_own_field_names_are_only_in_its_folder() {
    let portals: Vec<&str> = ingest::portals::PORTALS
        .iter()
        .map(|portal| portal.site_id)
        .collect();
    let all: BTreeMap<&str, BTreeSet<String>> = portals
        .iter()
        .map(|portal| (*portal, own_names(portal)))
        .collect();
    assert!(
        all["sreality"].len() > 15 && all["bezrealitky"].len() > 15,
        "{all:#?}"
    );
    let mut found = Vec::new();
    for file in sources() {
        let lines = code(&file);
        let text: String = lines.iter().map(|(_, line)| line.as_str()).collect();
        for (portal, names) in &all {
            if file.starts_with(&format!("ingest/src/portals/{portal}/")) {
                continue;
            }
            // Two portals may use the same name for a field, each in its own folder.
            let own = portals
                .iter()
                .find(|own| file.starts_with(&format!("ingest/src/portals/{own}/")));
            for name in names
                .iter()
                .filter(|name| own.is_none_or(|own| !all[own].contains(*name)))
            {
                let camel = camel_case(name);
                // Few files have any of the names, and searching a text is faster than searching its lines.
                if !text.contains(name.as_str()) && !text.contains(&camel) {
                    continue;
                }
                for (number, line) in &lines {
                    if names_it(line, name) || line.contains(&format!("\"{camel}\"")) {
                        found.push(format!(
                            "{file}:{number}: {name} of {portal}: {}",
                            line.trim()
                        ));
                    }
                }
            }
        }
    }
    assert_none(
        &found,
        "a portal's own name for a field outside that portal's folder",
    );
}

#[test]
fn http_statuses_of_errors_are_decided_in_one_file_of_each_server() {
    // Not errors: an answer, an unchanged answer, and the answer to a browser's preflight request.
    let fine = [
        "StatusCode::OK",
        "StatusCode::NOT_MODIFIED",
        "StatusCode::NO_CONTENT",
    ];
    let lines = lines_with(&["StatusCode::"], |file| {
        ["api/src/error.rs", "console/src/error.rs"].contains(&file)
    });
    let found: Vec<String> = lines
        .into_iter()
        .filter(|line| {
            let named = line.matches("StatusCode::").count();
            named
                != fine
                    .iter()
                    .map(|status| line.matches(status).count())
                    .sum::<usize>()
        })
        .collect();
    assert_none(
        &found,
        "an error status outside api/src/error.rs and console/src/error.rs",
    );
    let elsewhere = lines_with(&["StatusCode"], |file| {
        file.starts_with("api/src/") || file == "console/src/error.rs"
    });
    assert_none(&elsewhere, "HTTP outside api and console");
}

#[test]
fn the_pure_part_of_dedup_names_no_database_no_runtime_and_no_network() {
    let impure = [
        "sqlx",
        "tokio",
        "reqwest",
        "schema::store",
        "async ",
        ".await",
        "std::fs",
        "std::net",
    ];
    let found = lines_with(&impure, |file| {
        !file.starts_with("dedup/src/") || file.starts_with("dedup/src/worker/")
    });
    assert_none(&found, "dedup outside its worker");
}

#[test]
fn the_clock_is_read_in_one_place_and_chance_is_drawn_in_the_program() {
    let clock = lines_with(&["Utc::now", "SystemTime::now", "Local::now"], |file| {
        file == "src/clock.rs"
    });
    assert_none(&clock, "the clock is read outside src/clock.rs");
    let chance = [
        "rand::rng()",
        "rand::random",
        "from_os_rng",
        "OsRng",
        "SysRng",
        "getrandom",
    ];
    assert_none(
        &lines_with(&chance, |file| file.starts_with("src/")),
        "randomness outside src/",
    );
}

#[test]
fn no_file_has_a_meaningless_name() {
    let nothing = [
        "util", "utils", "helper", "helpers", "common", "misc", "manager", "managers",
    ];
    let named: Vec<String> = files("")
        .into_iter()
        .filter(|file| has_extension(file, "rs"))
        .filter(|file| {
            let parts = Path::new(file).with_extension("");
            parts
                .iter()
                .any(|part| nothing.contains(&part.to_string_lossy().as_ref()))
        })
        .collect();
    assert_none(&named, "a meaningless name");
}

/// The names in a section of a manifest.
fn dependencies(manifest: &str, section: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(project(manifest)).unwrap();
    let lines = text.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', '=', ' ']).next());
    names
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_depend_on_each_other_only_in_the_direction_of_the_flow() {
    let name_of = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let own: BTreeSet<String> = CRATES.iter().map(|folder| name_of(folder)).collect();
    let allowed: [(&str, &[&str]); 12] = [
        ("schema", &[]),
        ("gazetteer/czech", &[]),
        ("gazetteer", &["schema", "czech"]),
        ("ingest", &["schema", "czech", "gazetteer"]),
        ("dedup", &["schema", "czech", "gazetteer"]),
        ("api", &["schema", "czech", "gazetteer"]),
        ("feed", &["schema", "api"]),
        ("export", &["schema", "api"]),
        ("operations", &["schema", "gazetteer", "ingest", "dedup"]),
        ("statistics", &["schema"]),
        (
            "mcp",
            &[
                "schema",
                "czech",
                "gazetteer",
                "dedup",
                "api",
                "feed",
                "operations",
                "statistics",
            ],
        ),
        (
            "console",
            &[
                "schema",
                "gazetteer",
                "ingest",
                "dedup",
                "api",
                "operations",
            ],
        ),
    ];
    for (name, allowed) in allowed {
        let allowed: BTreeSet<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        let found = dependencies(&format!("{name}/Cargo.toml"), "[dependencies]");
        assert!(!found.is_empty(), "{name} has dependencies");
        let wrong: Vec<&String> = found
            .intersection(&own)
            .filter(|name| !allowed.contains(*name))
            .collect();
        assert!(wrong.is_empty(), "{name} depends on {wrong:?}");
        assert!(
            name == "schema" || !found.contains("sqlx"),
            "{name} depends on sqlx"
        );
    }
    assert!(!dependencies("Cargo.toml", "[dependencies]").contains("sqlx"));
}
