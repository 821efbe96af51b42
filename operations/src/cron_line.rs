//! When something is due by a cron line, in Czech time.
//!
//! A line has five fields (minute, hour, day of the month, month, day of the week) or six, with seconds first. The crate
//! `cron` parses it and steps through its times. Here is what the crate does not do:
//!
//! - Days of the week. On a cron line Sunday is 0 or 7 and Monday is 1; the crate counts from Sunday as 1 and accepts no
//!   range over the end of the week.
//! - The two odd nights of the year. A time that the clock skips in spring is due when the clock goes on. A time that it
//!   shows twice in autumn is due the first time. The crate would skip the former and repeat the latter.
//!
//! The crate `croner` knows days of the week and daylight saving time, but it runs hourly lines in both of the repeated
//! hours, refuses steps such as `5/15`, and adds eight crates to the build.

use std::str::FromStr;

use chrono::{Duration, NaiveDateTime, TimeZone};
use chrono_tz::Europe::Prague;
use schema::Timestamp;

/// A cron line.
#[derive(Debug, Clone)]
pub struct CronLine {
    schedule: cron::Schedule,
}

/// A text is not a cron line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{line:?} is not a cron line: {reason}. Write MINUTE HOUR DAY MONTH WEEKDAY, optionally with SECOND first, in Czech \
     time: \"30 4 * * *\" is half past four every day, \"0 */6 * * 1-5\" every six hours on workdays"
)]
pub struct InvalidCronLine {
    line: String,
    reason: String,
}

impl FromStr for CronLine {
    type Err = InvalidCronLine;

    fn from_str(line: &str) -> Result<Self, InvalidCronLine> {
        let invalid = |reason: String| InvalidCronLine {
            line: line.to_owned(),
            reason,
        };
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (second, minute, hour, day, month, weekday) = match fields.as_slice() {
            [minute, hour, day, month, weekday] => ("0", *minute, *hour, *day, *month, *weekday),
            [second, minute, hour, day, month, weekday] => {
                (*second, *minute, *hour, *day, *month, *weekday)
            }
            other => {
                return Err(invalid(format!(
                    "expected 5 or 6 fields, got {}",
                    other.len()
                )));
            }
        };
        let weekdays = weekday_names(weekday).map_err(invalid)?;
        if weekdays != "*" && !matches!(day, "*" | "?") {
            let reason = "cron programs disagree on what a day of the month together with a day of the week means";
            return Err(invalid(reason.to_owned()));
        }
        let line = format!("{second} {minute} {hour} {day} {month} {weekdays}");
        match line.parse() {
            Ok(schedule) => Ok(Self { schedule }),
            Err(error) => {
                let message = error.to_string();
                let words: Vec<&str> = message.split_whitespace().collect();
                Err(invalid(words.join(" ")))
            }
        }
    }
}

impl CronLine {
    /// The first due time after `after`. `None` if there is none.
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        // The crate steps through the times of a clock without zones. Each is then looked up on the Czech clock.
        self.schedule
            .after_owned(local_time(after).and_utc())
            .map(|shown| first_instant(shown.naive_utc()))
            .find(|due| *due > after)
    }

    /// The last due time after `after` and up to `until`. If several were missed, only this one is made up for.
    pub fn last_due(&self, after: Timestamp, until: Timestamp) -> Option<Timestamp> {
        let local = local_time(until);
        // In the repeated hour, times of the whole hour were already due. The crate excludes the start itself.
        let is_repeated = Prague.from_local_datetime(&local).latest()
            != Prague.from_local_datetime(&local).earliest();
        let start = local + Duration::hours(i64::from(is_repeated)) + Duration::seconds(1);
        self.schedule
            .after_owned(start.and_utc())
            .rev()
            .map(|shown| first_instant(shown.naive_utc()))
            .find(|due| *due <= until)
            .filter(|due| *due > after)
    }
}

/// What the Czech clock shows at an instant.
fn local_time(at: Timestamp) -> NaiveDateTime {
    Prague
        .from_utc_datetime(&at.to_utc().naive_utc())
        .naive_local()
}

/// The instant at which the Czech clock first shows this time. If it skips the time, the instant after the gap.
fn first_instant(shown: NaiveDateTime) -> Timestamp {
    let full_minute = shown - Duration::seconds(shown.and_utc().timestamp() % 60);
    // Gaps end on a full minute and are shorter than three hours.
    let after_gap = (1..=180).map(|minutes| full_minute + Duration::minutes(minutes));
    std::iter::once(shown)
        .chain(after_gap)
        .find_map(|shown| Prague.from_local_datetime(&shown).earliest())
        .map_or(Timestamp(i64::MAX), |at| Timestamp::from(at.to_utc()))
}

/// The days of the week in a field, by the names that the crate `cron` uses.
fn weekday_names(field: &str) -> Result<String, String> {
    const NAMES: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
    let day = |text: &str| {
        let named = NAMES
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text));
        let numbered = text.parse().ok().filter(|day| *day <= 7);
        named
            .or(numbered)
            .ok_or_else(|| format!("{text:?} is not a day of the week: use 0 to 7, or SUN to SAT"))
    };
    if matches!(field, "*" | "?") {
        return Ok("*".to_owned());
    }
    let mut selected = [false; 7];
    for part in field.split(',') {
        let (range, step) = part.split_once('/').unwrap_or((part, "1"));
        let step = match step.parse::<usize>() {
            Ok(step) if step > 0 => step,
            _ => return Err(format!("{step:?} is not a step")),
        };
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (0, 6),
            Some((first, last)) => (day(first)?, day(last)?),
            None if part.contains('/') => (day(range)?, 6),
            None => (day(range)?, day(range)?),
        };
        // SAT-SUN goes over the end of the week.
        let last = if last < first { last + 7 } else { last };
        for day in (first..=last).step_by(step) {
            selected[day % 7] = true;
        }
    }
    if selected == [true; 7] {
        return Ok("*".to_owned());
    }
    let names = NAMES.iter().zip(selected);
    let names = names.filter_map(|(name, selected)| selected.then_some(*name));
    Ok(names.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn line(text: &str) -> CronLine {
        text.parse().unwrap()
    }

    fn next(text: &str, after: &str, count: usize) -> Vec<String> {
        let line = line(text);
        let due = std::iter::successors(line.next_after(at(after)), |due| line.next_after(*due));
        due.take(count).map(|due| due.to_string()).collect()
    }

    #[test]
    fn a_line_is_read_in_czech_time() {
        assert_eq!(
            next("30 4 * * *", "2026-11-21T00:00:00Z", 1),
            ["2026-11-21T03:30:00Z"]
        );
        assert_eq!(
            next("30 4 * * *", "2026-07-01T00:00:00Z", 1),
            ["2026-07-01T02:30:00Z"]
        );
        assert_eq!(
            next("15 30 4 * * *", "2026-07-01T00:00:00Z", 1),
            ["2026-07-01T02:30:15Z"]
        );
    }

    #[test]
    fn the_next_time_is_later_than_now() {
        assert_eq!(
            next("0 4 * * *", "2026-11-21T03:00:00Z", 1),
            ["2026-11-22T03:00:00Z"]
        );
    }

    #[test]
    fn a_time_that_the_clock_skips_is_due_when_the_clock_goes_on() {
        // On 29 March 2026 the clock goes from 2:00 to 3:00.
        let due = next("30 2 * * *", "2026-03-27T12:00:00Z", 3);
        assert_eq!(
            due,
            [
                "2026-03-28T01:30:00Z",
                "2026-03-29T01:00:00Z",
                "2026-03-30T00:30:00Z"
            ]
        );
        let due = next("*/30 * * * *", "2026-03-29T00:30:00Z", 3);
        assert_eq!(
            due,
            [
                "2026-03-29T01:00:00Z",
                "2026-03-29T01:30:00Z",
                "2026-03-29T02:00:00Z"
            ]
        );
        let due = next("15 30 2 * * *", "2026-03-28T12:00:00Z", 1);
        assert_eq!(due, ["2026-03-29T01:00:00Z"]);
    }

    #[test]
    fn a_time_that_the_clock_shows_twice_is_due_once() {
        // On 25 October 2026 the clock goes from 3:00 back to 2:00.
        let due = next("30 2 * * *", "2026-10-24T12:00:00Z", 2);
        assert_eq!(due, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
        let due = next("0 * * * *", "2026-10-25T00:00:00Z", 2);
        assert_eq!(due, ["2026-10-25T02:00:00Z", "2026-10-25T03:00:00Z"]);
        // Asked in the repeated hour.
        assert_eq!(
            next("30 2 * * *", "2026-10-25T01:10:00Z", 1),
            ["2026-10-26T01:30:00Z"]
        );
    }

    #[test]
    fn of_several_missed_times_the_last_is_due() {
        let daily = line("0 4 * * *");
        let missed = daily.last_due(at("2026-01-01T00:00:00Z"), at("2026-11-21T12:00:00Z"));
        assert_eq!(missed, Some(at("2026-11-21T03:00:00Z")));
        assert_eq!(
            daily.last_due(at("2026-11-21T03:00:00Z"), at("2026-11-21T12:00:00Z")),
            None
        );
        assert_eq!(
            daily.last_due(at("2026-11-21T02:59:59Z"), at("2026-11-21T03:00:00Z")),
            Some(at("2026-11-21T03:00:00Z"))
        );
        let yearly = line("0 0 1 1 *");
        let missed = yearly.last_due(at("2024-06-01T00:00:00Z"), at("2026-11-21T12:00:00Z"));
        assert_eq!(missed, Some(at("2025-12-31T23:00:00Z")));
    }

    #[test]
    fn days_of_the_week_count_from_sunday_as_zero() {
        // 21 November 2026 is a Saturday.
        let first = |text: &str| next(text, "2026-11-21T12:00:00Z", 1).remove(0);
        assert_eq!(first("0 6 * * 0"), "2026-11-22T05:00:00Z");
        assert_eq!(first("0 6 * * 7"), "2026-11-22T05:00:00Z");
        assert_eq!(first("0 6 * * 1-5"), "2026-11-23T05:00:00Z");
        assert_eq!(first("0 6 * * mon"), "2026-11-23T05:00:00Z");
        assert_eq!(
            next("0 6 * * 5-7", "2026-11-22T12:00:00Z", 1),
            ["2026-11-27T05:00:00Z"]
        );
        assert_eq!(
            next("0 6 * * SAT-SUN", "2026-11-23T12:00:00Z", 1),
            ["2026-11-28T05:00:00Z"]
        );
        assert_eq!(
            next("0 6 * * */2", "2026-11-22T12:00:00Z", 1),
            ["2026-11-24T05:00:00Z"]
        );
    }

    #[test]
    fn an_invalid_line_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "expected 5 or 6 fields, got 0"),
            ("0 4 * *", "expected 5 or 6 fields, got 4"),
            ("0 0 4 * * * 2026", "expected 5 or 6 fields, got 7"),
            ("0 4 * * 8", "\"8\" is not a day of the week"),
            ("0 4 * * 1/0", "\"0\" is not a step"),
            (
                "0 4 13 * 5",
                "a day of the month together with a day of the week",
            ),
            ("61 4 * * *", "61"),
            ("soon", "expected 5 or 6 fields, got 1"),
        ] {
            let error = text.parse::<CronLine>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_last_time_of_the_odd_nights_is_found() {
        let nightly = line("30 2 * * *");
        let last = |after: &str, until: &str| nightly.last_due(at(after), at(until));
        // Spring: 2:30 does not exist and is due at 3:00, which is 1:00 UTC.
        assert_eq!(last("2026-03-28T12:00:00Z", "2026-03-29T00:59:59Z"), None);
        assert_eq!(
            last("2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"),
            Some(at("2026-03-29T01:00:00Z"))
        );
        // Autumn: 2:30 is shown at 0:30 and 1:30 UTC, and due at the former.
        for until in [
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:10:00Z",
            "2026-10-25T01:45:00Z",
        ] {
            assert_eq!(
                last("2026-10-24T12:00:00Z", until),
                Some(at("2026-10-25T00:30:00Z")),
                "{until}"
            );
        }
        assert_eq!(last("2026-10-25T00:30:00Z", "2026-10-25T01:45:00Z"), None);
    }

    #[test]
    fn a_day_that_does_not_exist_is_never_due() {
        assert_eq!(
            line("0 4 31 2 *").next_after(at("2026-01-01T00:00:00Z")),
            None
        );
    }
}
