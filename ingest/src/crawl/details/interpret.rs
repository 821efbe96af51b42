//! What the portal's answer about an advert means, given what is stored.

use schema::store::index_entries::ReadDetail;
use schema::{ListingKey, RawForm, RawListing, StoredListing};
use serde_json::Value;

use super::{DetailAnswer, FetchedDetail};
use crate::crawl::plausibility::CheckedDetail;
use crate::crawl::portal_client::HttpValidators;
use crate::crawl::stable_hash::stable_hash;
use crate::crawl_definition::Volatile;
use crate::intake::{self, ReadError};
use crate::reading::{PayloadError, Reading};

/// What the portal's answer about an advert means.
pub(super) enum Interpretation {
    /// The advert has this content, which was read unless it is stored already.
    Content {
        raw: RawListing,
        detail: ReadDetail,
        reading: Option<Box<Reading>>,
    },
    /// The adapter cannot read the content.
    Unreadable { raw: RawListing, why: String },
    /// The advert is gone; how the portal said so.
    Gone(String),
    /// The advert has not changed, but its content is not stored.
    ContentMissing,
    /// The answer is not a detail.
    Unexpected(String),
    /// The portal failed to answer; how.
    Unanswered(String),
}

impl Interpretation {
    /// What the plausibility checks look at. `before` is the stored listing.
    pub(super) fn to_check<'a>(&'a self, before: Option<&'a StoredListing>) -> CheckedDetail<'a> {
        match self {
            Self::Content {
                reading: Some(reading),
                ..
            } => CheckedDetail::Read {
                listing: &reading.listing,
                before: before.map(|before| &before.state.listing),
            },
            Self::Unreadable { why, .. } => CheckedDetail::Unreadable(why),
            Self::Unexpected(why) => CheckedDetail::Unexpected(why),
            Self::Content { reading: None, .. }
            | Self::Gone(_)
            | Self::ContentMissing
            | Self::Unanswered(_) => CheckedDetail::NothingToCheck,
        }
    }

    /// Whether the portal says that the advert is gone.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self, Self::Gone(_))
    }

    /// Whether the adapter read a payload.
    pub(super) fn was_read(&self) -> bool {
        matches!(
            self,
            Self::Content {
                reading: Some(_),
                ..
            }
        )
    }
}

/// Interprets an answer. `stored` is the content that was stored when the detail was last read.
pub(super) fn interpret(
    fetched: &FetchedDetail,
    volatile: Volatile,
    key: &ListingKey,
    stored: Option<&RawListing>,
) -> Interpretation {
    let last = fetched.requested.entry.read.as_ref();
    match &fetched.answer {
        DetailAnswer::Gone(reason) => Interpretation::Gone(reason.clone()),
        DetailAnswer::Unexpected(why) => Interpretation::Unexpected(why.clone()),
        DetailAnswer::Unanswered(unanswered) => Interpretation::Unanswered(unanswered.0.clone()),
        DetailAnswer::NotModified => match (stored, last) {
            (Some(raw), Some(last)) => unchanged(raw, last.clone()),
            _ => Interpretation::ContentMissing,
        },
        DetailAnswer::Payload {
            payload,
            validators,
        } => {
            let stable = stable_hash(volatile, payload);
            let HttpValidators {
                etag,
                last_modified,
            } = validators.clone();
            match (stored, last) {
                (Some(raw), Some(last)) if last.stable == stable => {
                    let detail = ReadDetail {
                        etag,
                        last_modified,
                        ..last.clone()
                    };
                    unchanged(raw, detail)
                }
                _ => {
                    let detail = |content| ReadDetail {
                        at: fetched.at,
                        content,
                        stable,
                        etag,
                        last_modified,
                    };
                    read_payload(key, &fetched.requested.entry.url, payload, detail)
                }
            }
        }
    }
}

fn unchanged(raw: &RawListing, detail: ReadDetail) -> Interpretation {
    Interpretation::Content {
        raw: raw.clone(),
        detail,
        reading: None,
    }
}

/// Reads a payload that differs from the stored one. `detail` takes the content's hash.
fn read_payload(
    key: &ListingKey,
    url: &str,
    payload: &Value,
    detail: impl FnOnce([u8; 32]) -> ReadDetail,
) -> Interpretation {
    let raw = RawListing {
        form: RawForm::Payload,
        url: (!url.is_empty()).then(|| url.to_owned()),
        body: payload.to_string(),
    };
    match intake::read_raw_listing(&key.site_id, &raw) {
        Ok(reading) => Interpretation::Content {
            detail: detail(raw.content_hash()),
            raw,
            reading: Some(Box::new(reading)),
        },
        Err(ReadError::Payload {
            error: PayloadError::Gone { said },
            ..
        }) => Interpretation::Gone(said.to_owned()),
        Err(error) => Interpretation::Unreadable {
            raw,
            why: error.to_string(),
        },
    }
}
