//! What a cursor contains: where the next page begins, and what must stay the same from page to page.
//!
//! A cursor is stateless: every `serve` process on the same database can read it. It is opaque (base64url), versioned,
//! and authenticated with a key of the database, so that clients cannot make or change one. The fingerprint binds it to
//! the filters of the search; the page size may differ.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schema::{Location, Timestamp};
use subtle::ConstantTimeEq;

use crate::index::Position;

const VERSION: u8 = 1;
const TAG_LENGTH: usize = 16;
const HAS_CENTRE: u8 = 1;

/// A hash of the filters of a search.
pub type Fingerprint = [u8; 16];

/// The content of a cursor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cursor {
    /// The filters of the search.
    pub fingerprint: Fingerprint,
    /// The change number of the first page. Offers that changed later are skipped, so that none appears twice.
    pub as_of: i64,
    /// The last offer of the previous page.
    pub position: Position,
    /// When the first page was requested; `None` unless the search includes expired offers, which need it.
    pub began_at: Option<Timestamp>,
    /// The position that the `address` had on the first page.
    pub centre: Option<Location>,
}

/// A text that is not a cursor of this database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor of this service, or it was changed")]
pub struct InvalidCursor;

/// The secret that authenticates cursors.
#[derive(Clone)]
pub struct CursorKey([u8; 32]);

impl CursorKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The text of a cursor: base64url of these bytes, with numbers in big-endian order.
    ///
    /// | bytes | content |
    /// |---|---|
    /// | 1 | version |
    /// | 16 | fingerprint of the filters |
    /// | 8 | `as_of` |
    /// | 8, 8 | position: time of the last change in Unix milliseconds, row |
    /// | 8 | `began_at` in Unix milliseconds, or the smallest integer for `None` |
    /// | 1, 8, 8 | only with a centre: 1, latitude, longitude |
    /// | 16 | tag: a keyed hash of all bytes before it |
    pub fn encode(&self, cursor: &Cursor) -> String {
        let mut bytes = Vec::with_capacity(98);
        bytes.push(VERSION);
        bytes.extend_from_slice(&cursor.fingerprint);
        bytes.extend_from_slice(&cursor.as_of.to_be_bytes());
        bytes.extend_from_slice(&cursor.position.last_changed_at.millis().to_be_bytes());
        bytes.extend_from_slice(&cursor.position.row.to_be_bytes());
        bytes.extend_from_slice(
            &cursor
                .began_at
                .map_or(i64::MIN, Timestamp::millis)
                .to_be_bytes(),
        );
        if let Some(centre) = cursor.centre {
            bytes.push(HAS_CENTRE);
            bytes.extend_from_slice(&centre.lat.to_be_bytes());
            bytes.extend_from_slice(&centre.lng.to_be_bytes());
        }
        let tag = self.tag(&bytes);
        bytes.extend_from_slice(&tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The cursor of a text.
    ///
    /// # Errors
    /// [`InvalidCursor`] if the text was not written with this key or has another form.
    pub fn decode(&self, text: &str) -> Result<Cursor, InvalidCursor> {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(text) else {
            return Err(InvalidCursor);
        };
        let (body, tag) = bytes
            .split_last_chunk::<TAG_LENGTH>()
            .ok_or(InvalidCursor)?;
        if !bool::from(self.tag(body).ct_eq(tag)) {
            return Err(InvalidCursor);
        }
        let mut body = Reader(body);
        if body.take::<1>()? != [VERSION] {
            return Err(InvalidCursor);
        }
        let fingerprint = body.take()?;
        let as_of = body.integer()?;
        let position = Position {
            last_changed_at: Timestamp(body.integer()?),
            row: body.integer()?,
        };
        let began_at = Some(body.integer()?)
            .filter(|millis| *millis != i64::MIN)
            .map(Timestamp);
        let centre = match body.0 {
            [] => None,
            _ => Some(body.centre()?),
        };
        Ok(Cursor {
            fingerprint,
            as_of,
            position,
            began_at,
            centre,
        })
    }

    fn tag(&self, body: &[u8]) -> [u8; TAG_LENGTH] {
        let mut tag = [0; TAG_LENGTH];
        blake3::Hasher::new_keyed(&self.0)
            .update(body)
            .finalize_xof()
            .fill(&mut tag);
        tag
    }
}

/// The bytes of a cursor that have not been read yet.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], InvalidCursor> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(InvalidCursor)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn integer(&mut self) -> Result<i64, InvalidCursor> {
        self.take().map(i64::from_be_bytes)
    }

    fn centre(&mut self) -> Result<Location, InvalidCursor> {
        if self.take::<1>()? != [HAS_CENTRE] {
            return Err(InvalidCursor);
        }
        Ok(Location {
            lat: self.take().map(f64::from_be_bytes)?,
            lng: self.take().map(f64::from_be_bytes)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> CursorKey {
        CursorKey::new([7; 32])
    }

    prop_compose! {
        fn cursors()(
            fingerprint: [u8; 16],
            as_of in 0..i64::MAX,
            last_changed_at in 0..i64::MAX,
            row in 0..i64::MAX,
            began_at in proptest::option::of(0..4_000_000_000_000i64),
            centre in proptest::option::of((-90.0..90.0f64, -180.0..180.0f64)),
        ) -> Cursor {
            Cursor {
                fingerprint,
                as_of,
                position: Position { last_changed_at: Timestamp(last_changed_at), row },
                began_at: began_at.map(Timestamp),
                centre: centre.map(|(lat, lng)| Location { lat, lng }),
            }
        }
    }

    #[test]
    fn cursors_of_version_1_stay_readable() {
        let cursor = Cursor {
            fingerprint: *b"0123456789abcdef",
            as_of: 258,
            position: Position {
                last_changed_at: Timestamp(1_784_116_800_000),
                row: 77,
            },
            began_at: Some(Timestamp(1_784_116_800_001)),
            centre: Some(Location {
                lat: 50.0755,
                lng: 14.4378,
            }),
        };
        let written = "ATAxMjM0NTY3ODlhYmNkZWYAAAAAAAABAgAAAZ9lpeoAAAAAAAAAAE0AAAGfZaXqAQFASQmp--dsi0As4CdSVGCqcnT3DSgdPgQ26kS92tcEwA";
        assert_eq!(
            key().encode(&cursor),
            written,
            "the format changed: this version must stay readable"
        );
        assert_eq!(key().decode(written), Ok(cursor));
    }

    proptest! {
        #[test]
        fn a_cursor_survives_a_round_trip(cursor in cursors()) {
            prop_assert_eq!(key().decode(&key().encode(&cursor)), Ok(cursor));
        }

        #[test]
        fn a_changed_character_is_refused(cursor in cursors(), place: prop::sample::Index, other in "[A-Za-z0-9_-]") {
            let good = key().encode(&cursor);
            let place = place.index(good.len());
            let mut text = good.clone();
            text.replace_range(place..=place, &other);
            prop_assert_eq!(key().decode(&text).is_ok(), text == good);
        }

        #[test]
        fn a_shorter_or_longer_cursor_is_refused(cursor in cursors(), cut in 1..40usize, more in "[A-Za-z0-9_-]{1,8}") {
            let good = key().encode(&cursor);
            prop_assert_eq!(key().decode(good.get(cut..).unwrap_or_default()), Err(InvalidCursor));
            prop_assert_eq!(key().decode(good.get(..good.len() - cut).unwrap_or_default()), Err(InvalidCursor));
            prop_assert_eq!(key().decode(&(good + &more)), Err(InvalidCursor));
        }

        #[test]
        fn other_texts_are_refused_without_a_panic(text in "\\PC{0,200}") {
            prop_assert_eq!(key().decode(&text), Err(InvalidCursor));
        }

        #[test]
        fn another_database_refuses_the_cursor(cursor in cursors()) {
            prop_assert_eq!(CursorKey::new([8; 32]).decode(&key().encode(&cursor)), Err(InvalidCursor));
        }
    }
}
