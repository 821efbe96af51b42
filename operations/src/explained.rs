//! The explanation of a record, and of two listings, gathered from the database.

use dedup::explanation::{self, ExplainedOffer, ExplainedPair, RecordConfidence, SeparationReason};
use dedup::merging::{self, Merged};
use dedup::worker::{self, Listings};
use futures::future::BoxFuture;
use schema::store::{StoreError, listings, reviews};
use schema::{OfferId, Review, StoredListing};
use serde::Serialize;

/// Two listings, and why they are in different records if they are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedListings {
    /// The comparison.
    #[serde(flatten)]
    pub pair: ExplainedPair,
    /// Whether the two are in one record.
    pub one_record: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub apart_because: Vec<SeparationReason>,
}

/// Compares two stored listings.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn compare<'a>(
    Listings { db, addresses }: Listings<'a>,
    one: &'a StoredListing,
    other: &'a StoredListing,
) -> BoxFuture<'a, Result<ComparedListings, StoreError>> {
    Box::pin(async move {
        let mut tx = db.begin_read().await?;
        let in_force = reviews::in_force(&mut tx).await?;
        let one_record = one.offer_id.is_some() && one.offer_id == other.offer_id;
        let apart_because = if one_record {
            Vec::new()
        } else {
            worker::reasons_apart(&mut tx, addresses, (one.id, other.id), &in_force).await?
        };
        let both = [one.clone(), other.clone()];
        let profiles = worker::load_profiles(&mut tx, addresses, &both).await?;
        let table = worker::weight_table(&mut tx).await?;
        tx.rollback().await?;
        let pair = explanation::explain_pair(&table, &profiles[0], &profiles[1], &in_force);
        Ok(ComparedListings {
            pair,
            one_record,
            apart_because,
        })
    })
}

/// A record: its listings, what was merged from them, and why they are one.
#[derive(Debug)]
pub struct ExplainedRecord {
    /// Its listings.
    pub members: Vec<StoredListing>,
    /// What was merged from them.
    pub merged: Merged,
    /// Why they are one, and the source of each merged value.
    pub explained: ExplainedOffer,
    /// How sure that is; `None` if it would not be the record of the same listings today.
    pub confidence: Option<RecordConfidence>,
    /// The decisions in force.
    pub in_force: Vec<Review>,
}

/// Explains a record. `id` is its current id.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn record<'a>(
    Listings { db, addresses }: Listings<'a>,
    id: &'a OfferId,
) -> BoxFuture<'a, Result<ExplainedRecord, StoreError>> {
    Box::pin(async move {
        let members = listings::of_offer(db, id).await?;
        let mut tx = db.begin_read().await?;
        let districts = worker::known_districts(&mut tx, &members).await?;
        let in_force = reviews::in_force(&mut tx).await?;
        let profiles = worker::load_profiles(&mut tx, addresses, &members).await?;
        let table = worker::weight_table(&mut tx).await?;
        let ids: Vec<_> = members.iter().map(|member| member.id).collect();
        let confidence = worker::record_certainty(&mut tx, addresses, &ids).await?;
        tx.rollback().await?;
        let merged = merging::merge(&members, addresses, |facts| {
            worker::area_of(facts, addresses, &districts)
        });
        let explained = explanation::explain_offer(&table, profiles, &merged, &in_force);
        Ok(ExplainedRecord {
            members,
            merged,
            explained,
            confidence,
            in_force,
        })
    })
}
