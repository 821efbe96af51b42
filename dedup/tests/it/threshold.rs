//! The result does not depend on the exact threshold.

use std::path::{Path, PathBuf};

use dedup::addresses::Addresses;
use dedup::evaluation::{self, LabelledPairs, MatchedListings, ThresholdPoint, Truth};
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use ingest::dumps::{self, DumpItem};

use super::engine::listings_of_lines;

/// By how many bits the threshold is moved.
const MOVES: [f32; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// F1 may change by this much.
const FLAT: f64 = 0.005;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The measures of a set of dumps.
fn curve(dump: &str, truth: impl std::io::Read) -> Vec<ThresholdPoint> {
    let sources = dumps::find_sources(&[project(dump)]).unwrap();
    let lines: Vec<String> = dumps::read_lines(sources)
        .filter_map(|item| match item {
            DumpItem::Line(line) => String::from_utf8(line.content).ok(),
            DumpItem::Truncated(_) => None,
        })
        .filter(|line| matches!(dumps::parse_line(line.as_bytes()), Ok(Some(_))))
        .collect();
    let profiles: Vec<Profile> = listings_of_lines(&lines)
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect();
    let matched = MatchedListings::build(WeightTable::default(), profiles, Vec::new());
    let mut truth = Truth::from_csv(truth).unwrap();
    truth
        .listings
        .retain(|(key, _)| matched.member(key).is_some());
    evaluation::threshold_curve(&matched, &truth, &LabelledPairs::default(), &MOVES)
}

#[track_caller]
fn assert_flat(curve: &[ThresholdPoint]) {
    let f1 = |point: &ThresholdPoint| point.f1.0.expect("pairs that are joined");
    let rows: Vec<String> = curve
        .iter()
        .map(|point| format!("{:+.2} bits: F1 {:.4}", point.moved, f1(point)))
        .collect();
    let unmoved = curve.iter().find(|point| point.moved == 0.0).map(f1);
    for point in curve {
        let change = (f1(point) - unmoved.expect("the threshold as it is")).abs();
        assert!(change <= FLAT, "{change:.4}:\n{}", rows.join("\n"));
    }
}

#[test]
fn half_a_bit_changes_nothing_on_the_authored_dumps() {
    let truth = std::fs::File::open(project("fixtures/expected.csv")).unwrap();
    assert_flat(&curve("fixtures/dumps", truth));
}

/// Generated markets outside the repository: one of 20,000 adverts, and in the long form one of 40,000
/// as well.
#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn half_a_bit_changes_little_on_generated_markets() {
    let sets = ["hard20k", "market40k"];
    for set in &sets[..if support::long_form() { 2 } else { 1 }] {
        let file = |kind: &str| project(&format!("../shared/truth/{set}.{kind}.zst"));
        let truth = std::fs::File::open(file("truth.csv")).unwrap();
        let truth = zstd::Decoder::new(truth).unwrap();
        let dump = file("jsonl");
        assert_flat(&curve(&dump.to_string_lossy(), truth));
    }
}
