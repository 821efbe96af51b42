//! The one place that reads the machine's clock; everything else is told the time.

use schema::Timestamp;

/// The time now.
pub fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the binary is where time enters")]
    let now = chrono::Utc::now();
    Timestamp::from(now)
}
