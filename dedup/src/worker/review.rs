//! A person's decision is written down, and the listings that it is about are queued.

use schema::store::{Db, StoreError, Tx, listings, lock, reviews};
use schema::{ListingKey, Review, SpecEnum, StoredListing, Verdict};

use crate::clustering::contradiction;

/// What to do with a decision about a listing that is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// Refuse it: most likely the name is mistyped.
    Refused,
    /// Keep it: it takes effect when the listing comes.
    Accepted,
}

/// Why a decision is not taken down.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A listing is not stored.
    #[error("there is no listing {listing}; if it is still to come, say --not-yet-seen")]
    Unknown {
        /// Its name.
        listing: ListingKey,
    },
    /// Sale and rent of one flat are two records, whoever says otherwise (contract, 4).
    #[error(
        "{left} is {left_offer}, {right} is {right_offer}: kinds of offer never share a record"
    )]
    OtherOffer {
        /// One listing.
        left: ListingKey,
        /// Its kind of offer.
        left_offer: &'static str,
        /// The other listing.
        right: ListingKey,
        /// Its kind of offer.
        right_offer: &'static str,
    },
    /// The opposite follows from decisions in force.
    #[error("the opposite follows from what was decided before: {}. Change or forget one of these first", in_words(.chain))]
    Contradicts {
        /// Those decisions, as they lead from one listing to the other.
        chain: Vec<Review>,
    },
    /// There is no decision to forget.
    #[error("nothing is decided about {left} and {right}; `jeden review log` lists what is")]
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

/// Writes a decision down and queues its listings, in one transaction; [`super::run`] then makes it so.
///
/// # Errors
/// [`ReviewError`], and nothing is written then.
pub async fn review(db: &Db, review: &Review, unseen: Unseen) -> Result<(), ReviewError> {
    let mut tx = db.begin().await?;
    // Two decisions that contradict each other must not pass each other.
    lock::listings(&mut tx).await?;
    let found = both(&mut tx, review, unseen).await?;
    let in_force = reviews::in_force(&mut tx).await?;
    if let Some(chain) = contradiction(&in_force, &review.pair, review.verdict) {
        return Err(ReviewError::Contradicts { chain });
    }
    if review.verdict == Verdict::Forgotten
        && !in_force.iter().any(|known| known.pair == review.pair)
    {
        let (left, right) = (review.pair.left.clone(), review.pair.right.clone());
        return Err(ReviewError::NothingToForget { left, right });
    }
    reviews::add(&mut tx, review).await?;
    let ids: Vec<_> = found.iter().map(|listing| listing.id).collect();
    listings::requeue(&mut tx, &ids).await?;
    Ok(tx.commit().await?)
}

/// The listings of the pair that are stored, if the decision may be taken about them.
async fn both(
    tx: &mut Tx,
    review: &Review,
    unseen: Unseen,
) -> Result<Vec<StoredListing>, ReviewError> {
    let keys = [review.pair.left.clone(), review.pair.right.clone()];
    let mut stored = listings::load(tx, &keys).await?;
    let mut found = Vec::new();
    for listing in keys {
        match stored.remove(&listing) {
            Some(listing) => found.push(listing),
            // What is decided can be forgotten whether or not the listing ever came.
            None if unseen == Unseen::Refused && review.verdict != Verdict::Forgotten => {
                return Err(ReviewError::Unknown { listing });
            }
            None => {}
        }
    }
    if let ([left, right], Verdict::Same) = (&*found, review.verdict) {
        let offer = |listing: &StoredListing| listing.state.listing.attributes.offer_type;
        if offer(left) != offer(right) {
            let named = |listing| offer(listing).map_or("of an unknown kind", SpecEnum::as_str);
            return Err(ReviewError::OtherOffer {
                left: left.key.clone(),
                left_offer: named(left),
                right: right.key.clone(),
                right_offer: named(right),
            });
        }
    }
    Ok(found)
}
