//! The clock. Only this file reads it; all other code is given the time.

use schema::Timestamp;

/// The current time.
pub fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the binary is where time enters")]
    let now = chrono::Utc::now();
    Timestamp::from(now)
}
