//! What a run of the intake did.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::dumps::Truncation;
use crate::timeline::Effect;

/// What a run of the intake did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IntakeReport {
    /// Lines read, apart from blank ones.
    pub lines: u64,
    /// Lines that could not be read. They are kept among the rejects.
    pub rejected: u64,
    /// What the other lines did, by portal.
    pub by_site: BTreeMap<String, Counts>,
    /// Observations of portals and listings that were purged and not allowed again. They are left out.
    pub purged: u64,
    /// Dumps that ended prematurely.
    pub truncated: Vec<Truncation>,
}

/// What the observations of a portal did.
///
/// Every observation counts as new, changed, unchanged or gone; complete crawls add to the gone. If observations of a
/// listing arrive late, those of one batch count once with what they did together, and the others as unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Sightings and ends of listings.
    pub observations: u64,
    /// Listings seen for the first time.
    pub new_listings: u64,
    /// Sightings that changed a value or brought a listing back.
    pub changed: u64,
    /// Observations that changed nothing, including those that were already stored.
    pub unchanged: u64,
    /// Listings that ended, by their own observation or by a complete crawl.
    pub gone: u64,
    /// Complete crawls that were not stored yet.
    pub crawls: u64,
    /// Values that were left out of new contents because they were not understood or implausible.
    pub values_left_out: u64,
}

/// How far a run has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Lines whose effects are stored.
    pub lines: u64,
    /// Bytes of the dumps that were read for them, before decompression.
    pub bytes: u64,
}

impl IntakeReport {
    /// The sum over all portals.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for counts in self.by_site.values() {
            total += *counts;
        }
        total
    }

    /// Whether all input was read: nothing was rejected or cut off.
    pub fn is_complete(&self) -> bool {
        self.rejected == 0 && self.truncated.is_empty()
    }

    /// Whether most contents that were seen since `before` were new.
    pub(super) fn is_mostly_new_since(&self, before: Counts) -> bool {
        let now = self.total();
        let new = |counts: Counts| counts.new_listings + counts.changed;
        new(now) - new(before) > now.unchanged - before.unchanged
    }

    /// The counts of one portal.
    pub(super) fn site(&mut self, site_id: &str) -> &mut Counts {
        self.by_site.entry(site_id.to_owned()).or_default()
    }
}

impl Counts {
    /// Counts the effect of one event.
    pub(super) fn count(&mut self, effect: Effect) {
        match effect {
            Effect::Appeared => self.new_listings += 1,
            Effect::Changed => self.changed += 1,
            Effect::Ended => self.gone += 1,
            Effect::None => self.unchanged += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.observations += other.observations;
        self.new_listings += other.new_listings;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.gone += other.gone;
        self.crawls += other.crawls;
        self.values_left_out += other.values_left_out;
    }
}
