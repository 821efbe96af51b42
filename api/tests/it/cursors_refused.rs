//! What is no cursor of this walk, service or database.

use schema::{Location, Plan};

use crate::cursors::offers;
use crate::support::{on_each, save_all};

/// Spec, Error 2: ids are strings, cursors are opaque and must be passed back unchanged.
/// Spec, Pagination 4: nextCursor is opaque, and null on the last page.
/// Spec, Silent 16: a changed or foreign cursor is 400.
#[tokio::test]
async fn what_is_no_cursor_is_a_fault_beside_the_others() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(10)).await;
        let first = api.get_as(&account, "/v1/offers?limit=2").await;
        let cursor = first.next_cursor().unwrap();
        let flipped: String = cursor.chars().rev().collect();
        for wrong in ["x", &flipped, &format!("{cursor}A"), &cursor[1..], &cursor[..cursor.len() - 1]] {
            let answer = api.get_as(&account, &format!("/v1/offers?cursor={wrong}")).await;
            assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]), "{wrong}");
            let answer = api.get_as(&account, &format!("/v1/offers?cursor={wrong}&limit=0")).await;
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
            fingerprint: api::params::search("", |_| true).0.fingerprint,
            as_of: 0,
            position: api::index::Position { last_changed_at: api.now(), row: 1 },
            began_at: None,
            centre: None,
        };
        let answer = api.get_as(&account, &format!("/v1/offers?cursor={}", key.encode(&cursor))).await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]));
    })
    .await;
}

/// Everything that one step away from a cursor may be.
fn tampered(cursor: &str) -> Vec<Vec<u8>> {
    let bytes = cursor.as_bytes();
    let mut all = Vec::new();
    for place in 0..bytes.len() {
        // Some bit flipped, all of them, and another letter of the alphabet.
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
async fn a_cursor_changed_anywhere_is_a_fault_of_the_cursor_alone() {
    on_each(async |api| {
        let account = api.unlimited_account().await;
        let there = offers(4)
            .into_iter()
            .map(|offer| offer.with(|facts| facts.location = Some(Location { lat: 50.0755, lng: 14.4378 })));
        save_all(&api.db, &there.collect::<Vec<_>>()).await;
        // One of each length: with nothing, with the time of the walk, with the place of an address.
        for query in ["", "includeInactive=true&", "address=Praha&radiusMeters=100000&"] {
            let first = api.get_as(&account, &format!("/v1/offers?{query}limit=2")).await;
            let cursor = first.next_cursor().unwrap();
            assert!(
                cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)),
                "{cursor}"
            );
            for wrong in tampered(cursor) {
                let escaped = wrong.iter().fold(String::new(), |text, byte| format!("{text}%{byte:02X}"));
                let answer = api.get_as(&account, &format!("/v1/offers?{query}cursor={escaped}")).await;
                assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]), "{query}{wrong:?}");
            }
        }
    })
    .await;
}
