//! When something is due by a cron line: five fields (minute, hour, day of the month, month, day of the week) or six,
//! with seconds before them. The clock is that of the Czech Republic. A time that it skips in spring is due when it
//! goes on; one that it shows twice in autumn is due the first time.

use std::str::FromStr;

use chrono::{DateTime, Duration, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Europe::Prague;
use schema::Timestamp;

/// A cron line.
#[derive(Debug, Clone)]
pub struct CronLine {
    schedule: cron::Schedule,
}

/// A text that is no cron line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{line:?} is no cron line: {reason}. It is written MINUTE HOUR DAY MONTH WEEKDAY, with SECOND before that where \
     needed, in Czech time: \"30 4 * * *\" is half past four every day, \"0 */6 * * 1-5\" every six hours on workdays"
)]
pub struct NoCronLine {
    line: String,
    reason: String,
}

impl FromStr for CronLine {
    type Err = NoCronLine;

    fn from_str(line: &str) -> Result<Self, NoCronLine> {
        let wrong = |reason: String| NoCronLine {
            line: line.to_owned(),
            reason,
        };
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (second, rest) = match fields.as_slice() {
            [second, rest @ ..] if rest.len() == 5 => (*second, rest),
            rest if rest.len() == 5 => ("0", rest),
            other => return Err(wrong(format!("it has {} fields", other.len()))),
        };
        let &[minute, hour, day, month, weekday] = rest else {
            return Err(wrong("it has not five fields".to_owned()));
        };
        let days = weekdays(weekday).map_err(wrong)?;
        if days != "*" && !matches!(day, "*" | "?") {
            let reason = "a day of the month and a day of the week together are read differently by different crons";
            return Err(wrong(reason.to_owned()));
        }
        let whole = format!("{second} {minute} {hour} {day} {month} {days}");
        match cron::Schedule::from_str(&whole) {
            Ok(schedule) => Ok(Self { schedule }),
            Err(error) => Err(wrong(
                error
                    .to_string()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
            )),
        }
    }
}

impl CronLine {
    /// The first time after `after`; `None` where there is none any more.
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        let local = Prague
            .from_utc_datetime(&after.to_utc().naive_utc())
            .naive_local();
        // The line is read on a clock without zones, and what it shows then found on the true one.
        let candidates = self.schedule.after_owned(local.and_utc());
        candidates
            .map(|shown| instant(shown.naive_utc()))
            .find(|due| *due > after)
    }

    /// The last time after `after` and up to `until`: what was missed in between is one.
    pub fn last_due(&self, after: Timestamp, until: Timestamp) -> Option<Timestamp> {
        let windows = [
            Duration::hours(1),
            Duration::days(1),
            Duration::days(32),
            Duration::days(3660),
        ];
        windows.into_iter().find_map(|window| {
            let from = after.max(Timestamp(
                until.millis().saturating_sub(window.num_milliseconds()),
            ));
            let due = std::iter::successors(self.next_after(from), |due| self.next_after(*due));
            due.take_while(|due| *due <= until).last()
        })
    }
}

/// When the clock first shows this; where it never does, when it goes on.
fn instant(shown: NaiveDateTime) -> Timestamp {
    let minutes = (0..=180).map(|minutes| {
        let later = shown + Duration::minutes(minutes);
        // What follows a gap begins on the minute.
        if minutes == 0 {
            later
        } else {
            later - Duration::seconds(later.and_utc().timestamp() % 60)
        }
    });
    let found: Option<DateTime<Utc>> = minutes
        .filter_map(|shown| Prague.from_local_datetime(&shown).earliest())
        .map(|at| at.to_utc())
        .next();
    found.map_or(Timestamp(i64::MAX), Timestamp::from)
}

/// The days of the week as `cron` names them. On a cron line Sunday is 0 or 7 and Monday 1; `cron` counts from Sunday,
/// which is 1.
fn weekdays(field: &str) -> Result<String, String> {
    const NAMES: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
    let day = |text: &str| {
        let named = NAMES
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text));
        let numbered = text.parse().ok().filter(|day| *day <= 7);
        named.or(numbered).ok_or_else(|| {
            format!("{text:?} is no day of the week: they are 0 to 7, or SUN to SAT")
        })
    };
    if matches!(field, "*" | "?") {
        return Ok("*".to_owned());
    }
    let mut days = [false; 7];
    for part in field.split(',') {
        let (range, step) = part
            .split_once('/')
            .map_or((part, None), |(range, step)| (range, Some(step)));
        let step = step.map_or(Ok(1), |step| match step.parse::<usize>() {
            Ok(step) if step > 0 => Ok(step),
            _ => Err(format!("{step:?} is no step")),
        })?;
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (0, 6),
            Some((first, last)) => (day(first)?, day(last)?),
            None if part.contains('/') => (day(range)?, 6),
            None => (day(range)?, day(range)?),
        };
        // SAT-SUN goes over the end of the week.
        let last = if last < first { last + 7 } else { last };
        (first..=last)
            .step_by(step)
            .for_each(|day| days[day % 7] = true);
    }
    let named: Vec<&str> = NAMES
        .iter()
        .zip(days)
        .filter(|(_, meant)| *meant)
        .map(|(name, _)| *name)
        .collect();
    Ok(if named.len() == 7 {
        "*".to_owned()
    } else {
        named.join(",")
    })
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
    fn what_is_due_now_is_not_due_after_now() {
        assert_eq!(
            next("0 4 * * *", "2026-11-21T03:00:00Z", 1),
            ["2026-11-22T03:00:00Z"]
        );
    }

    #[test]
    fn a_time_that_the_clock_skips_is_due_when_it_goes_on() {
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
        // Asked in the second of the two hours.
        assert_eq!(
            next("30 2 * * *", "2026-10-25T01:10:00Z", 1),
            ["2026-10-26T01:30:00Z"]
        );
    }

    #[test]
    fn of_what_was_missed_the_last_is_due() {
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
    fn days_of_the_week_count_from_sunday_as_everywhere() {
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
    fn what_is_no_line_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "it has 0 fields"),
            ("0 4 * *", "it has 4 fields"),
            ("0 0 4 * * * 2026", "it has 7 fields"),
            ("0 4 * * 8", "\"8\" is no day of the week"),
            ("0 4 * * 1/0", "\"0\" is no step"),
            ("0 4 13 * 5", "a day of the month and a day of the week"),
            ("61 4 * * *", "61"),
            ("soon", "it has 1 fields"),
        ] {
            let error = text.parse::<CronLine>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_day_that_never_comes_is_never_due() {
        assert_eq!(
            line("0 4 31 2 *").next_after(at("2026-01-01T00:00:00Z")),
            None
        );
    }
}
