//! sreality.cz.

use serde_json::Value;

use crate::reading::{PayloadError, Reading};

/// Reads a detail or a list item.
///
/// # Errors
/// The payload is no listing of the portal.
pub fn read(payload: &Value) -> Result<Reading, PayloadError> {
    Err(PayloadError::shape("an object with hash_id", payload))
}
