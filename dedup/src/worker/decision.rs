//! Records a person's decision and queues the listings that it is about.

use futures::future::BoxFuture;
use schema::store::{Db, StoreError, Tx, listings, lock, reviews};
use schema::{ListingKey, Review, SpecEnum, StoredListing, Verdict};

use crate::clustering::contradiction;

/// What to do with a decision about a listing that is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnseenListing {
    /// Refuse the decision: the name is probably mistyped.
    Refused,
    /// Accept the decision: it takes effect when the listing appears.
    Accepted,
}

/// Why a decision was refused.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A listing is not stored.
    #[error(
        "there is no listing {listing}; to decide about a listing that will appear later, add --not-yet-seen"
    )]
    Unknown {
        /// Its name.
        listing: ListingKey,
    },
    /// The listings have different kinds of offer, which are always two records (contract, part 4).
    #[error(
        "{left} is {left_offer} and {right} is {right_offer}; different kinds of offer are never one record"
    )]
    DifferentOfferTypes {
        /// One listing.
        left: ListingKey,
        /// Its kind of offer.
        left_offer: &'static str,
        /// The other listing.
        right: ListingKey,
        /// Its kind of offer.
        right_offer: &'static str,
    },
    /// Decisions in force imply the opposite.
    #[error("earlier decisions imply the opposite: {}; change or forget one of them first", in_words(.chain))]
    Contradicts {
        /// The decisions, in the order of the chain between the two listings.
        chain: Vec<Review>,
    },
    /// There is no decision to forget.
    #[error(
        "there is no decision about {left} and {right}; `jeden review log` lists all decisions"
    )]
    NothingToForget {
        /// One listing.
        left: ListingKey,
        /// The other.
        right: ListingKey,
    },
}

fn in_words(chain: &[Review]) -> String {
    let one = |review: &Review| {
        let reason = review
            .reason
            .as_deref()
            .map(|reason| format!(", {reason:?}"))
            .unwrap_or_default();
        format!(
            "{} are {} ({}{reason})",
            review.pair, review.verdict, review.decided_at
        )
    };
    chain.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Stores a decision and queues its listings in one transaction. The next [`run`](super::run) applies
/// it.
///
/// # Errors
/// [`DecisionError`]; then nothing was written.
pub fn record_decision<'a>(
    db: &'a Db,
    review: &'a Review,
    unseen: UnseenListing,
) -> BoxFuture<'a, Result<(), DecisionError>> {
    Box::pin(async move {
        let mut tx = db.begin().await?;
        decide(&mut tx, review, None, unseen).await?;
        Ok(tx.commit().await?)
    })
}

/// As [`record_decision`], in a transaction of the caller, and with the person who decided, if known.
///
/// # Errors
/// [`DecisionError`]; then the caller must not commit.
pub fn decide<'a>(
    tx: &'a mut Tx,
    review: &'a Review,
    person: Option<&'a str>,
    unseen: UnseenListing,
) -> BoxFuture<'a, Result<(), DecisionError>> {
    Box::pin(async move {
        // The lock prevents that two contradicting decisions are checked at the same time.
        lock::listings(tx).await?;
        let found = stored_listings(tx, review, unseen).await?;
        let in_force = reviews::in_force(tx).await?;
        if let Some(chain) = contradiction(&in_force, &review.pair, review.verdict) {
            return Err(DecisionError::Contradicts { chain });
        }
        if review.verdict == Verdict::Forgotten
            && !in_force.iter().any(|known| known.pair == review.pair)
        {
            let (left, right) = (review.pair.left.clone(), review.pair.right.clone());
            return Err(DecisionError::NothingToForget { left, right });
        }
        reviews::add_by(tx, review, person).await?;
        let ids: Vec<_> = found.iter().map(|listing| listing.id).collect();
        listings::requeue(tx, &ids).await?;
        Ok(())
    })
}

/// The listings of the pair that are stored, if the decision is allowed for them.
async fn stored_listings(
    tx: &mut Tx,
    review: &Review,
    unseen: UnseenListing,
) -> Result<Vec<StoredListing>, DecisionError> {
    let keys = [review.pair.left.clone(), review.pair.right.clone()];
    let mut stored = listings::load(tx, &keys).await?;
    let mut found = Vec::new();
    for listing in keys {
        match stored.remove(&listing) {
            Some(listing) => found.push(listing),
            // A decision can be withdrawn even if the listing never appeared.
            None if unseen == UnseenListing::Refused && review.verdict != Verdict::Forgotten => {
                return Err(DecisionError::Unknown { listing });
            }
            None => {}
        }
    }
    if let ([left, right], Verdict::Same) = (&*found, review.verdict) {
        let offer = |listing: &StoredListing| listing.state.listing.attributes.offer_type;
        if offer(left) != offer(right) {
            let named =
                |listing| offer(listing).map_or("an unknown kind of offer", SpecEnum::as_str);
            return Err(DecisionError::DifferentOfferTypes {
                left: left.key.clone(),
                left_offer: named(left),
                right: right.key.clone(),
                right_offer: named(right),
            });
        }
    }
    Ok(found)
}
