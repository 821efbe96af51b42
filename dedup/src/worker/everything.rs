//! Everything that matching starts from, read without writing anything. Measuring uses it.

use futures::future::BoxFuture;
use rayon::prelude::*;
use schema::Review;
use schema::store::derivations::{self, Derivation};
use schema::store::{StoreError, listings, reviews};

use super::{Listings, MODEL, is_current_edition};
use crate::profile::Profile;

/// How many listings are read at a time.
pub(super) const PAGE: u32 = 2_000;

/// The profiles of all listings, and the decisions in force.
#[derive(Debug)]
pub struct Everything {
    /// The profiles.
    pub profiles: Vec<Profile>,
    /// The decisions in force.
    pub reviews: Vec<Review>,
}

/// Reads every listing and the decisions in force.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn load_everything(
    Listings { db, addresses }: Listings<'_>,
) -> BoxFuture<'_, Result<Everything, StoreError>> {
    Box::pin(async move {
        let mut profiles: Vec<Profile> = Vec::new();
        let mut after = None;
        loop {
            let page = listings::page(db, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            profiles.par_extend(
                page.par_iter()
                    .map(|listing| Profile::from_listing(listing, addresses)),
            );
        }
        let mut tx = db.begin_read().await?;
        let reviews = reviews::in_force(&mut tx).await?;
        tx.rollback().await?;
        Ok(Everything { profiles, reviews })
    })
}

/// Whether the records are current: nothing is pending, and they were made by this version of the
/// model with this edition of the address registry.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn is_current(
    Listings { db, addresses }: Listings<'_>,
) -> BoxFuture<'_, Result<bool, StoreError>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let version = derivations::version(&mut tx, Derivation::Matching).await?;
        let same_edition = is_current_edition(&mut tx, addresses).await?;
        tx.rollback().await?;
        Ok(version == Some(MODEL) && same_edition && listings::pending_count(db).await? == 0)
    })
}
