//! The questions to ask a person.

use std::collections::BTreeSet;

use futures::future::BoxFuture;
use schema::store::StoreError;
use schema::{ListingId, ListingKey};

use super::certainty::certainty_around;
use super::stored_components::StoredComponents;
use super::{CertainListings, Listings};
use crate::blocking::Member;
use crate::engine::Certainty;
use crate::profile::Profile;
use crate::questions::{self, Question};

/// About how many listings at most the questions are that are answered from what is stored.
const MOST_AROUND: usize = 200;

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
/// moment where the whole queue takes minutes. Listings about which very many others decide are left out.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn questions_about<'a>(
    Listings { db, addresses }: Listings<'a>,
    listings: &'a [ListingId],
) -> BoxFuture<'a, Result<ReviewQueue, StoreError>> {
    Box::pin(async move {
        let mut queue = ReviewQueue::default();
        let mut seen: BTreeSet<ListingId> = BTreeSet::new();
        let mut tx = db.begin_read().await?;
        for listing in listings {
            if seen.contains(listing) {
                continue;
            }
            // A question about two records takes all pairs between them, and so all listings of one of them.
            let whole = BTreeSet::from([*listing]);
            let whole = StoredComponents::load_up_to(&mut tx, whole, MOST_AROUND).await?;
            let Some(StoredComponents { members, .. }) = whole else {
                continue;
            };
            seen.extend(members.iter().copied());
            let around = certainty_around(&mut tx, addresses, (&members, MOST_AROUND)).await?;
            if let Some(around) = around {
                queue.add(
                    ReviewQueue::new(around.profiles, &around.certainty),
                    &members,
                );
            }
        }
        tx.rollback().await?;
        questions::sort(&mut queue.questions);
        Ok(queue)
    })
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

    /// Adds the questions of another queue that concern these listings and are not in this one.
    fn add(&mut self, other: Self, members: &[ListingId]) {
        let pair = |queue: &Self, question: &Question| {
            let [one, other] =
                [question.left, question.right].map(|one| queue.adverts[one as usize].id);
            (one.min(other), one.max(other))
        };
        let known: BTreeSet<_> = self.questions.iter().map(|one| pair(self, one)).collect();
        let is_member = |one: &Member| {
            members
                .binary_search(&other.adverts[*one as usize].id)
                .is_ok()
        };
        let new = other.questions.iter().filter(|question| {
            question.sides.iter().flatten().any(is_member)
                && !known.contains(&pair(&other, question))
        });
        let first = self.adverts.len() as Member;
        let moved = new.map(|question| Question {
            left: question.left + first,
            right: question.right + first,
            sides: question
                .sides
                .clone()
                .map(|side| side.into_iter().map(|one| one + first).collect()),
            ..question.clone()
        });
        self.questions.extend(moved);
        self.adverts.extend(other.adverts);
    }
}
