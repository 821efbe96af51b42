//! The life of a listing: when it came, went and returned, and how that is known.

use schema::store::{Db, Result, observations};
use schema::{StoredListing, Timestamp};
use serde::Serialize;

use super::history::History;
use crate::timeline::{self, Event};

/// A turn in the life of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// When.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened to a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(
    tag = "turn",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum What {
    /// It was seen for the first time.
    Appeared,
    /// It was seen again after it had gone.
    Returned,
    /// The portal said that it was gone.
    Gone {
        /// In which words, where they are known.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A complete walk of the portal did not show it.
    Missed {
        /// When the walk began.
        crawl_started_at: Timestamp,
    },
}

/// The turns in the life of a listing, in the order of time.
///
/// # Errors
/// [`schema::store::StoreError`] when the database fails.
pub async fn life(db: &Db, listing: &StoredListing) -> Result<Vec<Turn>> {
    let mut tx = db.begin_read().await?;
    let mut events = History::load(&mut tx, listing.id, &listing.key)
        .await?
        .into_events();
    let mut reasons = observations::reasons_of_disappearances(&mut tx, listing.id).await?;
    tx.rollback().await?;
    events.sort_by(Event::chronological);
    let (mut state, mut turns) = (None, Vec::new());
    for event in events {
        let at = event.at();
        let was_live = state.as_ref().map(schema::ListingState::is_live);
        let ended = match &event {
            Event::Crawled { started_at, .. } => What::Missed {
                crawl_started_at: *started_at,
            },
            _ => What::Gone {
                reason: reasons.remove(&at),
            },
        };
        timeline::apply(&mut state, event);
        let is_live = state.as_ref().map(schema::ListingState::is_live);
        let what = match (was_live, is_live) {
            (None, Some(_)) => What::Appeared,
            (Some(false), Some(true)) => What::Returned,
            (Some(true), Some(false)) => ended,
            _ => continue,
        };
        turns.push(Turn { at, what });
    }
    Ok(turns)
}
