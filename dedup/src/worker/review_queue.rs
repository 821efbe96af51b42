//! The questions to ask a person, from what the last run stored.

use std::collections::HashMap;

use futures::TryStreamExt;
use futures::future::BoxFuture;
use schema::store::{Db, StoreError, listings, matches, reviews};
use schema::{ListingId, ListingKey, OfferId};

use crate::clustering::Constraints;
use crate::engine::ScoredPair;
use crate::questions::{self, Advert, Question};

/// Open questions, and the listings that they are about.
#[derive(Debug, Default)]
pub struct ReviewQueue {
    /// The listings. Questions refer to indices into this list.
    pub listings: Vec<(ListingId, ListingKey)>,
    /// The same listings with their records.
    pub adverts: Vec<Advert>,
    /// The questions, the most valuable first.
    pub questions: Vec<Question>,
}

/// The open questions, the most valuable first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn review_queue(db: &Db) -> BoxFuture<'_, Result<ReviewQueue, StoreError>> {
    Box::pin(async move {
        let mut queue = ReviewQueue::default();
        let mut records: HashMap<OfferId, u32> = HashMap::new();
        let mut states = listings::member_states(db);
        while let Some(state) = states.try_next().await? {
            // A listing without a record is asked about when it has one.
            let Some(offer) = state.offer_id else {
                continue;
            };
            let next = records.len() as u32;
            let record = *records.entry(offer).or_insert(next);
            queue.adverts.push(Advert {
                record,
                is_live: state.is_live,
            });
            queue.listings.push((state.id, state.key));
        }
        let index_of: HashMap<ListingId, u32> = (0..)
            .zip(&queue.listings)
            .map(|(index, (id, _))| (*id, index))
            .collect();
        let index = |id: ListingId| index_of.get(&id).copied();
        let mut tx = db.begin_read().await?;
        let stored = matches::all(&mut tx).await?;
        let in_force = reviews::in_force(&mut tx).await?;
        tx.rollback().await?;
        let pairs: Vec<ScoredPair> = stored
            .into_iter()
            .filter_map(|found| {
                let (left, right) = (index(found.left)?, index(found.right)?);
                Some(ScoredPair {
                    left,
                    right,
                    weight: found.weight as f32,
                    vetoed: found.vetoed,
                })
            })
            .collect();
        let constraints =
            Constraints::from_reviews(&in_force, queue.listings.iter().map(|(_, key)| key));
        queue.questions = questions::open_questions(&queue.adverts, &pairs, &constraints);
        Ok(queue)
    })
}
