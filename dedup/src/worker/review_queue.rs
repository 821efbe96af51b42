//! The questions to ask a person.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use schema::store::{StoreError, Tx, matches};
use schema::{ListingId, ListingKey};

use super::certainty::certainty_around;
use super::components_around::ComponentsAround;
use super::{CertainListings, Listings};
use crate::blocking::Member;
use crate::engine::Certainty;
use crate::profile::Profile;
use crate::questions::{self, Question};

/// Open questions, and the listings that they are about.
#[derive(Debug, Default)]
pub struct ReviewQueue {
    /// The listings. Questions refer to indices into this list.
    pub adverts: Vec<Advert>,
    /// The questions, the most valuable first.
    pub questions: Vec<Question>,
}

/// A listing that a question may be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advert {
    /// Its row in the store.
    pub id: ListingId,
    /// Its portal and number.
    pub key: ListingKey,
    /// Whether the portal still shows it.
    pub is_live: bool,
}

/// The open questions, the most valuable first. All listings are matched for this in memory, because
/// the weights of whole clusters are not stored.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn review_queue(listings: Listings<'_>) -> BoxFuture<'_, Result<ReviewQueue, StoreError>> {
    Box::pin(async move {
        let CertainListings {
            profiles,
            certainty,
        } = super::certainty_of_everything(listings).await?;
        Ok(ReviewQueue::new(profiles, &certainty))
    })
}

/// The open questions about these listings, the most valuable first, from the pairs that the last run stored. This takes a
/// moment where the whole queue takes minutes. To keep it so, only those of the listings are considered that fewest others
/// resemble, as many as have `most_pairs` kept pairs.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn questions_about<'a>(
    Listings { db, addresses }: Listings<'a>,
    listings: &'a [ListingId],
    most_pairs: usize,
) -> BoxFuture<'a, Result<ReviewQueue, StoreError>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let least_resembled = least_resembled(&mut tx, listings, most_pairs).await?;
        // A question about two records takes all pairs between them, and so all listings of one of them.
        let whole = ComponentsAround::load(&mut tx, addresses, &least_resembled).await?;
        let around = certainty_around(&mut tx, addresses, &whole.members).await?;
        tx.rollback().await?;
        let mut queue = ReviewQueue::new(around.profiles, &around.certainty);
        let adverts = &queue.adverts;
        let is_member = |one: &Member| {
            whole
                .members
                .binary_search(&adverts[*one as usize].id)
                .is_ok()
        };
        queue
            .questions
            .retain(|question| question.sides.iter().flatten().any(is_member));
        Ok(queue)
    })
}

/// Those of the listings that fewest others resemble, as many as have `most_pairs` kept pairs.
async fn least_resembled(
    tx: &mut Tx,
    listings: &[ListingId],
    most_pairs: usize,
) -> Result<BTreeSet<ListingId>, StoreError> {
    let mut pairs: BTreeMap<ListingId, usize> = listings.iter().map(|id| (*id, 0)).collect();
    for found in matches::around(tx, listings).await? {
        for id in [found.left, found.right] {
            if let Some(count) = pairs.get_mut(&id) {
                *count += 1;
            }
        }
    }
    let mut by_pairs: Vec<(usize, ListingId)> =
        pairs.into_iter().map(|(id, count)| (count, id)).collect();
    by_pairs.sort_unstable();
    let mut sum = 0;
    let few = by_pairs.into_iter().take_while(|(count, _)| {
        sum += count;
        sum <= most_pairs
    });
    Ok(few.map(|(_, id)| id).collect())
}

impl ReviewQueue {
    fn new(profiles: Vec<Profile>, certainty: &Certainty) -> Self {
        let is_live = |member: u32| profiles[member as usize].lifetime.gone_at.is_none();
        let questions = questions::open_questions(certainty, is_live);
        let advert = |profile: Profile| Advert {
            is_live: profile.lifetime.gone_at.is_none(),
            id: profile.id,
            key: profile.key,
        };
        Self {
            questions,
            adverts: profiles.into_iter().map(advert).collect(),
        }
    }
}
