//! Whether details, taken together, are plausible.

use std::collections::HashMap;

use schema::Listing;

use super::baseline::Baseline;
use super::fields::{EXPECTED_FIELDS, STABLE_FIELDS};
use crate::crawl::alarm::Alarm;

/// How many bad details are more than chance.
const LEAST_BAD: usize = 5;
/// How many details a share is computed of at least.
const LEAST_COMPARED: usize = 10;
/// How many details must be expected to have a field before their lack of it means something.
const LEAST_EXPECTED: f64 = 20.0;
/// After this many details, the earlier ones are given half the weight.
const HALVE_AFTER: usize = 400;

/// A detail as the checks see it.
#[derive(Debug)]
pub(in crate::crawl) enum CheckedDetail<'a> {
    /// The adapter read it. `before` is what the stored listing said.
    Read {
        listing: &'a Listing,
        before: Option<&'a Listing>,
    },
    /// The adapter cannot read it; why not.
    Unreadable(&'a str),
    /// It is not a detail; what it is instead.
    Unexpected(&'a str),
    /// It has not changed, or the advert is gone.
    NothingToCheck,
}

/// Checks the details of a crawl against each other and against the stored listings.
#[derive(Debug, Default)]
pub(in crate::crawl) struct DetailChecks {
    so_far: Tally,
    baseline: Baseline,
}

/// Counts over a set of details. Arrays are indexed like [`EXPECTED_FIELDS`] and [`STABLE_FIELDS`].
#[derive(Debug, Clone, Default)]
struct Tally {
    asked: usize,
    unexpected: usize,
    unreadable: usize,
    /// What is wrong with the first bad detail.
    example: Option<String>,
    read: usize,
    /// For each field: how many of the read listings have it, and how many we would expect from stored listings of the
    /// same kind. Listings of a kind of which too few are stored do not count.
    have: [usize; EXPECTED_FIELDS.len()],
    expected: [f64; EXPECTED_FIELDS.len()],
    /// For each field: how many of the listings that were read again had it, and how many have lost it.
    had: [usize; EXPECTED_FIELDS.len()],
    lost: [usize; EXPECTED_FIELDS.len()],
    /// For each field: in how many of the listings that were read again it can be compared, and in how many it has
    /// changed implausibly.
    compared: [usize; STABLE_FIELDS.len()],
    changed: [usize; STABLE_FIELDS.len()],
    /// How many listings have the content with this hash.
    contents: HashMap<[u8; 32], usize>,
}

impl DetailChecks {
    /// Checks with these stored listings of the portal as the baseline.
    pub(in crate::crawl) fn with_baseline<'a>(
        stored: impl IntoIterator<Item = &'a Listing>,
    ) -> Self {
        Self {
            so_far: Tally::default(),
            baseline: Baseline::from_listings(stored),
        }
    }

    /// Checks a batch of details, by itself and together with the earlier ones.
    ///
    /// # Errors
    /// The alarm that they raise.
    pub(in crate::crawl) fn check(&mut self, batch: &[CheckedDetail<'_>]) -> Result<(), Alarm> {
        let mut of_batch = Tally::default();
        for detail in batch {
            of_batch.add(detail, &self.baseline);
            self.so_far.add(detail, &self.baseline);
        }
        for tally in [&of_batch, &self.so_far] {
            if let Some(alarm) = tally.alarm() {
                return Err(alarm);
            }
        }
        if self.so_far.asked > HALVE_AFTER {
            self.so_far.halve();
        }
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, detail: &CheckedDetail<'_>, baseline: &Baseline) {
        self.asked += 1;
        match detail {
            CheckedDetail::Read { listing, before } => self.add_read(listing, *before, baseline),
            CheckedDetail::Unreadable(why) => {
                self.unreadable += 1;
                self.example.get_or_insert_with(|| (*why).to_owned());
            }
            CheckedDetail::Unexpected(why) => {
                self.unexpected += 1;
                self.example.get_or_insert_with(|| (*why).to_owned());
            }
            CheckedDetail::NothingToCheck => {}
        }
    }

    fn add_read(&mut self, listing: &Listing, before: Option<&Listing>, baseline: &Baseline) {
        self.read += 1;
        let text = serde_json::to_vec(listing).unwrap_or_default();
        let content = *blake3::hash(&text).as_bytes();
        *self.contents.entry(content).or_default() += 1;
        for (field, (_, has)) in EXPECTED_FIELDS.iter().enumerate() {
            if let Some(share) = baseline.share(listing, field) {
                self.have[field] += usize::from(has(listing));
                self.expected[field] += share;
            }
            if before.is_some_and(has) {
                self.had[field] += 1;
                self.lost[field] += usize::from(!has(listing));
            }
        }
        let Some(before) = before else { return };
        for (field, (_, has_changed)) in STABLE_FIELDS.iter().enumerate() {
            if let Some(has_changed) = has_changed(before, listing) {
                self.compared[field] += 1;
                self.changed[field] += usize::from(has_changed);
            }
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.bad_details()
            .or_else(|| self.same_content())
            .or_else(|| self.lost_field())
            .or_else(|| self.rare_field())
            .or_else(|| self.changed_field())
    }

    /// More than a fifth are not details, or the adapter cannot read more than a quarter.
    fn bad_details(&self) -> Option<Alarm> {
        let first = || self.example.clone().unwrap_or_default();
        if self.unexpected >= LEAST_BAD && self.unexpected * 5 > self.asked {
            return Some(Alarm::UnexpectedDetails {
                count: self.unexpected,
                of: self.asked,
                first: first(),
            });
        }
        let tried = self.read + self.unreadable;
        (self.unreadable >= LEAST_BAD && self.unreadable * 4 > tried).then(|| {
            Alarm::UnreadableDetails {
                count: self.unreadable,
                of: tried,
                first: first(),
            }
        })
    }

    /// More than half have the same content.
    fn same_content(&self) -> Option<Alarm> {
        let count = self.contents.values().copied().max().unwrap_or_default();
        let of = self.read;
        (of >= LEAST_COMPARED && count * 2 > of).then_some(Alarm::SameContent { count, of })
    }

    /// More than two fifths of the listings that had a field have lost it.
    fn lost_field(&self) -> Option<Alarm> {
        EXPECTED_FIELDS
            .iter()
            .zip(self.lost.iter().zip(self.had))
            .find_map(|((field, _), (&count, of))| {
                (of >= LEAST_COMPARED && count * 5 > of * 2).then_some(Alarm::FieldLost {
                    field,
                    count,
                    of,
                })
            })
    }

    /// Less than a quarter of the expected listings have a field.
    fn rare_field(&self) -> Option<Alarm> {
        EXPECTED_FIELDS
            .iter()
            .zip(self.have.iter().zip(self.expected))
            .find_map(|((field, _), (&count, expected))| {
                let is_rare = expected >= LEAST_EXPECTED && count as f64 * 4.0 < expected;
                is_rare.then(|| Alarm::FieldRare {
                    field,
                    count,
                    of: self.read,
                    expected: expected.round() as usize,
                })
            })
    }

    /// A field has changed implausibly in more than three tenths of the listings.
    fn changed_field(&self) -> Option<Alarm> {
        STABLE_FIELDS
            .iter()
            .zip(self.changed.iter().zip(self.compared))
            .find_map(|((field, _), (&count, of))| {
                (of >= LEAST_COMPARED && count * 10 > of * 3).then_some(Alarm::FieldChanged {
                    field,
                    count,
                    of,
                })
            })
    }

    /// Gives everything counted so far half its weight, so that a change in the middle of a long crawl is noticed.
    fn halve(&mut self) {
        let totals = [
            &mut self.asked,
            &mut self.unexpected,
            &mut self.unreadable,
            &mut self.read,
        ];
        let expected_fields = [&mut self.have, &mut self.had, &mut self.lost];
        let stable_fields = [&mut self.compared, &mut self.changed];
        for count in totals
            .into_iter()
            .chain(expected_fields.into_iter().flatten())
            .chain(stable_fields.into_iter().flatten())
        {
            *count /= 2;
        }
        for expected in &mut self.expected {
            *expected /= 2.0;
        }
        self.contents.retain(|_, count| {
            *count /= 2;
            *count > 0
        });
    }
}
