//! The JSON of a record, as it is stored.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::offer::{Offer, OfferDetail, PortalLink, PriceSeries};
use crate::store::columns::Cell;
use crate::store::compression::documents::{Base, Text};
use crate::store::error::{Result, StoreError};

/// What a detail adds to a summary, as JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetailOnly<'a> {
    pub(super) portal_links: Cow<'a, [PortalLink]>,
    pub(super) price_history: Cow<'a, [PriceSeries]>,
}

/// What `offer_documents` holds of a record: a line with the summary, and a line with what a detail adds to it.
pub(super) struct OfferText {
    text: Vec<u8>,
    summary_length: usize,
}

impl OfferText {
    /// The text to store. It is compressed with what the texts of the first link's portal have in common, and with the
    /// listing that it repeats most of.
    pub(super) fn to_store<'a>(
        (row, base): (i64, Option<Base>),
        offer: &Offer,
        (portal_links, price_history): (&'a [PortalLink], &[PriceSeries]),
    ) -> Result<Text<'a>> {
        let unstorable = |what: &'static str| {
            move |error: serde_json::Error| StoreError::Unstorable {
                what,
                reason: error.to_string(),
            }
        };
        let detail_only = DetailOnly {
            portal_links: Cow::Borrowed(portal_links),
            price_history: Cow::Borrowed(price_history),
        };
        let mut text = serde_json::to_vec(offer).map_err(unstorable("an offer"))?;
        text.push(b'\n');
        serde_json::to_writer(&mut text, &detail_only)
            .map_err(unstorable("the links and prices of an offer"))?;
        let first = portal_links.first();
        Ok(Text {
            site_id: first.map_or("", |link| link.site_id.as_str()),
            row,
            bytes: text,
            base,
            ahead: None,
        })
    }

    /// The text of a row.
    pub(super) fn from_text(text: Vec<u8>, row: i64) -> Result<Self> {
        let cell = cell(&row);
        let summary_length = text.iter().position(|byte| *byte == b'\n');
        let summary_length = summary_length.ok_or_else(|| cell.corrupt("it has only one line"))?;
        Ok(Self {
            text,
            summary_length,
        })
    }

    /// The record in a text that was made or read here; the row is where it is stored.
    pub(super) fn record(text: &[u8], row: i64) -> Result<OfferDetail> {
        let cell = cell(&row);
        let mut lines = text.splitn(2, |byte| *byte == b'\n');
        let (Some(summary), Some(detail_only)) = (lines.next(), lines.next()) else {
            return Err(cell.corrupt("it has only one line"));
        };
        let detail_only: DetailOnly<'static> = cell.json(detail_only)?;
        Ok(OfferDetail {
            offer: cell.json(summary)?,
            portal_links: detail_only.portal_links.into_owned(),
            price_history: detail_only.price_history.into_owned(),
        })
    }

    /// The whole text.
    pub(super) fn into_text(self) -> Vec<u8> {
        self.text
    }

    /// The summary and what a detail adds to it.
    pub(super) fn into_parts(mut self) -> (Vec<u8>, Vec<u8>) {
        let detail_only = self.text.split_off(self.summary_length + 1);
        self.text.truncate(self.summary_length);
        (self.text, detail_only)
    }
}

/// Where the text of a record is stored.
pub(super) fn cell(row: &i64) -> Cell<'_, i64> {
    Cell {
        table: "offer_documents",
        column: "document",
        id: row,
    }
}
