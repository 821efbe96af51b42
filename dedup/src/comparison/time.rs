//! When the two were advertised, and whether on one portal.

use super::{Levels, common};
use crate::profile::Profile;
use crate::weights::time;

const DAY_MILLIS: i64 = 24 * 3_600_000;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let overlap = a.lifetime.overlap(b.lifetime);
    if overlap < -183 * DAY_MILLIS {
        levels.reach(time::LONG_AGO);
    }
    if a.key.site_id != b.key.site_id {
        if overlap > 3 * DAY_MILLIS {
            levels.reach(time::TOGETHER_ELSEWHERE);
        } else if overlap < -14 * DAY_MILLIS {
            levels.reach(time::APART);
        }
        return;
    }
    if overlap > 2 * DAY_MILLIS && !a.lifetime.portal_is_watched && !b.lifetime.portal_is_watched {
        levels.reach(
            if a.lifetime.last_seen < b.lifetime.first_seen
                || b.lifetime.last_seen < a.lifetime.first_seen
            {
                time::SUCCESSION_UNWATCHED
            } else {
                time::TOGETHER_UNWATCHED
            },
        );
    } else if overlap > 2 * DAY_MILLIS {
        levels.reach(if one_agent(a, b) {
            time::TOGETHER_ONE_AGENT
        } else {
            time::TOGETHER
        });
    } else if overlap > -60 * DAY_MILLIS {
        levels.reach(time::SUCCESSION);
    }
}

/// Whether both share a phone number, or their texts are so similar that one person wrote them.
fn one_agent(a: &Profile, b: &Profile) -> bool {
    common(&a.marks.phones, &b.marks.phones) > 0
        || a.sketch
            .likeness(&b.sketch)
            .is_some_and(|share| share >= 0.6)
}

pub(super) fn show(profile: &Profile) -> String {
    let day = |instant: schema::Timestamp| instant.to_utc().date_naive();
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
