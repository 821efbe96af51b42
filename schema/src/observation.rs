//! What a portal published at one moment.

use serde::{Deserialize, Serialize};

use crate::enumerations::{OfferType, PropertyType};
use crate::listing::ListingKey;
use crate::timestamp::Timestamp;

/// The form of a raw listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RawForm {
    /// The portal's own answer, which the portal's adapter reads.
    Payload,
    /// A listing already in the spec's vocabulary.
    Listing,
}

impl RawForm {
    /// The code of the form in columns and hashes.
    pub(crate) fn code(self) -> i16 {
        match self {
            Self::Payload => 0,
            Self::Listing => 1,
        }
    }

    /// The form with this code.
    pub(crate) fn from_code(code: i16) -> Option<Self> {
        [Self::Payload, Self::Listing]
            .into_iter()
            .find(|form| form.code() == code)
    }
}

/// One distinct content of a portal listing, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawListing {
    /// Its form.
    pub form: RawForm,
    /// The listing's page on the portal.
    pub url: Option<String>,
    /// The JSON text of the payload or listing.
    pub body: String,
}

impl RawListing {
    /// The hash of form, page and body. Contents with different hashes are different contents.
    ///
    /// The page is part of the hash. Otherwise the page that is stored would depend on the order of a replay.
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

/// The kinds of listings that a crawl covers; `None` means all.
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
    /// Whether a listing of these kinds is in the scope. A listing of unknown kind is in the unlimited scope only,
    /// because a limited crawl need not have shown it.
    pub fn covers(
        self,
        offer_type: Option<OfferType>,
        property_type: Option<PropertyType>,
    ) -> bool {
        (self.offer_type.is_none() || self.offer_type == offer_type)
            && (self.property_type.is_none() || self.property_type == property_type)
    }
}

/// A complete crawl of a scope of a portal. Listings in the scope that it did not show are gone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Crawl {
    /// The portal.
    pub site_id: String,
    /// When the crawl began. Listings seen since then are still there.
    pub started_at: Timestamp,
    /// When the crawl was complete. Listings that it missed are gone as of then.
    pub observed_at: Timestamp,
    /// The scope.
    pub scope: CrawlScope,
}

/// One fact about a portal at one time: a line of a dump, or a step of a crawl.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observation {
    /// A listing was live, with this content.
    Seen {
        /// The listing.
        key: ListingKey,
        /// When.
        at: Timestamp,
        /// Its content.
        raw: RawListing,
    },
    /// A listing was gone.
    Gone {
        /// Which listing.
        key: ListingKey,
        /// When.
        at: Timestamp,
    },
    /// A complete crawl ended.
    Crawled(Crawl),
}

impl Observation {
    /// When it was made.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Seen { at, .. } | Self::Gone { at, .. } => *at,
            Self::Crawled(crawl) => crawl.observed_at,
        }
    }
}
