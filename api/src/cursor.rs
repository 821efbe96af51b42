//! What a cursor holds: where a walk stands, and what it was begun with.
//!
//! A cursor is stateless: every `serve` process with the same database reads it. It is opaque (base64url), versioned,
//! and authenticated with a key of the database, so that nobody can make or change one. It is bound to the filters of
//! the walk by their fingerprint, not to the page size.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schema::{Location, Timestamp};
use subtle::ConstantTimeEq;

use crate::index::Position;

const VERSION: u8 = 1;
const TAG_LENGTH: usize = 16;
const HAS_CENTRE: u8 = 1;

/// What the filters of a search are recognised by.
pub type Fingerprint = [u8; 16];

/// Where a walk stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cursor {
    /// The filters of the walk.
    pub fingerprint: Fingerprint,
    /// The change number the walk began at: offers changed later are passed over, so that none comes twice.
    pub as_of: i64,
    /// The last offer of the page before.
    pub position: Position,
    /// When the walk began; `None` unless it reaches into the past, for only then does the time matter.
    pub began_at: Option<Timestamp>,
    /// The centre that an address was found to mean when the walk began.
    pub centre: Option<Location>,
}

/// A text that is no cursor of this database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not a cursor of this service, or it was changed")]
pub struct InvalidCursor;

/// The secret that cursors are authenticated with.
#[derive(Clone)]
pub struct CursorKey([u8; 32]);

impl CursorKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Writes a cursor.
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

    /// Reads a cursor.
    ///
    /// # Errors
    /// [`InvalidCursor`] where it was not written with this key, or not like this.
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

/// The bytes of a cursor that are still to be read.
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
    fn a_cursor_of_version_1_is_read_for_good() {
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
            "it is written otherwise now: keep reading this one"
        );
        assert_eq!(key().decode(written), Ok(cursor));
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back(cursor in cursors()) {
            prop_assert_eq!(key().decode(&key().encode(&cursor)), Ok(cursor));
        }

        #[test]
        fn another_character_anywhere_is_refused(cursor in cursors(), place: prop::sample::Index, other in "[A-Za-z0-9_-]") {
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
        fn any_text_is_refused_without_panic(text in "\\PC{0,200}") {
            prop_assert_eq!(key().decode(&text), Err(InvalidCursor));
        }

        #[test]
        fn another_database_refuses_it(cursor in cursors()) {
            prop_assert_eq!(CursorKey::new([8; 32]).decode(&key().encode(&cursor)), Err(InvalidCursor));
        }
    }
}
