//! The nouns of the flow as types, and the store: all SQL, in one folder.
//!
//! # Layout
//!
//! In the order of the flow: what was seen ([`observation`]), a portal's advert ([`listing`]) with the fields of the
//! interface ([`attributes`]) and their enumerations ([`enumerations`]), why two adverts are one ([`match_evidence`])
//! and what a person says to that ([`review`]), the merged record ([`offer`]), who reads it ([`plan`], [`account`]), and
//! the database behind all of it ([`store`]).
//!
//! Instants are [`timestamp::Timestamp`]s. Nothing here reads a clock or draws random numbers: both come in as
//! parameters.

pub mod account;
pub mod attributes;
pub mod enumerations;
pub mod listing;
pub mod location;
pub mod match_evidence;
pub mod observation;
pub mod offer;
pub mod plan;
pub mod review;
pub mod store;
pub mod timestamp;

pub use account::{Account, AccountId, Month, TokenRecord};
pub use attributes::{Attributes, Location};
pub use enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype, UnknownValue,
};
pub use listing::{
    Evidence, Listing, ListingId, ListingKey, ListingState, PinPrecision, PricePoint,
    StoredListing, Taken,
};
pub use match_evidence::{Bar, MatchEvidence, StoredMatch};
pub use observation::{Crawl, CrawlScope, Observation, RawForm, RawListing};
pub use offer::{Offer, OfferDetail, OfferId, PortalLink, PriceSeries};
pub use plan::Plan;
pub use review::{ListingPair, Review, Verdict};
pub use timestamp::Timestamp;
