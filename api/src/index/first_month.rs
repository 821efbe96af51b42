//! The month in which an offer was first seen, in two bytes.

use schema::{Month, Timestamp};

/// The number of a month: months since January 1970. Instants outside of what a column holds count as its ends.
pub(crate) fn first_month(instant: Timestamp) -> u16 {
    let months = Month::containing(instant).ordinal() - 1970 * 12;
    months.clamp(0, i32::from(u16::MAX)) as u16
}

/// The month of a number.
pub(crate) fn month(months: u16) -> Month {
    Month {
        year: 1970 + i32::from(months) / 12,
        month: u32::from(months) % 12 + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_survives_its_number() {
        for text in [
            "1970-01-31T00:00:00Z",
            "2026-12-01T00:00:00Z",
            "2027-01-01T00:00:00Z",
        ] {
            let instant: Timestamp = text.parse().unwrap();
            assert_eq!(month(first_month(instant)), Month::containing(instant));
        }
        assert_eq!(first_month(Timestamp(-1)), 0);
    }
}
