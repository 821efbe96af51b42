//! The life of a listing: when it appeared, ended and returned, and how we know.

use futures::future::BoxFuture;
use schema::store::{Db, Result, observations};
use schema::{StoredListing, Timestamp};
use serde::Serialize;

use super::history::History;
use crate::timeline::{self, Event};

/// A change in the life of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LifeEvent {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub change: LifeChange,
}

/// What happened to a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(
    tag = "turn",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum LifeChange {
    /// It was seen for the first time.
    Appeared,
    /// It was seen again after it had ended.
    Returned,
    /// The portal said that it was gone.
    Gone {
        /// How the portal said so, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A complete crawl of the portal did not show it.
    Missed {
        /// When the crawl started.
        crawl_started_at: Timestamp,
    },
}

/// The changes in the life of a listing, in order of time.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails.
pub fn life<'a>(db: &'a Db, listing: &'a StoredListing) -> BoxFuture<'a, Result<Vec<LifeEvent>>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let mut events = History::load(&mut tx, listing.id, &listing.key)
            .await?
            .into_events();
        let mut reasons = observations::reasons_of_disappearances(&mut tx, listing.id).await?;
        tx.rollback().await?;
        events.sort_by(Event::chronological);
        let (mut state, mut changes) = (None, Vec::new());
        for event in events {
            let at = event.at();
            let was_live = state.as_ref().map(schema::ListingState::is_live);
            let ended = match &event {
                Event::Crawled { started_at, .. } => LifeChange::Missed {
                    crawl_started_at: *started_at,
                },
                _ => LifeChange::Gone {
                    reason: reasons.remove(&at),
                },
            };
            timeline::apply(&mut state, event);
            let is_live = state.as_ref().map(schema::ListingState::is_live);
            let change = match (was_live, is_live) {
                (None, Some(_)) => LifeChange::Appeared,
                (Some(false), Some(true)) => LifeChange::Returned,
                (Some(true), Some(false)) => ended,
                _ => continue,
            };
            changes.push(LifeEvent { at, change });
        }
        Ok(changes)
    })
}
