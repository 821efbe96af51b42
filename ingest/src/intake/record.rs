//! Storing observations as they came: contents, sightings, ends, and the values that were left out.

use schema::ListingId;
use schema::store::observations::{self, Sighting};
use schema::store::raw_listings::NewContent;
use schema::store::value_rejects::{self, ValueReject};
use schema::store::{Result, Tx, raw_listings};

use super::read::ObservedListing;
use super::report::IntakeReport;
use crate::reading;

/// Stores what was observed of listings. Returns for each observation whether it is new.
pub(super) async fn record(
    tx: &mut Tx,
    observed: &[(ListingId, &ObservedListing)],
    report: &mut IntakeReport,
) -> Result<Vec<bool>> {
    let contents: Vec<_> = observed
        .iter()
        .filter_map(|(listing, observed)| {
            Some(NewContent {
                listing: *listing,
                site_id: observed.key.site_id.as_str(),
                raw: observed.raw.as_ref()?,
                hash: observed.event.content()?.bytes(),
                ahead: observed.content_ahead.as_ref(),
            })
        })
        .collect();
    let mut stored = raw_listings::insert_all(tx, &contents).await?.into_iter();
    let mut sightings = Vec::with_capacity(observed.len());
    for (listing, observed) in observed {
        let content = observed.raw.as_ref().and_then(|_| stored.next());
        let raw = content.map(|(raw, _)| raw);
        sightings.push((
            *listing,
            Sighting {
                at: observed.event.at(),
                raw,
            },
        ));
        if let Some((raw, true)) = content {
            report.site(&observed.key.site_id).values_left_out += observed.unread.len() as u64;
            for unread in &observed.unread {
                value_rejects::insert(tx, raw, &observed.key.site_id, &stored_form(unread)).await?;
            }
        }
    }
    observations::record_all(tx, &sightings).await
}

/// A value that was left out, as it is stored.
pub(super) fn stored_form(unread: &reading::ValueReject) -> ValueReject {
    let reading::ValueReject {
        field,
        value,
        reason,
    } = unread.clone();
    ValueReject {
        field,
        value,
        reason,
    }
}
