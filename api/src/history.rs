//! The history window of a plan: which expired listings it shows (spec, Limits 9).

use chrono::{Days, Months};
use schema::{Plan, Timestamp};

/// The instant `months` calendar months before `now`: the same day and time, or the last day of a month that is too
/// short.
fn months_before(now: Timestamp, months: u32) -> Timestamp {
    now.to_utc()
        .checked_sub_months(Months::new(months))
        .map_or(Timestamp(i64::MIN), Timestamp::from)
}

/// Whether `plan` shows a listing that expired at `expired_at`. A live listing (`None`) is always shown. A plan without
/// history shows no others.
pub(crate) fn is_within(plan: Plan, expired_at: Option<Timestamp>, now: Timestamp) -> bool {
    let months = plan.history_months();
    expired_at.is_none_or(|at| months > 0 && at >= months_before(now, months))
}

/// The start of the window for a search whose first page was at `began_at`, for a plan with history. Later pages keep
/// the window of the first page for at most a day, so that an old cursor does not see more than the plan allows.
pub(crate) fn window_start(plan: Plan, began_at: Timestamp, now: Timestamp) -> Timestamp {
    let months = plan.history_months();
    let longest = now
        .to_utc()
        .checked_sub_days(Days::new(1))
        .map_or(now, Timestamp::from);
    months_before(began_at.max(longest), months)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn months_are_calendar_months() {
        assert_eq!(
            months_before(at("2026-05-31T12:00:00Z"), 3),
            at("2026-02-28T12:00:00Z")
        );
        assert_eq!(
            months_before(at("2026-03-01T00:00:00Z"), 6),
            at("2025-09-01T00:00:00Z")
        );
    }

    #[test]
    fn the_edge_of_the_window_is_inside() {
        let now = at("2026-08-15T12:00:00Z");
        let (edge, past) = (at("2026-05-15T12:00:00Z"), at("2026-05-15T11:59:59.999Z"));
        assert!(is_within(Plan::Pro, Some(edge), now));
        assert!(!is_within(Plan::Pro, Some(past), now));
        assert!(is_within(Plan::Investor, Some(past), now));
        assert!(!is_within(Plan::Free, Some(now), now));
        assert!(is_within(Plan::Free, None, now));
    }

    #[test]
    fn later_pages_keep_the_window_for_a_day() {
        let began = at("2026-08-15T12:00:00Z");
        assert_eq!(
            window_start(Plan::Pro, began, at("2026-08-16T11:00:00Z")),
            at("2026-05-15T12:00:00Z")
        );
        assert_eq!(
            window_start(Plan::Pro, began, at("2026-09-20T12:00:00Z")),
            at("2026-06-19T12:00:00Z")
        );
    }
}
