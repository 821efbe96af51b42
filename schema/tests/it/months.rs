//! The period of a quota.

use schema::{Month, Timestamp};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn a_month_ends_at_midnight_utc() {
    let last = at("2026-11-30T23:59:59.999Z");
    assert_eq!(
        Month::containing(last),
        Month {
            year: 2026,
            month: 11
        }
    );
    assert_eq!(
        Month::containing(Timestamp(last.millis() + 1)),
        Month {
            year: 2026,
            month: 12
        }
    );
    assert_eq!(
        Month::containing(at("2026-12-01T00:30:00+01:00")),
        Month {
            year: 2026,
            month: 11
        }
    );
}

#[test]
fn december_is_followed_by_january_of_the_next_year() {
    let december = Month {
        year: 2026,
        month: 12,
    };
    assert_eq!(
        december.next(),
        Month {
            year: 2027,
            month: 1
        }
    );
    assert_eq!(december.next().start(), at("2027-01-01T00:00:00Z"));
    assert_eq!(december.ordinal() + 1, december.next().ordinal());
}

#[test]
fn a_month_starts_within_itself_and_ends_before_the_next() {
    let mut month = Month {
        year: 1969,
        month: 11,
    };
    for _ in 0..1_000 {
        assert_eq!(Month::containing(month.start()), month);
        assert_eq!(
            Month::containing(Timestamp(month.next().start().millis() - 1)),
            month
        );
        assert_eq!(month.next().ordinal(), month.ordinal() + 1);
        month = month.next();
    }
}

#[test]
fn a_leap_february_has_its_day() {
    let february = Month {
        year: 2028,
        month: 2,
    };
    assert_eq!(Month::containing(at("2028-02-29T12:00:00Z")), february);
    assert_eq!(february.next().start(), at("2028-03-01T00:00:00Z"));
}

#[test]
fn a_month_is_written_as_the_interface_writes_it() {
    assert_eq!(
        Month {
            year: 2026,
            month: 3
        }
        .to_string(),
        "2026-03"
    );
}
