//! When each content of a listing was seen: one row for each content, with all of the times.
//!
//! A crawl sees most adverts unchanged every day. A row for each of these sightings would be most of the database, and no
//! time may be lost: a crawl that arrives late must know whether the listing was seen while it ran.

use std::collections::{HashMap, HashSet};

use super::columns::{Cell, row};
use super::error::Result;
use super::many_rows::insert_rows;
use super::transaction::{Tx, on_tx};
use super::{lists, variable_length};

/// The times at which a content was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenTimes {
    /// The content.
    pub(super) raw: i64,
    /// Its listing.
    pub(super) listing: i64,
    /// The times, each once, in order.
    times: Vec<i64>,
}

impl SeenTimes {
    /// A content that was not seen yet.
    pub(super) fn none(raw: i64, listing: i64) -> Self {
        Self {
            raw,
            listing,
            times: Vec::new(),
        }
    }

    /// The times, in order.
    pub(super) fn times(&self) -> &[i64] {
        &self.times
    }

    /// Adds a time. Returns whether it is new.
    pub(super) fn insert(&mut self, at: i64) -> bool {
        match self.times.binary_search(&at) {
            Ok(_) => false,
            Err(place) => {
                self.times.insert(place, at);
                true
            }
        }
    }

    /// Removes the times from `from` to `to`. Returns whether there were any.
    pub(super) fn remove(&mut self, from: i64, to: i64) -> bool {
        let before = self.times.len();
        self.times.retain(|at| !(from..=to).contains(at));
        self.times.len() < before
    }

    /// Whether it was seen from `from` to `to`.
    pub(super) fn has_between(&self, from: i64, to: i64) -> bool {
        let first = self.times.partition_point(|at| *at < from);
        self.times.get(first).is_some_and(|at| *at <= to)
    }
}

/// The times at which these contents were seen. Contents that were not are left out.
pub(super) async fn of_contents(tx: &mut Tx, contents: &[i64]) -> Result<HashMap<i64, SeenTimes>> {
    let text = format!(
        "SELECT raw_id, listing_id, first_at, last_at, times FROM sightings WHERE raw_id IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<TimesRow> = lists::fetch(tx, &text, contents).await?;
    rows.into_iter()
        .map(|row| Ok((row.raw_id, row.into_times()?)))
        .collect()
}

/// The times at which the contents of these listings were seen.
pub(super) async fn of_listings(tx: &mut Tx, listings: &[i64]) -> Result<Vec<SeenTimes>> {
    let text = format!(
        "SELECT raw_id, listing_id, first_at, last_at, times FROM sightings WHERE listing_id IN ({})",
        lists::integers(tx.backend())
    );
    let rows: Vec<TimesRow> = lists::fetch(tx, &text, listings).await?;
    rows.into_iter().map(TimesRow::into_times).collect()
}

/// The contents of a portal's listings that were seen from `from` to `to`, with all of their times.
pub(super) async fn of_site_between(
    tx: &mut Tx,
    site_id: &str,
    (from, to): (i64, i64),
) -> Result<Vec<SeenTimes>> {
    let rows: Vec<TimesRow> = on_tx!(tx, connection => {
        sqlx::query_as(
            "SELECT raw_id, listing_id, first_at, last_at, times FROM sightings \
             WHERE first_at <= $3 AND last_at >= $2 \
             AND listing_id IN (SELECT id FROM listings WHERE site_id = $1) ORDER BY raw_id",
        )
        .bind(site_id)
        .bind(from)
        .bind(to)
        .fetch_all(connection)
        .await?
    });
    let mut seen = Vec::new();
    for row in rows {
        let times = row.into_times()?;
        if times.has_between(from, to) {
            seen.push(times);
        }
    }
    Ok(seen)
}

/// Stores the times of contents, each given once. The row of a content without times is deleted.
pub(super) async fn save_all(tx: &mut Tx, contents: &[SeenTimes]) -> Result<()> {
    let unseen: Vec<i64> = contents
        .iter()
        .filter(|content| content.times.is_empty())
        .map(|content| content.raw)
        .collect();
    if !unseen.is_empty() {
        let text = format!(
            "DELETE FROM sightings WHERE raw_id IN ({})",
            lists::integers(tx.backend())
        );
        lists::execute(tx, &text, &unseen).await?;
    }
    let rows: Vec<_> = contents
        .iter()
        .filter_map(|content| {
            let (first, last) = (*content.times.first()?, *content.times.last()?);
            Some((
                content.raw,
                content.listing,
                first,
                last,
                encode(&content.times),
            ))
        })
        .collect();
    for part in rows.chunks(lists::rows_at_once(tx.backend())) {
        insert_rows!(
            tx,
            "sightings",
            part,
            |(raw, listing, first, last, encoded)| (
                raw_id: i64 = *raw,
                listing_id: i64 = *listing,
                first_at: i64 = *first,
                last_at: i64 = *last,
                times: &[u8] = encoded.as_slice(),
            ),
            " ON CONFLICT (raw_id) DO UPDATE SET first_at = excluded.first_at, \
             last_at = excluded.last_at, times = excluded.times"
        );
    }
    Ok(())
}

/// The listings among these that were seen from `from` to `to`.
pub(super) async fn seen_between(
    tx: &mut Tx,
    listings: &[i64],
    (from, to): (i64, i64),
) -> Result<HashSet<i64>> {
    let contents = of_listings(tx, listings).await?;
    let seen = contents
        .into_iter()
        .filter(|content| content.has_between(from, to))
        .map(|content| content.listing);
    Ok(seen.collect())
}

row! {
    struct TimesRow {
        raw_id: i64,
        listing_id: i64,
        first_at: i64,
        last_at: i64,
        times: Vec<u8>,
    }
}

impl TimesRow {
    fn into_times(self) -> Result<SeenTimes> {
        let cell = Cell {
            table: "sightings",
            column: "times",
            id: &self.raw_id,
        };
        let times = decode((self.first_at, self.last_at), &self.times)
            .ok_or_else(|| cell.corrupt("the bytes are not times in order"))?;
        Ok(SeenTimes {
            raw: self.raw_id,
            listing: self.listing_id,
            times,
        })
    }
}

/// The first byte of times of eight bytes each, which a migration wrote.
const IN_FULL: u8 = 0;
/// The first byte of the differences between the times.
const DIFFERENCES: u8 = 1;
/// The first byte of the first difference, followed by how much each further one differs from the one before.
const CHANGES: u8 = 2;

/// The times between the first and the last as bytes, in the shorter of two forms. A crawl that comes to an advert at about
/// the same time every day takes three bytes a day, and any other four.
fn encode(times: &[i64]) -> Vec<u8> {
    let [first, between @ .., _last] = times else {
        return Vec::new();
    };
    if between.is_empty() {
        return Vec::new();
    }
    let (mut differences, mut changes) = (vec![DIFFERENCES], vec![CHANGES]);
    let (mut at_before, mut before) = (*first, 0_i64);
    for at in between {
        let difference = at.wrapping_sub(at_before);
        variable_length::push(&mut differences, difference.cast_unsigned());
        let change = difference.wrapping_sub(before);
        variable_length::push(&mut changes, variable_length::zigzag(change));
        (at_before, before) = (*at, difference);
    }
    if changes.len() < differences.len() {
        changes
    } else {
        differences
    }
}

/// All times, from the first to the last. `None` if the bytes are not times in order between these two.
fn decode((first, last): (i64, i64), bytes: &[u8]) -> Option<Vec<i64>> {
    let mut times = match bytes.split_first() {
        None => vec![first],
        Some((&IN_FULL, rest)) => {
            let (all, []) = rest.as_chunks() else {
                return None;
            };
            let all = all.iter().map(|bytes| i64::from_be_bytes(*bytes));
            let mut times: Vec<i64> = all.collect();
            times.pop_if(|at| *at == last);
            times
        }
        Some((&form @ (DIFFERENCES | CHANGES), rest)) => decode_differences(first, form, rest)?,
        Some(_) => return None,
    };
    if times.last() != Some(&last) {
        times.push(last);
    }
    let is_complete =
        times.first() == Some(&first) && times.is_sorted_by(|left, right| left < right);
    is_complete.then_some(times)
}

fn decode_differences(first: i64, form: u8, mut bytes: &[u8]) -> Option<Vec<i64>> {
    let mut times = vec![first];
    let (mut at, mut difference) = (first, 0_i64);
    while !bytes.is_empty() {
        let number = variable_length::take(&mut bytes)?;
        difference = if form == CHANGES {
            difference.wrapping_add(variable_length::unzigzag(number))
        } else {
            number.cast_signed()
        };
        at = at.wrapping_add(difference);
        times.push(at);
    }
    Some(times)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn in_full(times: &[i64]) -> Vec<u8> {
        let mut bytes = vec![IN_FULL];
        bytes.extend(times.iter().flat_map(|at| at.to_be_bytes()));
        bytes
    }

    proptest! {
        #[test]
        fn times_come_back_as_they_were(times in prop::collection::btree_set(any::<i64>(), 1..40)) {
            let times: Vec<i64> = times.into_iter().collect();
            let span = (times[0], times[times.len() - 1]);
            prop_assert_eq!(decode(span, &encode(&times)), Some(times.clone()));
            prop_assert_eq!(decode(span, &in_full(&times)), Some(times));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), first: i64, last: i64) {
            let times = decode((first, last), &bytes);
            prop_assert!(times.is_none_or(|times| times.is_sorted()));
        }
    }

    fn a_year_of_days(minutes: i64) -> Vec<i64> {
        let scattered = |day: i64| day.wrapping_mul(0x5851_f42d_4c95_7f2d) >> 20;
        let within = |day: i64| scattered(day).rem_euclid(minutes * 60_000);
        let at = |day: i64| 1_700_000_000_000 + day * 86_400_000 + within(day);
        (0..365).map(at).collect()
    }

    #[test]
    fn a_day_takes_four_bytes_and_three_if_the_time_of_day_is_about_the_same() {
        let size = |minutes| encode(&a_year_of_days(minutes)).len().div_ceil(363);
        assert_eq!([720, 5].map(size), [4, 3]);
        assert!(encode(&a_year_of_days(5)[..2]).is_empty());
    }

    #[test]
    fn times_that_were_stored_as_differences_are_read() {
        let stored = [DIFFERENCES, 0x80, 0x01, 2];
        assert_eq!(
            decode((1_000, 1_200), &stored),
            Some(vec![1_000, 1_128, 1_130, 1_200])
        );
    }
}
