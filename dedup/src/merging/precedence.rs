//! The order of precedence among stated values: live before gone, original before copy, precise
//! before vague, recently changed before older, and then the majority.

use schema::StoredListing;

/// Listings that changed within this time of the newest candidate count as equally recent.
const RECENT_MILLIS: i64 = 30 * 24 * 3_600_000;

/// A value that one listing states.
pub(super) struct Candidate<'a, T> {
    /// The listing.
    pub listing: &'a StoredListing,
    /// Whether the listing is not a copy of another listing of the cluster.
    pub is_original: bool,
    /// How precise the value is, compared with other values of the field.
    pub precision: u32,
    /// The value.
    pub value: T,
}

/// The candidate whose value is chosen; `None` if there are no candidates.
pub(super) fn choose<'a, 'b, T: PartialEq>(
    candidates: &'b [Candidate<'a, T>],
) -> Option<&'b Candidate<'a, T>> {
    let rank =
        |one: &Candidate<'a, T>| (one.listing.state.is_live(), one.is_original, one.precision);
    let best = candidates.iter().map(rank).max()?;
    let best_ranked: Vec<&Candidate<'a, T>> =
        candidates.iter().filter(|one| rank(one) == best).collect();
    let changed = |one: &Candidate<'a, T>| one.listing.state.last_changed_at.millis();
    let newest = best_ranked.iter().map(|one| changed(one)).max()?;
    let recent: Vec<&Candidate<'a, T>> = best_ranked
        .into_iter()
        .filter(|one| changed(one) >= newest - RECENT_MILLIS)
        .collect();
    let votes = |one: &Candidate<'a, T>| {
        recent
            .iter()
            .filter(|other| other.value == one.value)
            .count()
    };
    recent
        .iter()
        .max_by(|one, other| {
            (votes(one), changed(one))
                .cmp(&(votes(other), changed(other)))
                .then_with(|| other.listing.key.cmp(&one.listing.key))
        })
        .copied()
}
