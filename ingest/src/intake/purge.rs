//! Taking out again what was stored: a portal, a listing, or what a dump or a crawl brought.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schema::store::purges::{self, Deleted, Purge, PurgeKind, Withdrawn};
use schema::store::{StoreError, Tx, crawls, listings, lock, observations, rejects};
use schema::{Crawl, ListingId, ListingKey, Timestamp};

use super::history::History;
use super::known_listings::save;
use super::read::{Entry, ObservedListing, read_line};
use crate::dumps::{self, DumpItem, SourceError};
use crate::timeline::ContentHash;

/// How many listings are loaded together.
const CHUNK: usize = 500;

/// What is taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeTarget {
    /// Everything of a portal. It does not come back until it is allowed again.
    Portal(String),
    /// Everything of a listing. It does not come back until it is allowed again.
    Listing(ListingKey),
    /// The observations that a dump holds, wherever they came from.
    Dump(PathBuf),
    /// What was observed of a portal while a crawl ran.
    Crawl {
        /// The portal.
        site_id: String,
        /// When the crawl began.
        started_at: Timestamp,
        /// When it ended.
        ended_at: Timestamp,
    },
}

/// What a purge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Purged {
    /// Listings that were deleted.
    pub listings: u64,
    /// Other listings whose state was computed again.
    pub recomputed: u64,
    /// Records that were deleted, because no listing of theirs is left.
    pub offers: u64,
    /// Rejects that were deleted.
    pub rejects: u64,
}

/// Why nothing was purged.
#[derive(Debug, thiserror::Error)]
pub enum PurgeError {
    /// The dump cannot be read.
    #[error(transparent)]
    Dump(#[from] SourceError),
    /// The dump ended prematurely.
    #[error("{source_name} ended prematurely, so not all that it brought is known: {reason}")]
    Truncated {
        /// The dump.
        source_name: String,
        /// Why.
        reason: String,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PurgeTarget {
    /// The note that this was purged for `reason`.
    pub fn to_purge(&self, reason: &str) -> Purge {
        let (kind, site_id, offer_id, subject) = match self {
            Self::Portal(site_id) => {
                let site = site_id.clone();
                (PurgeKind::Portal, Some(site.clone()), None, site)
            }
            Self::Listing(key) => {
                let ListingKey { site_id, offer_id } = key.clone();
                (
                    PurgeKind::Listing,
                    Some(site_id),
                    Some(offer_id),
                    key.to_string(),
                )
            }
            Self::Dump(path) => (PurgeKind::Dump, None, None, path.display().to_string()),
            Self::Crawl {
                site_id,
                started_at,
                ..
            } => {
                let subject = format!("{site_id} {started_at}");
                (PurgeKind::Crawl, Some(site_id.clone()), None, subject)
            }
        };
        Purge {
            kind,
            site_id,
            offer_id,
            subject,
            reason: reason.to_owned(),
        }
    }
}

/// Deletes the target in the caller's transaction and stores a note with the reason. The next deduplication merges the
/// affected records again.
///
/// # Errors
/// [`PurgeError`]. The transaction must then be rolled back.
pub async fn purge(
    tx: &mut Tx,
    target: &PurgeTarget,
    reason: &str,
    now: Timestamp,
) -> Result<Purged, PurgeError> {
    lock::listings(tx).await?;
    purges::note(tx, &target.to_purge(reason), now).await?;
    match target {
        PurgeTarget::Portal(site_id) => {
            let ids = purges::listings_of_site(tx, site_id).await?;
            let deleted = purges::delete_listings(tx, &ids).await?;
            purges::delete_site(tx, site_id).await?;
            with_rejects(tx, deleted).await
        }
        PurgeTarget::Listing(key) => {
            let stored = listings::load(tx, std::slice::from_ref(key)).await?;
            let ids: Vec<ListingId> = stored.values().map(|stored| stored.id).collect();
            let deleted = purges::delete_listings(tx, &ids).await?;
            purges::delete_unstored(tx, key).await?;
            with_rejects(tx, deleted).await
        }
        PurgeTarget::Dump(path) => purge_dump(tx, path.clone()).await,
        PurgeTarget::Crawl {
            site_id,
            started_at,
            ended_at,
        } => purge_crawl(tx, site_id, (*started_at, *ended_at)).await,
    }
}

/// Also deletes the rejects about what may not come back.
async fn with_rejects(tx: &mut Tx, deleted: Deleted) -> Result<Purged, PurgeError> {
    let blocked = purges::blocked(tx).await?;
    Ok(Purged {
        listings: deleted.listings,
        offers: deleted.offers,
        recomputed: 0,
        rejects: purges::delete_rejects_of(tx, &blocked).await?,
    })
}

async fn purge_crawl(
    tx: &mut Tx,
    site_id: &str,
    (from, to): (Timestamp, Timestamp),
) -> Result<Purged, PurgeError> {
    let mut affected = BTreeSet::new();
    for crawl in crawls::of_site(tx, site_id, from).await? {
        if (from..=to).contains(&crawl.started_at) {
            delete_complete_crawl(tx, &crawl, &mut affected).await?;
        }
    }
    affected.extend(purges::delete_between(tx, site_id, (from, to)).await?);
    recompute(tx, affected).await
}

async fn purge_dump(tx: &mut Tx, path: PathBuf) -> Result<Purged, PurgeError> {
    let mut affected = BTreeSet::new();
    let sources = dumps::find_sources(&[path])?;
    let names: Vec<String> = sources
        .iter()
        .map(|source| source.name().to_string())
        .collect();
    let mut observed = Vec::new();
    for item in dumps::read_lines(sources) {
        let line = match item {
            DumpItem::Line(line) => line,
            DumpItem::Truncated(truncation) => {
                return Err(PurgeError::Truncated {
                    source_name: truncation.source.to_string(),
                    reason: truncation.reason,
                });
            }
        };
        // A line that cannot be read brought nothing but its reject.
        match read_line(&line.content, Timestamp(i64::MAX)) {
            Ok(Entry::Listing(listing)) => observed.push(*listing),
            Ok(Entry::Crawl(crawl)) => {
                delete_complete_crawl(tx, &crawl, &mut affected).await?;
            }
            Ok(Entry::Nothing) | Err(_) => {}
        }
        if observed.len() == CHUNK {
            delete_observed(tx, std::mem::take(&mut observed), &mut affected).await?;
        }
    }
    delete_observed(tx, observed, &mut affected).await?;
    for name in names {
        rejects::clear_mended(tx, &name, 0..=i64::MAX.unsigned_abs(), &[]).await?;
    }
    recompute(tx, affected).await
}

/// Deletes a complete crawl, and adds the listings that it may have ended.
async fn delete_complete_crawl(
    tx: &mut Tx,
    crawl: &Crawl,
    affected: &mut BTreeSet<ListingId>,
) -> Result<(), StoreError> {
    affected.extend(listings::not_seen_in(tx, crawl).await?);
    affected.extend(purges::ended_at(tx, &crawl.site_id, crawl.observed_at).await?);
    purges::delete_crawl(tx, crawl).await?;
    Ok(())
}

/// Deletes observations of listings, and adds the listings.
async fn delete_observed(
    tx: &mut Tx,
    observed: Vec<ObservedListing>,
    affected: &mut BTreeSet<ListingId>,
) -> Result<(), StoreError> {
    let keys: Vec<ListingKey> = observed.iter().map(|one| one.key.clone()).collect();
    let stored = listings::load(tx, &keys).await?;
    for one in observed {
        let at = one.event.at();
        if one.raw.is_none() {
            purges::delete_early_disappearance(tx, &one.key, at).await?;
        }
        let Some(stored) = stored.get(&one.key) else {
            continue;
        };
        let withdrawn = Withdrawn {
            listing: stored.id,
            at,
            content: one.event.content().map(ContentHash::bytes),
        };
        if purges::delete_observation(tx, withdrawn).await? {
            affected.insert(stored.id);
        }
    }
    Ok(())
}

/// Computes the states of listings again of which observations were deleted. A listing that was never seen any more is
/// deleted.
async fn recompute(tx: &mut Tx, affected: BTreeSet<ListingId>) -> Result<Purged, PurgeError> {
    let ids: Vec<ListingId> = affected.into_iter().collect();
    purges::delete_unseen_contents(tx, &ids).await?;
    let (mut unseen, mut ends, mut recomputed) = (Vec::new(), Vec::new(), 0);
    for part in ids.chunks(CHUNK) {
        let mut updated = Vec::new();
        for stored in listings::get(tx, part).await? {
            let history = History::load(tx, stored.id, &stored.key).await?;
            if history.contents.is_empty() {
                for end in observations::of_listing(tx, stored.id).await? {
                    ends.push((stored.key.clone(), end.at));
                }
                unseen.push(stored.id);
            } else if let Some(state) = history.fold() {
                recomputed += 1;
                updated.push((stored, state));
            }
        }
        save(tx, &updated, &[]).await?;
    }
    let deleted = purges::delete_listings(tx, &unseen).await?;
    for (key, at) in ends {
        observations::record_early_disappearance(tx, &key, at).await?;
    }
    Ok(Purged {
        listings: deleted.listings,
        offers: deleted.offers,
        recomputed,
        rejects: 0,
    })
}
