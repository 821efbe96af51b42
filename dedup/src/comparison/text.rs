//! Text: less how much is equal than what differs in what is equal.

use super::{Levels, common};
use crate::profile::Profile;
use crate::scoring::weights::text;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let Some(likeness) = a.sketch.likeness(&b.sketch) else { return };
    let shared = common(&a.sketch.numbers, &b.sketch.numbers);
    let apart = (a.sketch.numbers.len() - shared).min(b.sketch.numbers.len() - shared);
    levels.reach(match likeness {
        share if share >= 0.8 && apart == 0 => text::COPY,
        share if share >= 0.7 && apart > 0 => text::COPY_OTHER_NUMBERS,
        share if share >= 0.45 => text::ALIKE,
        share if share >= 0.2 => text::PARTLY,
        _ => text::UNLIKE,
    });
}

pub fn show(profile: &Profile) -> String {
    format!("{} words, {} numbers", profile.sketch.words, profile.sketch.numbers.len())
}
