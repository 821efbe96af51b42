//! Texts made to be slow are read in time proportional to their length. With quadratic time they would take minutes.

use std::sync::LazyLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use czech::fold_name;
use czech::names::{place_key, quarter_key, street_key};
use gazetteer::{Address, AddressParts, Gazetteer, HouseNumber, PlaceRow, PostalCode};
use schema::Location;

/// The length of the texts in bytes.
const LENGTH: usize = 128 * 1024;
/// Linear reading takes less time than this, even on a busy machine.
const LONG: Duration = Duration::from_secs(30);

/// The pieces that long texts repeat: pieces of addresses, and others that no address has.
const PIECES: [&str; 16] = [
    "1",
    "1 ",
    "12/4a, ",
    "č.p. 1 ",
    "110 00 ",
    "nám. ",
    "ul. Polní, ",
    "Nová Ves - ",
    "okres Kolín, ",
    "Praha 5 ",
    "v ",
    "(",
    "á",
    "\u{301}",
    "Nováves",
    "\n",
];

static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    Gazetteer::from_rows([PlaceRow {
        city: Some("Nová Ves"),
        district: Some("Kolín"),
        street: Some("Polní"),
        location: Some(Location {
            lat: 50.05,
            lng: 15.14,
        }),
        count: 3,
        ..PlaceRow::default()
    }])
});

/// Fails if `read` panics or takes too long.
fn in_time(what: &str, read: impl FnOnce() + Send + 'static) {
    let (end, ended) = channel();
    let reader = thread::spawn(move || {
        read();
        let _ = end.send(());
    });
    let outcome = ended.recv_timeout(LONG);
    assert!(
        outcome != Err(RecvTimeoutError::Timeout),
        "{what} takes longer than {LONG:?}"
    );
    if outcome.is_err() {
        reader.join().expect(what);
    }
}

fn long_texts() -> impl Iterator<Item = (&'static str, String)> {
    PIECES
        .into_iter()
        .map(|piece| (piece, piece.repeat(LENGTH / piece.len())))
}

#[test]
fn long_names_and_numbers_are_read_in_time() {
    for (piece, text) in long_texts() {
        in_time(&format!("names of {piece:?}"), move || {
            let _ = (
                fold_name(&text),
                street_key(&text),
                place_key(&text),
                quarter_key(&text, Some(&text)),
            );
            let _ = (HouseNumber::parse(&text), PostalCode::parse(&text));
        });
    }
}

#[test]
fn long_addresses_are_read_in_time() {
    for (piece, text) in long_texts() {
        in_time(&format!("an address of {piece:?}"), move || {
            let line = AddressParts {
                line: Some(&text),
                ..AddressParts::default()
            };
            let parts = AddressParts {
                street: Some(&text),
                city: Some(&text),
                neighborhood: Some(&text),
                ..line
            };
            let _ = (
                Address::from_parts(&line),
                Address::from_parts(&parts),
                GAZETTEER.complete_address(&parts),
            );
        });
    }
}

#[test]
fn long_addresses_are_located_in_time() {
    for (piece, text) in long_texts() {
        in_time(&format!("locating {piece:?}"), move || {
            let _ = GAZETTEER.locate(&text);
        });
    }
}
