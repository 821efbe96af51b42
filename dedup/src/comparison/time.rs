//! When both were advertised, and whether on one portal.

use super::Levels;
use crate::profile::Profile;
use crate::scoring::weights::time;

const DAY_MILLIS: i64 = 24 * 3_600_000;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let overlap = a.life.overlap(b.life);
    if overlap < -183 * DAY_MILLIS {
        levels.reach(time::LONG_AGO);
    }
    if a.key.site_id != b.key.site_id {
        return;
    }
    if overlap > 2 * DAY_MILLIS {
        levels.reach(time::TOGETHER);
    } else if overlap > -60 * DAY_MILLIS {
        levels.reach(time::SUCCESSION);
    }
}

pub fn show(profile: &Profile) -> String {
    let day = |instant: schema::Timestamp| instant.to_utc().date_naive();
    match profile.life.until {
        None => format!("{} since {}", profile.key.site_id, day(profile.life.from)),
        Some(until) => format!("{} {} to {}", profile.key.site_id, day(profile.life.from), day(until)),
    }
}
