//! Reading takes time in proportion to the length of the input. Texts, pages and lines that are made to be slow are read
//! quickly; a quadratic algorithm would take minutes.

use std::time::Duration;

use cpu_time::ThreadTime;
use ingest::dumps::parse_line;
use ingest::portals::{PORTALS, portal};
use serde_json::Value;

use crate::payloads::{page, payload};

/// The length of the texts, in bytes.
const LENGTH: usize = 64 * 1024;
/// More CPU time than any reading in linear time takes. What else the machine does is not counted.
const LONG: Duration = Duration::from_secs(20);

/// The pieces of long texts: some that the readers of notation look for, and some that they skip.
const PIECES: [&str; 10] = [
    "1",
    "1 000 ",
    "12/4a ",
    "85 m² ",
    "byt v 3. patře ",
    "č.p. 1, ",
    "zakázka č. 1 ",
    "podíl 1/2 ",
    "\u{301}",
    "\n",
];

/// Markup that makes a page deep, wide or tangled.
const MARKUP: [&str; 8] = [
    "<div>",
    "<p>",
    "<b><p>",
    "<table><tr><td>",
    "<dl><dt>a<dd>",
    "<dt>a</dt><dd>b</dd>",
    "<",
    "<!--",
];

/// Fails if `read` panics or takes far too much CPU time.
fn in_time(what: &str, read: impl FnOnce()) {
    let start = ThreadTime::now();
    read();
    let took = start.elapsed();
    assert!(took < LONG, "{what} takes {took:?} of CPU time");
}

fn repeated(piece: &str) -> String {
    piece.repeat(LENGTH / piece.len())
}

/// Returns the longest text of a payload, which is the advert's own.
fn longest_text(value: &mut Value) -> Option<&mut String> {
    let texts: Vec<&mut String> = match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter_mut().filter_map(longest_text).collect(),
        Value::Object(fields) => fields.values_mut().filter_map(longest_text).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().max_by_key(|text| text.len())
}

#[test]
fn long_texts_are_read_in_time() {
    for portal in PORTALS {
        for piece in PIECES {
            let mut payload = payload(portal.site_id, "flat-sale");
            let text = longest_text(&mut payload).unwrap();
            let at = text.find("Nabízíme k prodeji").unwrap_or(text.len());
            text.insert_str(at, &repeated(piece));
            in_time(&format!("{} with {piece:?}", portal.site_id), move || {
                drop(portal.read_payload(&payload));
            });
        }
    }
}

#[test]
fn tangled_pages_are_read_in_time() {
    for site_id in ["idnes", "realitymix", "ceskereality", "remax", "mmreality"] {
        let portal = portal(site_id).unwrap();
        let marks = (0..LENGTH / 8)
            .map(|n| format!("<b a{n}>"))
            .collect::<Vec<_>>()
            .concat();
        let attributes = (0..LENGTH)
            .map(|n| format!(" a{n}"))
            .collect::<Vec<_>>()
            .concat();
        let made = [
            format!("<p>{marks}</p>{}", repeated("<p>x</p>")),
            format!("<p{attributes}>"),
        ];
        for tangle in MARKUP.map(repeated).into_iter().chain(made) {
            let what = format!(
                "{site_id} with {}",
                tangle.chars().take(20).collect::<String>()
            );
            let text = "Nabízíme k prodeji";
            let html = page(site_id, "flat-sale").replacen(text, &format!("{text} {tangle}"), 1);
            in_time(&what, move || drop(portal.read_payload(&Value::from(html))));
        }
    }
}

#[test]
fn a_dump_line_of_many_keys_is_read_in_time() {
    let entries: Vec<String> = (0..LENGTH).map(|n| format!("\"k{n}\":1")).collect();
    let text = format!("{{{}}}", entries.join(","));
    in_time("a line of many keys", move || {
        drop(parse_line(text.as_bytes()));
    });
}

#[test]
fn deeply_nested_values_are_not_a_dump_line() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(LENGTH), close.repeat(LENGTH));
        let text = format!(
            r#"{{"siteId":"a","offerId":"1","observedAt":"2026-05-01T06:00:00Z","payload":{deep}}}"#
        );
        in_time("a deep line", move || drop(parse_line(text.as_bytes())));
    }
}
