//! Cursors that are refused: malformed, changed, of another search, service or database.

use schema::{Location, Plan};

use crate::cursors::offers;
use crate::support::{cursor_key, on_each, save_all};

/// Spec, Error 2: ids are strings, cursors are opaque and must be passed back unchanged.
/// Spec, Pagination 4: nextCursor is opaque, and null on the last page.
/// Spec, Silent 16: a changed or foreign cursor is 400.
#[tokio::test]
async fn an_invalid_cursor_is_reported_with_the_other_errors() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(10)).await;
        let first = api.get_as(&account, "/v1/offers?limit=2").await;
        let cursor = first.next_cursor().unwrap();
        let flipped: String = cursor.chars().rev().collect();
        for wrong in [
            "x",
            &flipped,
            &format!("{cursor}A"),
            &cursor[1..],
            &cursor[..cursor.len() - 1],
        ] {
            let answer = api
                .get_as(&account, &format!("/v1/offers?cursor={wrong}"))
                .await;
            assert_eq!(
                (answer.status, answer.faulty()),
                (400, vec!["cursor"]),
                "{wrong}"
            );
            let answer = api
                .get_as(&account, &format!("/v1/offers?cursor={wrong}&limit=0"))
                .await;
            assert_eq!(answer.faulty(), ["limit", "cursor"], "{wrong}");
        }
    })
    .await;
}

/// Spec, Silent 16: a changed or foreign cursor is 400.
#[tokio::test]
async fn a_cursor_of_another_database_is_refused() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let key = api::cursor::CursorKey::new([9; 32]);
        let cursor = api::cursor::Cursor {
            fingerprint: api::params::parse_search("", |_| true).0.fingerprint,
            as_of: 0,
            position: api::index::Position {
                last_changed_at: api.now(),
                row: 1,
            },
            began_at: None,
            centre: None,
        };
        let answer = api
            .get_as(
                &account,
                &format!("/v1/offers?cursor={}", key.encode(&cursor)),
            )
            .await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]));
    })
    .await;
}

/// After a restore from a backup, the database has not reached the state of some cursors.
///
/// Spec, Silent 16: a changed or foreign cursor is 400.
#[tokio::test]
async fn a_cursor_of_a_state_that_the_database_has_not_reached_is_refused() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(3)).await;
        let first = api.get_as(&account, "/v1/offers?limit=1").await;
        let cursor = cursor_key().decode(first.next_cursor().unwrap()).unwrap();
        let reached = api::cursor::Cursor { as_of: 3, ..cursor };
        assert_eq!(cursor, reached);
        for ahead in [4, i64::MAX] {
            let ahead = cursor_key().encode(&api::cursor::Cursor {
                as_of: ahead,
                ..cursor
            });
            let answer = api
                .get_as(&account, &format!("/v1/offers?limit=1&cursor={ahead}"))
                .await;
            assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]));
            assert!(
                answer
                    .fault("cursor")
                    .contains("search again without a cursor"),
                "{}",
                answer.fault("cursor")
            );
            let answer = api
                .get_as(&account, &format!("/v1/offers?limit=0&cursor={ahead}"))
                .await;
            assert_eq!(answer.faulty(), ["limit", "cursor"]);
        }
        // If only the index has not reached the state, the search waits for it.
        save_all(&api.db, &offers(1)).await;
        let now = cursor_key().encode(&api::cursor::Cursor { as_of: 4, ..cursor });
        let answer = api
            .get_as(&account, &format!("/v1/offers?limit=1&cursor={now}"))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    })
    .await;
}

/// All cursors that differ from this one in one step.
fn tampered(cursor: &str) -> Vec<Vec<u8>> {
    let bytes = cursor.as_bytes();
    let mut all = Vec::new();
    for place in 0..bytes.len() {
        // One flipped bit, all bits flipped, and another letter of the alphabet.
        let letter = if bytes[place] == b'A' { b'B' } else { b'A' };
        for other in [bytes[place] ^ 1 << (place % 8), !bytes[place], letter] {
            let mut wrong = bytes.to_vec();
            wrong[place] = other;
            all.push(wrong);
        }
        all.push([&bytes[..place], &bytes[place + 1..]].concat());
        all.push([&bytes[..place], b"A", &bytes[place..]].concat());
        all.push(bytes[..place].to_vec());
    }
    for more in ["A", "=", "==", "AAAA", " ", "\0", "%", "é", "."] {
        all.push([bytes, more.as_bytes()].concat());
        all.push([more.as_bytes(), bytes].concat());
    }
    all.push([bytes, bytes].concat());
    all.retain(|wrong| wrong != bytes);
    all
}

/// Spec, Silent 16: a changed or foreign cursor is 400.
#[tokio::test]
async fn a_changed_cursor_is_an_error_of_the_cursor_only() {
    on_each(async |api| {
        let account = api.unlimited_account().await;
        let there = offers(4).into_iter().map(|offer| {
            offer.with(|facts| {
                facts.location = Some(Location {
                    lat: 50.0755,
                    lng: 14.4378,
                });
            })
        });
        save_all(&api.db, &there.collect::<Vec<_>>()).await;
        // One cursor of each length: plain, with the time of the first page, with the position of an address.
        for query in [
            "",
            "includeInactive=true&",
            "address=Praha&radiusMeters=100000&",
        ] {
            let first = api
                .get_as(&account, &format!("/v1/offers?{query}limit=2"))
                .await;
            let cursor = first.next_cursor().unwrap();
            assert!(
                cursor
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)),
                "{cursor}"
            );
            // Five and the six changes at each place have no common divisor, so that the short form makes them all.
            let step = if support::long_form() { 1 } else { 5 };
            for wrong in tampered(cursor).into_iter().step_by(step) {
                let escaped = wrong
                    .iter()
                    .fold(String::new(), |text, byte| format!("{text}%{byte:02X}"));
                let answer = api
                    .get_as(&account, &format!("/v1/offers?{query}cursor={escaped}"))
                    .await;
                assert_eq!(
                    (answer.status, answer.faulty()),
                    (400, vec!["cursor"]),
                    "{query}{wrong:?}"
                );
            }
        }
    })
    .await;
}
