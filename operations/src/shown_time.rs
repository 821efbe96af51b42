//! Instants and durations, as the commands print them.

use chrono::TimeZone;
use chrono_tz::Europe::Prague;
use schema::Timestamp;

/// An instant in Czech time.
pub fn local(at: Timestamp) -> String {
    Prague
        .from_utc_datetime(&at.to_utc().naive_utc())
        .format("%Y-%m-%d %H:%M:%S")
        .to_string()
}

/// A duration in seconds, in readable units.
pub fn took(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
