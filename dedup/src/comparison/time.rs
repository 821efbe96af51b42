//! When the two were advertised, and whether on one portal.

use schema::Timestamp;

use super::{Levels, common};
use crate::profile::{Frequency, Lifetime, Profile};
use crate::weights::{Level, time};

const DAY_MILLIS: i64 = 24 * 3_600_000;

/// Two portals show the same event at most this far apart.
const SAME_EVENT_MILLIS: i64 = 36 * 3_600_000;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let overlap = a.lifetime.overlap(b.lifetime);
    if overlap < -183 * DAY_MILLIS {
        levels.reach(time::LONG_AGO);
    }
    if a.key.site_id == b.key.site_id {
        if let Some(level) = on_one_portal(a, b, overlap) {
            levels.reach(level);
        }
    } else {
        on_two_portals(a, b, overlap, levels);
    }
}

fn on_one_portal(a: &Profile, b: &Profile, overlap: i64) -> Option<Level> {
    let unwatched = !a.lifetime.portal_is_watched && !b.lifetime.portal_is_watched;
    let together = overlap > 2 * DAY_MILLIS;
    Some(if together && unwatched {
        if a.follows_unwatched(b) || b.follows_unwatched(a) {
            time::SUCCESSION_UNWATCHED
        } else {
            time::TOGETHER_UNWATCHED
        }
    } else if together
        || is_within(a.lifetime, b.lifetime)
        || is_within(b.lifetime, a.lifetime)
        || (overlap > 0 && !later_start_is_known(a.lifetime, b.lifetime))
    {
        match a.sketch.likeness(&b.sketch) {
            _ if one_agent(a, b) => time::TOGETHER_ONE_AGENT,
            Some(_) => time::TOGETHER,
            None => time::TOGETHER_WORDLESS,
        }
    } else if !later_start_is_known(a.lifetime, b.lifetime) {
        return None;
    } else if overlap > -2 * DAY_MILLIS {
        time::SUCCESSION_AT_ONCE
    } else if overlap > -60 * DAY_MILLIS {
        time::SUCCESSION
    } else {
        return None;
    })
}

fn on_two_portals(a: &Profile, b: &Profile, overlap: i64, levels: &mut Levels) {
    if overlap < -14 * DAY_MILLIS {
        levels.reach(time::APART);
        return;
    }
    if overlap > 3 * DAY_MILLIS {
        levels.reach(time::TOGETHER_ELSEWHERE);
    }
    if let Some(level) = starts(a, b) {
        levels.reach(level);
    }
    if let Some(level) = ends(a, b) {
        levels.reach(level);
    }
}

/// What the time between the first sightings on two portals says.
fn starts(a: &Profile, b: &Profile) -> Option<Level> {
    let (earlier, later) = if a.lifetime.first_seen <= b.lifetime.first_seen {
        (a, b)
    } else {
        (b, a)
    };
    let gap = millis_between(a.lifetime.first_seen, b.lifetime.first_seen);
    // What a portal shows on a crowded day may have appeared while it was not crawled.
    if !later.lifetime.start_is_known || later.frequencies.first_day == Frequency::Common {
        return None;
    }
    if !earlier.lifetime.start_is_known {
        // A first crawl that found few adverts may have missed the later one.
        if !later.lifetime.first_crawl_was_wide {
            return None;
        }
        return if gap > 21 * DAY_MILLIS {
            Some(time::START_LONG_AFTER)
        } else {
            (gap > 4 * DAY_MILLIS).then_some(time::START_AFTER)
        };
    }
    if gap <= SAME_EVENT_MILLIS {
        match earlier
            .frequencies
            .first_day
            .max(later.frequencies.first_day)
        {
            Frequency::Rare => Some(time::SAME_START),
            Frequency::Occasional => Some(time::SAME_START_AS_OTHERS),
            Frequency::Common => None,
        }
    } else if gap <= 21 * DAY_MILLIS {
        Some(time::START_WITHIN_WEEKS)
    } else if gap > 35 * DAY_MILLIS {
        Some(time::START_FAR_APART)
    } else {
        None
    }
}

/// What the time between the ends on two portals says.
fn ends(a: &Profile, b: &Profile) -> Option<Level> {
    let gap = millis_between(a.lifetime.gone_at?, b.lifetime.gone_at?);
    if gap <= SAME_EVENT_MILLIS {
        match a.frequencies.last_day.max(b.frequencies.last_day) {
            Frequency::Rare => Some(time::SAME_END),
            Frequency::Occasional => Some(time::SAME_END_AS_OTHERS),
            Frequency::Common => None,
        }
    } else if gap <= 4 * DAY_MILLIS {
        Some(time::END_WITHIN_DAYS)
    } else if gap <= 21 * DAY_MILLIS {
        Some(time::END_WITHIN_WEEKS)
    } else {
        None
    }
}

/// The time between two moments in milliseconds, whichever came first.
fn millis_between(one: Timestamp, other: Timestamp) -> i64 {
    one.millis().saturating_sub(other.millis()).saturating_abs()
}

/// Whether one was advertised only while the other was. A relisting does not end before the advert
/// that it replaces.
fn is_within(inner: Lifetime, outer: Lifetime) -> bool {
    inner.first_seen > outer.first_seen
        && inner
            .gone_at
            .is_some_and(|end| outer.gone_at.is_none_or(|until| until > end))
}

/// Whether the one that was first seen later appeared then. If not, it may be as old as the other, and
/// replaces nothing.
fn later_start_is_known(one: Lifetime, other: Lifetime) -> bool {
    let later = if one.first_seen >= other.first_seen {
        one
    } else {
        other
    };
    later.start_is_known
}

/// Whether both share a phone number, or their texts are so similar that one person wrote them.
fn one_agent(a: &Profile, b: &Profile) -> bool {
    common(&a.marks.phones, &b.marks.phones) > 0
        || a.sketch
            .likeness(&b.sketch)
            .is_some_and(|share| share >= 0.6)
}

pub(super) fn show(profile: &Profile) -> String {
    let day = |instant: Timestamp| instant.to_utc().date_naive();
    match profile.lifetime.gone_at {
        None => format!(
            "{} since {}",
            profile.key.site_id,
            day(profile.lifetime.first_seen)
        ),
        Some(until) => format!(
            "{} {} to {}",
            profile.key.site_id,
            day(profile.lifetime.first_seen),
            day(until)
        ),
    }
}
