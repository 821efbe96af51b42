//! A complete crawl: what it should have shown and did not is gone.

use schema::Crawl;
use schema::store::{Result, Tx, crawls, listings};

use super::follow::save;
use super::history::History;
use super::report::Counts;
use crate::timeline::{self, Effect, Event, Known};

/// Records a complete crawl and ends the listings it missed. One that is known already has had its effects.
pub(super) async fn apply(tx: &mut Tx, crawl: &Crawl, counts: &mut Counts) -> Result<()> {
    if !crawls::record(tx, crawl).await? {
        return Ok(());
    }
    counts.crawls += 1;
    let mut moved = Vec::new();
    for stored in listings::not_seen_in(tx, crawl).await? {
        let mut state = stored.state.clone();
        let effect = timeline::step(&mut state, Event::from(crawl), Known::default());
        if effect.is_none()
            && let Some(folded) = History::load(tx, stored.id, &stored.key).await?.fold()
        {
            state = folded;
        }
        if effect == Some(Effect::Ended) || stored.state.is_live() && !state.is_live() {
            counts.gone += 1;
        }
        moved.push((stored, state));
    }
    save(tx, &moved).await
}
