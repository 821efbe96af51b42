//! What a save does to records: their stored JSON compared with the new one.

use std::collections::HashMap;

use super::bases::{PackedText, WITH_BASES};
use super::save::OfferRow;
use super::text::OfferText;
use crate::offer::PortalLink;
use crate::offer_id::OfferId;
use crate::record_event::{RecordEvent, events_between, splits_between};
use crate::store::compression::documents::Text;
use crate::store::error::Result;
use crate::store::lists;
use crate::store::record_events::LoggedEvents;
use crate::store::transaction::Tx;

/// The stored texts of those of the records that exist, by id.
pub(super) async fn stored_texts(
    tx: &mut Tx,
    part: &[(&OfferRow, i64)],
) -> Result<HashMap<String, Vec<u8>>> {
    type Row = (String, i64, Vec<u8>, Option<Vec<u8>>);
    let ids: Vec<&str> = part.iter().map(|(row, _)| row.offer.id.as_str()).collect();
    let text = format!(
        "SELECT id, offers.row, offer_documents.document, listing_bodies.document FROM offers \
         {WITH_BASES} WHERE id IN ({})",
        lists::texts(tx.backend())
    );
    let stored: Vec<Row> = lists::fetch(tx, &text, &ids).await?;
    let packed = |(id, row, document, base): Row| {
        let text = PackedText {
            row,
            document,
            base,
        };
        (id, text)
    };
    let stored: Vec<(String, PackedText)> = stored.into_iter().map(packed).collect();
    let packed: Vec<&PackedText> = stored.iter().map(|(_, text)| text).collect();
    let unpacker = PackedText::unpacker(tx, &packed).await?;
    let texts = stored
        .into_iter()
        .map(|(id, text)| Ok((id, text.unpack(&unpacker)?.into_text())));
    texts.collect()
}

/// The changes that saving some records makes.
#[derive(Default)]
pub(super) struct FoundChanges<'a> {
    events: Vec<LoggedEvents>,
    /// The former links of the changed records that existed.
    before: Vec<(OfferId, Vec<PortalLink>)>,
    /// The links of the changed records.
    after: Vec<(&'a OfferId, &'a [PortalLink])>,
}

impl<'a> FoundChanges<'a> {
    /// Compares the stored text of a record with the one that the change stores.
    pub(super) fn compare(
        &mut self,
        (saved, change): (&'a OfferRow, i64),
        before: Option<&Vec<u8>>,
        after: &Text<'_>,
    ) -> Result<()> {
        if before.is_some_and(|before| *before == after.bytes) {
            return Ok(());
        }
        let id = &saved.offer.id;
        let events = match before {
            None => vec![RecordEvent::Appeared],
            Some(text) => {
                let before = OfferText::record(text, after.row)?;
                // Read back, so that both sides were written as JSON once.
                let after = OfferText::record(&after.bytes, after.row)?;
                let events = events_between(Some(&before), &after);
                self.before.push((id.clone(), before.portal_links));
                events
            }
        };
        self.after.push((id, &saved.portal_links));
        if !events.is_empty() {
            let id = id.clone();
            self.events.push(LoggedEvents { change, id, events });
        }
        Ok(())
    }

    /// What happened to the records.
    pub(super) fn into_events(mut self) -> Vec<LoggedEvents> {
        let before = self.before.iter().map(|(id, links)| (id, links.as_slice()));
        for (from, into) in splits_between(before, self.after) {
            if let Some(one) = self.events.iter_mut().find(|one| one.id == from) {
                one.events.push(RecordEvent::Split(into));
            }
        }
        self.events
    }
}
