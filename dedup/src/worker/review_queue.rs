//! The questions to ask a person.

use futures::future::BoxFuture;
use schema::store::StoreError;
use schema::{ListingId, ListingKey};

use super::{CertainListings, Listings};
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
        let is_live = |member: u32| profiles[member as usize].lifetime.gone_at.is_none();
        let questions = questions::open_questions(&certainty, is_live);
        let advert = |profile: Profile| Advert {
            is_live: profile.lifetime.gone_at.is_none(),
            id: profile.id,
            key: profile.key,
        };
        Ok(ReviewQueue {
            questions,
            adverts: profiles.into_iter().map(advert).collect(),
        })
    })
}
