//! The blocking keys of each listing.
//!
//! A row for each key and listing finds the listings of a key. The keys of a listing are one row of `listing_keys`: an index
//! of the rows by listing would take three times the space.

use std::collections::{HashMap, HashSet};

use futures::future::BoxFuture;
use sqlx::{AssertSqlSafe, PgConnection, SqliteConnection};

use super::columns::Cell;
use super::error::Result;
use super::many_rows::{insert_rows, many_rows};
use super::transaction::{Tx, TxConnection, on_tx};
use super::{lists, variable_length};
use crate::listing::ListingId;

/// Replaces the keys of a listing.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace<'a>(
    tx: &'a mut Tx,
    listing: ListingId,
    keys: &'a [i64],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { replace_all(tx, &[(listing, keys)]).await })
}

/// Replaces the keys of many listings, each given once. Much faster than [`replace`] for each; writes only differences.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace_all<'a>(
    tx: &'a mut Tx,
    listings: &'a [(ListingId, &'a [i64])],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let pairs = lists::integer_pairs(tx.backend());
        let delete = format!("DELETE FROM blocking_keys WHERE (key, listing_id) IN ({pairs})");
        let insert = format!(
            "INSERT INTO blocking_keys (key, listing_id) SELECT a, b FROM ({pairs}) AS given WHERE TRUE \
         ON CONFLICT DO NOTHING"
        );
        for part in listings.chunks(lists::LIST) {
            let ids: Vec<ListingId> = part.iter().map(|(id, _)| *id).collect();
            let before: HashSet<(i64, i64)> = of_listings(tx, &ids)
                .await?
                .into_iter()
                .map(|(id, key)| (key, id.0))
                .collect();
            let after: HashSet<(i64, i64)> = part
                .iter()
                .flat_map(|(id, keys)| keys.iter().map(|key| (*key, id.0)))
                .collect();
            write(tx, &delete, before.difference(&after)).await?;
            write(tx, &insert, after.difference(&before)).await?;
            let changed: HashSet<i64> = before
                .symmetric_difference(&after)
                .map(|(_, listing)| *listing)
                .collect();
            let changed = part.iter().filter(|(id, _)| changed.contains(&id.0));
            save_lists(tx, &changed.copied().collect::<Vec<_>>()).await?;
        }
        Ok(())
    })
}

/// Deletes all keys.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn clear(tx: &mut Tx) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        for delete in ["DELETE FROM blocking_keys", "DELETE FROM listing_keys"] {
            on_tx!(&mut *tx, connection => {
                sqlx::query(delete).execute(connection).await?;
            });
        }
        Ok(())
    })
}

/// The first half of storing the keys of all listings: the keys of each listing. [`insert_keys`] is the other half.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn insert_lists<'a>(
    tx: &'a mut Tx,
    listings: &'a [(ListingId, &'a [i64])],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(save_lists(tx, listings))
}

/// The other half: the listings of each key. In ascending order they are stored much faster than with [`replace_all`].
///
/// # Errors
/// [`super::StoreError::Database`], also if a pair is stored already.
pub fn insert_keys<'a>(tx: &'a mut Tx, keys: &'a [(i64, ListingId)]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        match tx.connection() {
            TxConnection::Sqlite(connection) => insert_listed_keys(connection, keys).await,
            TxConnection::Postgres(connection) => copy_keys(connection, keys).await,
        }
    })
}

/// Stores keys with statements of many rows. While SQLite runs one, the next is written.
async fn insert_listed_keys(
    connection: &mut SqliteConnection,
    keys: &[(i64, ListingId)],
) -> Result<()> {
    let statement = |part: &[(i64, ListingId)]| {
        let head = "INSERT INTO blocking_keys (key, listing_id) ";
        let statement = many_rows!(
            head,
            part,
            |row, (key, listing)| {
                row.push_bind(*key).push_bind(listing.0);
            },
            ""
        );
        (statement, lists::is_worth_caching(part.len()))
    };
    let mut statements = keys.chunks(lists::CHUNK).map(statement);
    let mut next = statements.next();
    while let Some((mut statement, is_worth_caching)) = next {
        let running = statement.build().persistent(is_worth_caching);
        let running = running.execute(&mut *connection);
        let (done, after) = futures::join!(running, async { statements.next() });
        done?;
        next = after;
    }
    Ok(())
}

/// Stores keys with the statement that PostgreSQL has for bulk data, in its binary form.
async fn copy_keys(connection: &mut PgConnection, keys: &[(i64, ListingId)]) -> Result<()> {
    const HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
    const END: i16 = -1;
    const COLUMNS: i16 = 2;
    const COLUMN_SIZE: i32 = 8;
    let mut data = HEAD.to_vec();
    for (key, listing) in keys {
        data.extend(COLUMNS.to_be_bytes());
        for number in [*key, listing.0] {
            data.extend(COLUMN_SIZE.to_be_bytes());
            data.extend(number.to_be_bytes());
        }
    }
    data.extend(END.to_be_bytes());
    let copy = "COPY blocking_keys (key, listing_id) FROM STDIN (FORMAT binary)";
    let mut copy = connection.copy_in_raw(copy).await?;
    // If sending fails, dropping it makes the server give the statement up.
    copy.send(data).await?;
    copy.finish().await?;
    Ok(())
}

/// Stores the keys of these listings as one row each.
async fn save_lists(tx: &mut Tx, listings: &[(ListingId, &[i64])]) -> Result<()> {
    let rows: Vec<(i64, Vec<u8>)> = listings
        .iter()
        .map(|(id, keys)| (id.0, encode(keys)))
        .collect();
    for part in rows.chunks(lists::rows_at_once(tx.backend())) {
        insert_rows!(
            tx,
            "listing_keys",
            part,
            |(listing, encoded)| (listing_id: i64 = *listing, keys: &[u8] = encoded.as_slice()),
            " ON CONFLICT (listing_id) DO UPDATE SET keys = excluded.keys"
        );
    }
    Ok(())
}

/// The keys of these listings.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn of_listings<'a>(
    tx: &'a mut Tx,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<Vec<(ListingId, i64)>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT listing_id, keys FROM listing_keys WHERE listing_id IN ({}) ORDER BY listing_id",
            lists::integers(tx.backend())
        );
        let mut ids = lists::numbers(listings);
        ids.sort_unstable();
        let rows: Vec<(i64, Vec<u8>)> = lists::fetch(tx, &text, &ids).await?;
        let mut found = Vec::new();
        for (id, keys) in rows {
            let cell = Cell {
                table: "listing_keys",
                column: "keys",
                id: &id,
            };
            let keys = decode(&keys).ok_or_else(|| cell.corrupt("the bytes are not keys"))?;
            found.extend(keys.into_iter().map(|key| (ListingId(id), key)));
        }
        Ok(found)
    })
}

/// Deletes the keys of these listings.
///
/// # Errors
/// [`super::StoreError::Database`].
pub(super) async fn delete(tx: &mut Tx, listings: &[ListingId]) -> Result<()> {
    let none: Vec<(ListingId, &[i64])> = listings.iter().map(|id| (*id, [].as_slice())).collect();
    replace_all(tx, &none).await?;
    let text = format!(
        "DELETE FROM listing_keys WHERE listing_id IN ({})",
        lists::integers(tx.backend())
    );
    lists::execute(tx, &text, &lists::numbers(listings)).await
}

/// The listings that share a key with these.
pub(super) async fn sharing(tx: &mut Tx, listings: &[ListingId]) -> Result<Vec<i64>> {
    let mut keys: Vec<i64> = of_listings(tx, listings)
        .await?
        .into_iter()
        .map(|(_, key)| key)
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let text = format!(
        "SELECT DISTINCT listing_id FROM blocking_keys WHERE key IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<(i64,)> = lists::fetch(tx, &text, &keys).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The blocks of these keys: for each key its listings in the order of their row numbers, at most `cap` + 1 of them. A
/// block with `cap` + 1 listings is oversized; it is not read any further.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn members<'a>(
    tx: &'a mut Tx,
    keys: &'a [i64],
    cap: u32,
) -> BoxFuture<'a, Result<Vec<(i64, ListingId)>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT wanted.value, blocking_keys.listing_id FROM ({}) AS wanted \
         JOIN blocking_keys ON blocking_keys.key = wanted.value \
         AND blocking_keys.listing_id <= COALESCE( \
             (SELECT last.listing_id FROM blocking_keys AS last WHERE last.key = wanted.value \
              ORDER BY last.listing_id LIMIT 1 OFFSET $2), 9223372036854775807) \
         ORDER BY wanted.value, blocking_keys.listing_id",
            lists::integers(tx.backend())
        );
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys.dedup();
        let mut members = Vec::new();
        for part in keys.chunks(lists::LIST) {
            let list = lists::json(&part)?;
            let rows: Vec<(i64, i64)> = on_tx!(&mut *tx, connection => sqlx::query_as(AssertSqlSafe(text.as_str()))
            .bind(list)
            .bind(i64::from(cap))
            .fetch_all(connection)
            .await?);
            members.extend(rows.into_iter().map(|(key, id)| (key, ListingId(id))));
        }
        Ok(members)
    })
}

/// How many listings have each of these keys. Keys without listings are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn sizes<'a>(tx: &'a mut Tx, keys: &'a [i64]) -> BoxFuture<'a, Result<HashMap<i64, usize>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT key, COUNT(*) FROM blocking_keys WHERE key IN ({}) GROUP BY key",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, i64)> = lists::fetch(tx, &text, keys).await?;
        Ok(rows
            .into_iter()
            .map(|(key, count)| (key, usize::try_from(count).unwrap_or_default()))
            .collect())
    })
}

/// How many listings have each of these keys, counted up to `most`. Keys without listings are left out.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn sizes_up_to<'a>(
    tx: &'a mut Tx,
    keys: &'a [i64],
    most: usize,
) -> BoxFuture<'a, Result<HashMap<i64, usize>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT wanted.value, (SELECT COUNT(*) FROM \
                 (SELECT 1 FROM blocking_keys WHERE key = wanted.value LIMIT {most}) AS members) \
             FROM ({}) AS wanted",
            lists::integers(tx.backend())
        );
        let rows: Vec<(i64, i64)> = lists::fetch(tx, &text, keys).await?;
        Ok(rows
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(key, count)| (key, usize::try_from(count).unwrap_or_default()))
            .collect())
    })
}

/// Runs a statement for pairs of key and listing, in the order of the table, so that neighbours share pages.
async fn write(tx: &mut Tx, text: &str, pairs: impl Iterator<Item = &(i64, i64)>) -> Result<()> {
    let mut pairs: Vec<&(i64, i64)> = pairs.collect();
    pairs.sort_unstable();
    lists::execute(tx, text, &pairs).await
}

/// The first byte of keys of eight bytes each, which a migration wrote.
const IN_FULL: u8 = 0;
/// The first byte of the differences between sorted keys.
const DIFFERENCES: u8 = 1;

/// Keys as bytes, each once: sorted, the difference of each to the one before. Of forty keys of 47 bits each takes six or
/// seven bytes.
fn encode(keys: &[i64]) -> Vec<u8> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    let mut bytes = vec![DIFFERENCES];
    let mut before = 0;
    for (place, key) in keys.into_iter().enumerate() {
        let difference = key.wrapping_sub(before);
        if place == 0 {
            variable_length::push(&mut bytes, variable_length::zigzag(difference));
        } else {
            variable_length::push(&mut bytes, difference.cast_unsigned());
        }
        before = key;
    }
    bytes
}

/// The keys in these bytes, in order. `None` if they are not keys.
fn decode(bytes: &[u8]) -> Option<Vec<i64>> {
    match bytes.split_first()? {
        (&IN_FULL, rest) => {
            let (keys, []) = rest.as_chunks() else {
                return None;
            };
            Some(keys.iter().map(|key| i64::from_be_bytes(*key)).collect())
        }
        (&DIFFERENCES, mut rest) => {
            let mut keys: Vec<i64> = Vec::new();
            while !rest.is_empty() {
                let number = variable_length::take(&mut rest)?;
                keys.push(match keys.last() {
                    None => variable_length::unzigzag(number),
                    Some(before) => before.wrapping_add(number.cast_signed()),
                });
            }
            Some(keys)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_come_back_sorted(keys in prop::collection::vec(any::<i64>(), 0..50)) {
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(decode(&encode(&keys)), Some(sorted.clone()));
            let in_full: Vec<u8> = sorted.iter().flat_map(|key| key.to_be_bytes()).collect();
            prop_assert_eq!(decode(&[&[IN_FULL], in_full.as_slice()].concat()), Some(sorted));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            decode(&bytes);
        }
    }

    #[test]
    fn forty_keys_of_47_bits_take_less_than_seven_bytes_each() {
        let key = |number: i64| number.wrapping_mul(0x4f1b_bcdc_bfa5_3e0b) & ((1 << 47) - 1);
        let keys: Vec<i64> = (1..=40).map(key).collect();
        assert!(encode(&keys).len() < 40 * 7, "{}", encode(&keys).len());
    }
}
