//! Applying a complete crawl: the listings that it should have shown and did not are gone.

use schema::store::{Result, Tx, crawls, listings};
use schema::{Crawl, ListingState, StoredListing};

use super::history::History;
use super::known_listings::save;
use super::report::Counts;
use crate::timeline::{self, Effect, Event, Known};

/// How many listings are loaded together: a crawl may have missed most of a portal.
const CHUNK: usize = 1_000;

/// Records a complete crawl and ends the listings that it missed. A crawl that is already stored has no effect.
pub(super) async fn apply(tx: &mut Tx, crawl: &Crawl, counts: &mut Counts) -> Result<()> {
    if !crawls::record(tx, crawl).await? {
        return Ok(());
    }
    counts.crawls += 1;
    let missed = listings::not_seen_in(tx, crawl).await?;
    for ids in missed.chunks(CHUNK) {
        let mut updated = Vec::with_capacity(ids.len());
        for stored in listings::get(tx, ids).await? {
            let (state, ended) = state_after(tx, &stored, crawl).await?;
            counts.gone += u64::from(ended);
            updated.push((stored, state));
        }
        save(tx, &updated, &[]).await?;
    }
    Ok(())
}

/// The state of a listing after a crawl that missed it, and whether the crawl ended it.
async fn state_after(
    tx: &mut Tx,
    stored: &StoredListing,
    crawl: &Crawl,
) -> Result<(ListingState, bool)> {
    let mut state = stored.state.clone();
    let effect = timeline::step(&mut state, Event::from(crawl), Known::default());
    if effect.is_none()
        && let Some(folded) = History::load(tx, stored.id, &stored.key).await?.fold()
    {
        state = folded;
    }
    let ended = effect == Some(Effect::Ended) || stored.state.is_live() && !state.is_live();
    Ok((state, ended))
}
