//! Everything in memory, for whoever measures matching rather than running it.

use rayon::prelude::*;
use schema::store::derivations::{self, Derivation};
use schema::store::{StoreError, listings, reviews};

use super::{Listings, MODEL, is_of_edition};
use crate::evaluation::Market;
use crate::profile::Profile;

/// Listings read at a time.
const PAGE: u32 = 2_000;

/// Reads every listing and derives everything that a run over everything would; writes nothing.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn market(Listings { db, addresses }: Listings<'_>) -> Result<Market, StoreError> {
    let mut profiles: Vec<Profile> = Vec::new();
    let mut after = None;
    loop {
        let page = listings::page(db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        profiles.par_extend(
            page.par_iter()
                .map(|listing| Profile::of(listing, addresses)),
        );
    }
    let mut tx = db.begin_read().await?;
    let in_force = reviews::in_force(&mut tx).await?;
    tx.rollback().await?;
    Ok(Market::of(profiles, in_force))
}

/// Whether the records are what this version of matching makes of the listings: nothing is pending, and no other
/// version made them, nor another edition of the address registry.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn is_current(Listings { db, addresses }: Listings<'_>) -> Result<bool, StoreError> {
    let mut tx = db.begin_read().await?;
    let version = derivations::version(&mut tx, Derivation::Matching).await?;
    let of_edition = is_of_edition(&mut tx, addresses).await?;
    tx.rollback().await?;
    Ok(version == Some(MODEL) && of_edition && listings::pending_count(db).await? == 0)
}
