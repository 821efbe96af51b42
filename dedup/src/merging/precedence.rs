//! Whose value wins: live before gone, original before copy, precise before vague, fresh before stale, majority among
//! equals.

use schema::StoredListing;

/// A listing that changed within this time of the newest candidate is as fresh as it.
const FRESH_MILLIS: i64 = 30 * 24 * 3_600_000;

/// A value that one listing publishes.
pub struct Candidate<'a, T> {
    /// The listing.
    pub listing: &'a StoredListing,
    /// Whether the listing is no copy of another one of the record.
    pub original: bool,
    /// How precise the value is; compared within one field only.
    pub precision: u32,
    /// The value.
    pub value: T,
}

/// The winner among the candidates of one field; `None` where there is none.
pub fn choose<'a, 'b, T: PartialEq>(
    candidates: &'b [Candidate<'a, T>],
) -> Option<&'b Candidate<'a, T>> {
    let rank = |one: &Candidate<'a, T>| (one.listing.state.is_live(), one.original, one.precision);
    let best = candidates.iter().map(rank).max()?;
    let level: Vec<&Candidate<'a, T>> = candidates.iter().filter(|one| rank(one) == best).collect();
    let changed = |one: &Candidate<'a, T>| one.listing.state.last_changed_at.millis();
    let newest = level.iter().map(|one| changed(one)).max()?;
    let fresh: Vec<&Candidate<'a, T>> = level
        .into_iter()
        .filter(|one| changed(one) >= newest - FRESH_MILLIS)
        .collect();
    let votes = |one: &Candidate<'a, T>| {
        fresh
            .iter()
            .filter(|other| other.value == one.value)
            .count()
    };
    fresh
        .iter()
        .max_by(|one, other| {
            (votes(one), changed(one))
                .cmp(&(votes(other), changed(other)))
                .then_with(|| other.listing.key.cmp(&one.listing.key))
        })
        .copied()
}
