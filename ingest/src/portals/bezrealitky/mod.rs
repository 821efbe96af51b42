//! bezrealitky.cz.

use serde_json::Value;

use crate::reading::{PayloadError, Reading};

/// Reads an advert.
///
/// # Errors
/// The payload is no listing of the portal.
pub fn read(payload: &Value) -> Result<Reading, PayloadError> {
    Err(PayloadError::shape("an object with id and offerType", payload))
}
