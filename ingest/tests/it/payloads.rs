//! Payloads for tests of adapters: authored fixtures, mutations of them, and real payloads on machines that have them.

use std::io::Read;
use std::path::{Path, PathBuf};

use ingest::portals;
use ingest::reading::{PayloadError, ReadPayload, Reading};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// The cases that every portal has a fixture of.
pub const CASES: [&str; 14] = [
    "flat-sale",
    "flat-rent",
    "house-sale",
    "land-sale",
    "garage",
    "office-rent",
    "price-on-request",
    "ground-floor",
    "blurred-pin",
    "reserved",
    "share",
    "foreign",
    "unknown-codes",
    "minimal",
];

fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a portal's JSON fixture of a case.
pub fn fixture(site_id: &str, case: &str) -> Value {
    let path = crate_folder().join(format!("../fixtures/{site_id}/{case}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Checks that each of these fields has exactly one rejected value.
pub fn assert_unread_once(reading: &Reading, fields: &[&str]) {
    let unread: Vec<&str> = reading
        .unread
        .iter()
        .map(|reject| reject.field.as_str())
        .collect();
    for field in fields {
        assert_eq!(
            unread.iter().filter(|name| *name == field).count(),
            1,
            "{field}: {unread:?}"
        );
    }
}

/// Checks that a payload is refused, or reads to values within their bounds and to an address that begins with `pages`.
pub fn assert_within_bounds(read: ReadPayload, payload: &Value, pages: &str) {
    if let Ok(mut reading) = read(payload) {
        assert_eq!(
            ingest::value_bounds::remove_implausible_values(&mut reading.listing),
            []
        );
        assert!(reading.url.is_none_or(|url| url.starts_with(pages)));
    }
}

/// Returns a portal's or feed's fixture of a case, in whatever form the file is.
pub fn payload(folder: &str, case: &str) -> Value {
    let folder_of_all = crate_folder().join("../fixtures");
    let kept = |form: &str| {
        std::fs::read_to_string(folder_of_all.join(format!("{folder}/{case}.{form}"))).ok()
    };
    let text = kept("html").or_else(|| kept("xml")).map(Value::from);
    text.unwrap_or_else(|| fixture(folder, case))
}

/// Returns a feed's XML fixture of a case.
pub fn xml_fixture(format: &str, case: &str) -> String {
    let path = crate_folder().join(format!("../fixtures/{format}/{case}.xml"));
    std::fs::read_to_string(path).unwrap()
}

/// Compares the readings of all fixtures of a portal with their reviewed snapshots.
pub fn assert_reviewed(site_id: &str, read: impl Fn(&Value) -> Result<Reading, PayloadError>) {
    assert_cases_reviewed(site_id, |case| read(&fixture(site_id, case)).unwrap());
}

/// Compares the readings of a portal whose fixtures are detail pages with their reviewed snapshots.
pub fn assert_pages_reviewed(site_id: &str) {
    assert_cases_reviewed(site_id, |case| read_page(site_id, &page(site_id, case)));
}

/// Compares the reading of every case with its reviewed snapshot.
pub fn assert_cases_reviewed(site_id: &str, reading: impl Fn(&str) -> Reading) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("snapshots/{site_id}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for case in CASES {
            insta::assert_json_snapshot!(case, reading(case));
        }
    });
}

/// Returns the field and the reason of every rejected value.
pub fn reasons(reading: &Reading) -> Vec<(&str, &str)> {
    reading
        .unread
        .iter()
        .map(|reject| (reject.field.as_str(), reject.reason.as_str()))
        .collect()
}

/// Returns a portal's detail page of a case.
pub fn page(site_id: &str, case: &str) -> String {
    let path = crate_folder().join(format!("../fixtures/{site_id}/{case}.html"));
    std::fs::read_to_string(path).unwrap()
}

/// Reads a payload of a portal.
pub fn read_payload(site_id: &str, payload: &Value) -> Result<Reading, PayloadError> {
    portals::read_payload(site_id, payload).unwrap()
}

/// Reads a detail page of a portal.
pub fn read_page(site_id: &str, html: &str) -> Reading {
    read_payload(site_id, &Value::from(html)).unwrap()
}

/// Reads a page fixture with a piece of its HTML replaced.
#[track_caller]
pub fn page_with(site_id: &str, case: &str, piece: &str, replacement: &str) -> Reading {
    let html = page(site_id, case);
    assert!(html.contains(piece), "{case} does not contain {piece}");
    read_page(site_id, &html.replace(piece, replacement))
}

/// Makes an optional text, as listings have them.
#[expect(
    clippy::unnecessary_wraps,
    reason = "the fields it is compared with are optional"
)]
pub fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Returns the fields of the rejected values, in order.
pub fn unread_fields(reading: &Reading) -> Vec<&str> {
    let mut fields: Vec<&str> = reading
        .unread
        .iter()
        .map(|reject| reject.field.as_str())
        .collect();
    fields.sort_unstable();
    fields
}

/// Runs `few` cases of a slow test, or as many as `PROPTEST_CASES` says.
pub fn cases(few: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").map(|_| ProptestConfig::default());
    asked.unwrap_or_else(|| ProptestConfig::with_cases(few))
}

/// Cuts out, doubles or overwrites pieces of a portal's page fixture.
pub fn mangled_page(site_id: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(String::new()),
        "\\PC{0,20}",
        prop::sample::select(vec![
            "<",
            "\"",
            "&quot;",
            "</script>",
            "<dl>",
            "</dd>",
            "0",
            "999999999999999999999",
            "\u{200d}",
            "²",
            "°",
            ": {"
        ])
        .prop_map(str::to_owned),
    ];
    let changes = prop::collection::vec((any::<Index>(), 0..40_usize, piece), 1..8);
    (prop::sample::select(CASES.to_vec()), changes).prop_map(move |(case, changes)| {
        let mut chars: Vec<char> = page(site_id, case).chars().collect();
        for (place, length, piece) in changes {
            let start = place.index(chars.len());
            let end = (start + length).min(chars.len());
            chars.splice(start..end, piece.chars());
        }
        chars.into_iter().collect()
    })
}

/// Returns the text of a file of real portal data. Real data is not part of the project; without it the result is `None`,
/// with a notice.
#[expect(
    clippy::print_stderr,
    reason = "the output should say what was not tested"
)]
pub fn real(path: &str) -> Option<String> {
    let file = crate_folder()
        .join("../../shared/portal-samples")
        .join(path);
    let Ok(bytes) = std::fs::read(&file) else {
        eprintln!("skipped: no {}", file.display());
        return None;
    };
    let mut text = String::new();
    if Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "gz")
    {
        flate2::read::GzDecoder::new(bytes.as_slice())
            .read_to_string(&mut text)
            .unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    Some(text)
}

/// Returns the lines of the demo dumps whose file names have this beginning.
pub fn dumped_lines(beginning: &str) -> Vec<String> {
    let folder = std::fs::read_dir(crate_folder().join("../fixtures/dumps")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| {
        file.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with(beginning)
    });
    let texts = files
        .into_iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Returns the page address and the payload of each line of a portal's demo dumps that has a payload.
pub fn dumped(site_id: &str) -> Vec<(String, Value)> {
    let mut payloads = Vec::new();
    for line in dumped_lines(&format!("{site_id}-")) {
        let mut line: Value = serde_json::from_str(&line).unwrap_or_default();
        if let (Some(url), true) = (
            line["url"].as_str().map(str::to_owned),
            line["payload"].is_object(),
        ) {
            payloads.push((url, line["payload"].take()));
        }
    }
    assert!(!payloads.is_empty(), "{site_id}");
    payloads
}

/// Any JSON value, a few levels deep.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-5_i64..200).prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop_oneof![
            "", " ", "-1", "0", "1/2", "Praha - ", "okres ", "NaN", "1e400"
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{1,8}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Replaces some values of a fixture, at any depth.
pub fn mutated(fixtures: Vec<Value>) -> impl Strategy<Value = Value> {
    let changes = prop::collection::vec((any::<Index>(), any_json()), 1..12);
    (prop::sample::select(fixtures), changes).prop_map(|(mut payload, changes)| {
        for (place, replacement) in changes {
            let mut pointers = Vec::new();
            collect_pointers(&payload, &mut String::new(), &mut pointers);
            let pointer = place.get(&pointers).clone();
            *payload.pointer_mut(&pointer).unwrap() = replacement;
        }
        payload
    })
}

fn collect_pointers(value: &Value, path: &mut String, pointers: &mut Vec<String>) {
    pointers.push(path.clone());
    let length = path.len();
    let mut enter = |name: &str, inner: &Value| {
        path.push('/');
        path.push_str(&name.replace('~', "~0").replace('/', "~1"));
        collect_pointers(inner, path, pointers);
        path.truncate(length);
    };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| enter(name, inner)),
        Value::Array(entries) => {
            entries
                .iter()
                .enumerate()
                .for_each(|(place, inner)| enter(&place.to_string(), inner));
        }
        _ => {}
    }
}

/// A census: how often each value of each field occurs in a portal's real adverts.
pub struct Census(Value);

impl Census {
    /// Reads a census of the real data, or returns `None` with a notice.
    pub fn real(path: &str) -> Option<Self> {
        let census: Value = serde_json::from_str(&real(path)?).unwrap();
        Some(Self(census["listing_fields"].clone()))
    }

    /// Returns every value of a field and how often it occurs.
    pub fn counts(&self, field: &str) -> Vec<(String, u64)> {
        let counts = self.0[field]["value_counts"].as_object().unwrap();
        counts
            .iter()
            .map(|(value, count)| (value.clone(), count.as_u64().unwrap()))
            .collect()
    }

    /// Returns some real values of a field.
    pub fn samples(&self, field: &str) -> Vec<Value> {
        self.0[field]["sample_values"].as_array().unwrap().clone()
    }
}
