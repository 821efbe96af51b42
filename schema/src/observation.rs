//! What a portal was seen to say at one moment.

use serde::{Deserialize, Serialize};

use crate::enumerations::{OfferType, PropertyType};
use crate::listing::ListingKey;
use crate::timestamp::Timestamp;

/// In which form a raw listing came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RawForm {
    /// What the portal itself sent, read by that portal's adapter.
    Payload,
    /// A listing already in the spec's vocabulary.
    Listing,
}

impl RawForm {
    /// The form's number in columns and hashes.
    pub(crate) fn code(self) -> i16 {
        match self {
            Self::Payload => 0,
            Self::Listing => 1,
        }
    }

    /// The form behind a number.
    pub(crate) fn from_code(code: i16) -> Option<Self> {
        [Self::Payload, Self::Listing]
            .into_iter()
            .find(|form| form.code() == code)
    }
}

/// One distinct content of a portal listing, exactly as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawListing {
    /// In which form it came.
    pub form: RawForm,
    /// The listing's page on the portal.
    pub url: Option<String>,
    /// The JSON text of the payload or listing.
    pub body: String,
}

impl RawListing {
    /// The hash of all that makes it distinct: form, page and body.
    ///
    /// The page belongs to it: were it kept from whichever sighting came first, the order of a replay would show.
    pub fn content_hash(&self) -> [u8; 32] {
        let url = self.url.as_deref();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.form.code().to_le_bytes());
        hasher.update(&url.map_or(u64::MAX, |url| url.len() as u64).to_le_bytes());
        hasher.update(url.unwrap_or_default().as_bytes());
        hasher.update(self.body.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// Which of a portal's listings a crawl walked; `None` means all kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CrawlScope {
    /// Only this kind of offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer_type: Option<OfferType>,
    /// Only this property type.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub property_type: Option<PropertyType>,
}

impl CrawlScope {
    /// Whether a listing of these kinds lies in the scope. A listing that does not say its kind lies in none but the
    /// unlimited scope: what a crawl did not have to show is no evidence.
    pub fn covers(
        self,
        offer_type: Option<OfferType>,
        property_type: Option<PropertyType>,
    ) -> bool {
        (self.offer_type.is_none() || self.offer_type == offer_type)
            && (self.property_type.is_none() || self.property_type == property_type)
    }
}

/// A complete walk of a portal's scope: what it did not show is gone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Crawl {
    /// The portal.
    pub site_id: String,
    /// When the walk began: what was seen since then is still there.
    pub started_at: Timestamp,
    /// When the walk was complete: what it missed is gone as of then.
    pub observed_at: Timestamp,
    /// What it walked.
    pub scope: CrawlScope,
}

/// One thing that was learned about a portal at one time: a line of a dump, a step of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// A listing was there, with this content.
    Seen {
        /// Which listing.
        key: ListingKey,
        /// When.
        at: Timestamp,
        /// What it said.
        raw: RawListing,
    },
    /// A listing was no longer there.
    Gone {
        /// Which listing.
        key: ListingKey,
        /// When.
        at: Timestamp,
    },
    /// A complete walk ended.
    Crawled(Crawl),
}
