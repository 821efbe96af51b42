//! What the tools ask.

use std::sync::Arc;

use api::ApiState;
use dedup::addresses::Addresses;
use futures::future::BoxFuture;
use schema::store::Db;

/// Returns the addresses that matching compares, with the address registry of this machine; or why it cannot be read.
pub type AddressSource =
    Arc<dyn Fn() -> BoxFuture<'static, Result<Addresses, String>> + Send + Sync>;

/// The records and what explains them: cheap to clone.
#[derive(Clone)]
pub struct Records {
    /// Tokens, quota and searches.
    pub api: ApiState,
    /// The listings behind the records.
    pub db: Db,
    /// The addresses that explanations compare.
    pub addresses: AddressSource,
}
