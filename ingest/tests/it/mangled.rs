//! Dump lines and feeds with pieces cut out, doubled or overwritten are read or refused, without a panic.

use std::sync::LazyLock;

use ingest::dumps::{parse_line, parse_listing};
use ingest::portals::{is_feed_advert, read_feed_advert, read_payload};
use ingest::xml_rpc::{Message, messages};
use proptest::prelude::*;
use proptest::sample::Index;
use schema::{Observation, RawForm};
use serde_json::Value;

use crate::payloads::{CASES, dumped_lines, xml_fixture};

/// Lines of every form.
static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let forms = [
        r#"{"siteId":"a","offerId":"1","observedAt":"2026-05-01T06:00:00Z","url":null,"listing":{"offerType":"sale","type":"apartment","city":"Brno","priceTotal":5.49e6,"floor":-1,"balcony":true,"location":{"lat":49.2,"lng":16.6}}}"#,
        r#"{"siteId":"a","offerId":"1","observedAt":"2026-06-11T06:00:00Z","gone":true}"#,
        r#"{"siteId":"a","observedAt":"2026-06-11T07:00:00Z","crawl":{"startedAt":"2026-06-11T05:00:00Z","complete":true,"scope":{"offerType":"sale","type":"apartment"}}}"#,
    ];
    let dumped = dumped_lines("").into_iter().step_by(7);
    dumped
        .chain(forms.map(str::to_owned).into_iter().cycle().take(40))
        .map(String::into_bytes)
        .collect()
});

/// Replaces some runs of bytes: by other pieces of the same bytes, by delimiters, or by anything.
fn mangled(kept: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let marks = [
        "\"", "{", "}", "[", "]", ",", ":", "\\", "\\u0000", "\\ud800", "null", "1e999", "-", "\n",
        "\u{feff}", "<", ">", "&#0;", "]]>",
    ];
    let piece = prop_oneof![
        prop::sample::select(marks.to_vec()).prop_map(|mark| mark.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..6),
        "\\PC{0,10}".prop_map(String::into_bytes),
    ];
    let changes = prop::collection::vec(
        (
            any::<Index>(),
            0..30_usize,
            piece,
            any::<Index>(),
            any::<bool>(),
        ),
        1..6,
    );
    (prop::sample::select(kept), changes).prop_map(|(mut bytes, changes)| {
        for (place, length, piece, source, own) in changes {
            let start = place.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            let from = source.index(bytes.len() + 1);
            let again = bytes
                .get(from..(from + length).min(bytes.len()))
                .unwrap_or_default()
                .to_vec();
            bytes.splice(start..end, if own { again } else { piece });
        }
        bytes
    })
}

proptest! {
    #[test]
    fn a_mangled_line_is_read_or_refused(bytes in mangled(LINES.clone())) {
        match parse_line(&bytes) {
            Ok(Some(Observation::Seen { key, raw, .. })) => match raw.form {
                RawForm::Listing => drop(parse_listing(&raw.body)),
                RawForm::Payload => {
                    let payload: Value = serde_json::from_str(&raw.body).unwrap_or_default();
                    drop(read_payload(&key.site_id, &payload));
                }
            },
            Ok(_) => {}
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn a_mangled_feed_is_read_or_refused(
        bytes in mangled(CASES.iter().map(|case| xml_fixture("sreality_import", case).into_bytes()).collect())
    ) {
        for message in messages(bytes.as_slice()) {
            let Ok(Message::Call { params, .. }) = message else { continue };
            for advert in params.iter().filter(|param| is_feed_advert(param)) {
                if let Ok(mut reading) = read_feed_advert(advert) {
                    prop_assert!(ingest::value_bounds::remove_implausible_values(&mut reading.listing).is_empty());
                }
            }
        }
    }
}
