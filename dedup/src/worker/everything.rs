//! Everything that matching starts from, read without writing anything. Measuring uses it.

use futures::future::BoxFuture;
use rayon::prelude::*;
use schema::Review;
use schema::store::derivations::{self, Derivation};
use schema::store::{StoreError, listings, reviews};

use super::read_ahead::Pages;
use super::{Listings, MODEL, is_current_edition, is_current_table, weight_table};
use crate::profile::Profile;
use crate::weight_table::WeightTable;

/// The profiles of all listings, the decisions and the weights in force.
#[derive(Debug)]
pub struct Everything {
    /// The weights in force.
    pub table: WeightTable,
    /// The profiles.
    pub profiles: Vec<Profile>,
    /// The decisions in force.
    pub reviews: Vec<Review>,
}

/// Reads every listing, the decisions and the weights in force.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn load_everything(listings: Listings<'_>) -> BoxFuture<'_, Result<Everything, StoreError>> {
    Box::pin(async move {
        let profiles = read_profiles(listings).await?;
        let mut tx = listings.db.begin_read().await?;
        let reviews = reviews::in_force(&mut tx).await?;
        let table = weight_table(&mut tx).await?;
        tx.rollback().await?;
        Ok(Everything {
            table,
            profiles,
            reviews,
        })
    })
}

/// The profiles of all listings, in the order of their row numbers.
pub(super) async fn read_profiles(
    Listings { db, addresses }: Listings<'_>,
) -> Result<Vec<Profile>, StoreError> {
    let mut profiles: Vec<Profile> = Vec::new();
    let mut pages = Pages::begin(db);
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            break;
        }
        profiles.par_extend(
            page.par_iter()
                .map(|listing| Profile::from_listing(listing, addresses)),
        );
    }
    Ok(profiles)
}

/// Whether the records are current: nothing is pending, and they were made by this version of the
/// model with these weights and this edition of the address registry.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn is_current(
    Listings { db, addresses }: Listings<'_>,
) -> BoxFuture<'_, Result<bool, StoreError>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let version = derivations::version(&mut tx, Derivation::Matching).await?;
        let table = weight_table(&mut tx).await?;
        let same = is_current_edition(&mut tx, addresses).await?
            && is_current_table(&mut tx, &table).await?;
        tx.rollback().await?;
        Ok(version == Some(MODEL) && same && listings::pending_count(db).await? == 0)
    })
}
