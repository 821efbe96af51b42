//! How far into the past a plan reaches (spec, Limits 9).

use chrono::{Days, Months};
use schema::{Plan, Timestamp};

/// The instant `months` calendar months before `now`: the same day and time, or the month's last day where that month
/// is too short.
pub fn months_before(now: Timestamp, months: u32) -> Timestamp {
    now.to_utc()
        .checked_sub_months(Months::new(months))
        .map_or(Timestamp(i64::MIN), Timestamp::from)
}

/// Whether a listing that went at `expired_at` is still shown to `plan` at `now`. `None`, a live listing, always is;
/// for a plan without history no other is.
pub fn is_within(plan: Plan, expired_at: Option<Timestamp>, now: Timestamp) -> bool {
    let months = plan.history_months();
    expired_at.is_none_or(|at| months > 0 && at >= months_before(now, months))
}

/// Since when expired listings are shown in a walk that began at `began_at`, for a plan with history. The reach stays
/// the one of the first page, for a day: a cursor kept longer is no way to look further back than the plan does.
pub fn reach(plan: Plan, began_at: Timestamp, now: Timestamp) -> Timestamp {
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
    fn the_windows_edge_is_inside() {
        let now = at("2026-08-15T12:00:00Z");
        let (edge, past) = (at("2026-05-15T12:00:00Z"), at("2026-05-15T11:59:59.999Z"));
        assert!(is_within(Plan::Pro, Some(edge), now));
        assert!(!is_within(Plan::Pro, Some(past), now));
        assert!(is_within(Plan::Investor, Some(past), now));
        assert!(!is_within(Plan::Free, Some(now), now));
        assert!(is_within(Plan::Free, None, now));
    }

    #[test]
    fn a_walk_keeps_its_reach_for_a_day() {
        let began = at("2026-08-15T12:00:00Z");
        assert_eq!(
            reach(Plan::Pro, began, at("2026-08-16T11:00:00Z")),
            at("2026-05-15T12:00:00Z")
        );
        assert_eq!(
            reach(Plan::Pro, began, at("2026-09-20T12:00:00Z")),
            at("2026-06-19T12:00:00Z")
        );
    }
}
