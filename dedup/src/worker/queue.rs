//! What to ask a person, from what the last run left.

use std::collections::HashMap;

use futures::TryStreamExt;
use schema::store::{Db, StoreError, listings, matches, reviews};
use schema::{ListingId, ListingKey, OfferId};

use crate::clustering::Decisions;
use crate::questions::{self, Advert, Compared, Question};

/// Questions, and the listings that they are about.
#[derive(Debug, Default)]
pub struct Queue {
    /// The listings: a place in a question is a place in this list.
    pub listings: Vec<(ListingId, ListingKey)>,
    /// The same, by record.
    pub adverts: Vec<Advert>,
    /// The questions, the most valuable first.
    pub questions: Vec<Question>,
}

/// Everything that nobody has decided yet, the most valuable first.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn queue(db: &Db) -> Result<Queue, StoreError> {
    let mut queue = Queue::default();
    let mut records: HashMap<OfferId, u32> = HashMap::new();
    let mut standings = listings::standings(db);
    while let Some(standing) = standings.try_next().await? {
        // What is not in a record yet is asked about when it is.
        let Some(offer) = standing.offer_id else {
            continue;
        };
        let next = records.len() as u32;
        let record = *records.entry(offer).or_insert(next);
        queue.adverts.push(Advert {
            record,
            is_live: standing.is_live,
        });
        queue.listings.push((standing.id, standing.key));
    }
    let place_of: HashMap<ListingId, u32> = (0..)
        .zip(&queue.listings)
        .map(|(place, (id, _))| (*id, place))
        .collect();
    let place = |id: ListingId| place_of.get(&id).copied();
    let mut tx = db.begin_read().await?;
    let stored = matches::all(&mut tx).await?;
    let in_force = reviews::in_force(&mut tx).await?;
    tx.rollback().await?;
    let compared: Vec<Compared> = stored
        .into_iter()
        .filter_map(|found| {
            let (left, right) = (place(found.left)?, place(found.right)?);
            Some(Compared {
                left,
                right,
                weight: found.weight as f32,
                vetoed: found.vetoed,
            })
        })
        .collect();
    let decisions = Decisions::among(&in_force, queue.listings.iter().map(|(_, key)| key));
    queue.questions = questions::questions(&queue.adverts, &compared, &decisions);
    Ok(queue)
}
