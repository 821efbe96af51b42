//! The types that all crates share, and the store, which holds all SQL.
//!
//! # Layout
//!
//! In the order of the flow: what was seen ([`observation`]), a portal's advert ([`listing`]) with the fields of the
//! interface ([`offer_fields`]) and their enumerations ([`enumerations`]), why two adverts are one
//! ([`match_evidence`]) and what a person decided about them ([`review`]), the merged record ([`offer`],
//! [`offer_id`]) and what happens to it ([`record_event`]), who reads it ([`plan`], [`account`]), and the database behind all of it ([`store`]).
//!
//! Instants are [`timestamp::Timestamp`]s. Nothing here reads a clock or draws random numbers: both come in as
//! parameters.

pub mod account;
pub mod background;
pub mod enumerations;
pub mod listing;
pub mod location;
pub mod match_evidence;
pub mod observation;
pub mod offer;
pub mod offer_fields;
pub mod offer_id;
pub mod operator;
pub mod plan;
pub mod record_event;
pub mod review;
pub mod store;
pub mod timestamp;

pub use account::{Account, AccountId, Month, TokenRecord};
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
pub use offer::{Offer, OfferDetail, PortalLink, PriceSeries};
pub use offer_fields::{Attributes, Location};
pub use offer_id::{InvalidOfferId, OfferId};
pub use operator::{Operator, OperatorId, Role};
pub use plan::Plan;
pub use record_event::{PriceStep, RecordEvent};
pub use review::{Answer, Asked, ListingPair, LoggedReview, Review, ReviewAnswer, Verdict};
pub use timestamp::Timestamp;
