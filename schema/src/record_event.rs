//! What happened to a merged record between two states of it.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::offer::{OfferDetail, PortalLink, PriceSeries};
use crate::offer_fields::{self, Attributes, FIELDS, FieldKind, OfferField};
use crate::offer_id::OfferId;
use crate::timestamp::Timestamp;

/// Something that happened to a record. serde writes the short form that the store keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RecordEvent {
    /// It is new.
    #[serde(rename = "a")]
    Appeared,
    /// These fields of its detail have other values. `isLive` is never among them, because [`RecordEvent::Gone`] and
    /// [`RecordEvent::Back`] say it; `lastChangedAt` is only if nothing else is.
    #[serde(rename = "c")]
    Changed(Vec<String>),
    /// One of its portal listings has another price.
    #[serde(rename = "p")]
    Price(PriceStep),
    /// No portal advertises it any more.
    #[serde(rename = "g")]
    Gone,
    /// A portal advertises it again.
    #[serde(rename = "b")]
    Back,
    /// It was merged into this record, to which its id leads from now on.
    #[serde(rename = "m")]
    Merged(OfferId),
    /// Some of its portal listings belong to this record from now on.
    #[serde(rename = "s")]
    Split(OfferId),
    /// The operator deleted it.
    #[serde(rename = "r")]
    Removed,
}

/// A change of the price of a portal listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PriceStep {
    /// The portal.
    #[serde(rename = "s")]
    pub site_id: String,
    /// The portal's number for the listing.
    #[serde(rename = "o")]
    pub offer_id: String,
    /// The price before, CZK; `None` if the listing had none.
    #[serde(rename = "f", default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The price from then on, CZK.
    #[serde(rename = "t", serialize_with = "offer_fields::number")]
    pub to: f64,
    /// When the new price was first seen.
    #[serde(rename = "a")]
    pub at: Timestamp,
}

/// What happened to a record between two states; `before` is `None` for a new record. Empty if the states are equal, and
/// only then.
pub fn events_between(before: Option<&OfferDetail>, after: &OfferDetail) -> Vec<RecordEvent> {
    let Some(before) = before else {
        return vec![RecordEvent::Appeared];
    };
    let mut events = Vec::new();
    match (before.offer.is_live, after.offer.is_live) {
        (true, false) => events.push(RecordEvent::Gone),
        (false, true) => events.push(RecordEvent::Back),
        _ => {}
    }
    events.extend(price_steps(before, after).map(RecordEvent::Price));
    let mut fields = changed_fields(before, after);
    if fields.is_empty() && events.is_empty() && before != after {
        fields.push("lastChangedAt".to_owned());
    }
    if !fields.is_empty() {
        events.push(RecordEvent::Changed(fields));
    }
    events
}

/// Which records lost portal listings to which others, for records that exist before and after, each given with its
/// links. Both sides must be complete: every record that a listing left or came to.
pub fn splits_between<'a>(
    before: impl IntoIterator<Item = (&'a OfferId, &'a [PortalLink])>,
    after: impl IntoIterator<Item = (&'a OfferId, &'a [PortalLink])>,
) -> BTreeSet<(OfferId, OfferId)> {
    let mut owners: HashMap<(&str, &str), &OfferId> = HashMap::new();
    let mut remaining: BTreeSet<&OfferId> = BTreeSet::new();
    for (id, links) in after {
        remaining.insert(id);
        owners.extend(links.iter().map(|link| (key(link), id)));
    }
    let mut splits = BTreeSet::new();
    for (id, links) in before {
        if !remaining.contains(id) {
            continue;
        }
        let owners = links.iter().filter_map(|link| owners.get(&key(link)));
        let others = owners.filter(|owner| **owner != id);
        splits.extend(others.map(|other| (id.clone(), (*other).clone())));
    }
    splits
}

fn key(link: &PortalLink) -> (&str, &str) {
    (&link.site_id, &link.offer_id)
}

/// The fields whose values differ, without `isLive` and `lastChangedAt`.
fn changed_fields(before: &OfferDetail, after: &OfferDetail) -> Vec<String> {
    let (old, new) = (&before.offer, &after.offer);
    let mut changed = Vec::new();
    if old.first_seen_at != new.first_seen_at {
        changed.push("firstSeenAt");
    }
    let differing = FIELDS
        .iter()
        .filter(|field| differs(field, &old.attributes, &new.attributes));
    changed.extend(differing.map(|field| field.name));
    if before.portal_links != after.portal_links {
        changed.push("portalLinks");
    }
    if before.price_history != after.price_history {
        changed.push("priceHistory");
    }
    changed.into_iter().map(str::to_owned).collect()
}

fn differs(field: &OfferField, old: &Attributes, new: &Attributes) -> bool {
    match &field.kind {
        FieldKind::Location(access) => (access.get)(old) != (access.get)(new),
        FieldKind::Text { access, .. } => (access.get)(old) != (access.get)(new),
        FieldKind::Number(access) => (access.get)(old) != (access.get)(new),
        FieldKind::WholeNumber(access) => (access.get)(old) != (access.get)(new),
        FieldKind::Flag(access) => (access.get)(old) != (access.get)(new),
        FieldKind::Enumerated { access, .. } => (access.code)(old) != (access.code)(new),
    }
}

/// The changes of price of the listings that both states have.
fn price_steps(before: &OfferDetail, after: &OfferDetail) -> impl Iterator<Item = PriceStep> {
    let known: HashMap<(&str, &str), &PriceSeries> = before
        .price_history
        .iter()
        .map(|series| ((series.site_id.as_str(), series.offer_id.as_str()), series))
        .collect();
    after.price_history.iter().flat_map(move |series| {
        let key = (series.site_id.as_str(), series.offer_id.as_str());
        known
            .get(&key)
            .map(|old| steps_of_series(old, series))
            .unwrap_or_default()
    })
}

/// The steps that were added to a series. If its past was rewritten, at most one step: from the old last price to the new.
fn steps_of_series(old: &PriceSeries, new: &PriceSeries) -> Vec<PriceStep> {
    let step = |from: Option<f64>, to: f64, at: Timestamp| PriceStep {
        site_id: new.site_id.clone(),
        offer_id: new.offer_id.clone(),
        from,
        to,
        at,
    };
    let mut last = old.points.last().map(|point| point.price_total);
    if let Some(added) = new.points.strip_prefix(old.points.as_slice()) {
        let steps = added.iter().map(|point| {
            let from = last.replace(point.price_total);
            step(from, point.price_total, point.at)
        });
        return steps.collect();
    }
    match new.points.last() {
        Some(point) if last != Some(point.price_total) => {
            vec![step(last, point.price_total, point.at)]
        }
        _ => Vec::new(),
    }
}
