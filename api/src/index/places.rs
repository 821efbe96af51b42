//! The offers of a view by id, and where their documents are.

use std::sync::Arc;

use schema::Timestamp;

use crate::documents::{Place, Version};
use crate::index::columns::{Columns, EXPIRY_UNKNOWN, NEVER, hash};
use crate::index::view::View;

/// An offer that was found by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    /// Which document it has.
    pub version: Version,
    /// Where its document is.
    pub place: Place,
    /// Whether it is live.
    pub is_live: bool,
    /// When its last live link ended; `None` if there is one, or if that is unknown.
    pub expired_at: Option<Timestamp>,
}

/// An offer whose document is to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Misplaced {
    /// Which document it has.
    pub version: Version,
    /// Where the document is.
    pub place: Place,
    in_overlay: bool,
    index: usize,
}

impl View {
    /// The offers whose ids have the same hash as this one: at most one, except by a rare chance. The document has the id.
    pub(crate) fn with_id(&self, id: &str) -> Vec<Held> {
        let hash = hash(id);
        let held = |columns: &Columns, index: usize| Held {
            version: columns.version(index),
            place: columns.place(index),
            is_live: columns.expires_at[index] == NEVER,
            expired_at: Some(Timestamp(columns.expires_at[index]))
                .filter(|at| ![NEVER, EXPIRY_UNKNOWN].contains(&at.millis())),
        };
        let new = self.overlay.with_id(hash);
        let old = self.base.with_id(hash);
        let old = old.filter(|index| self.is_current(*index));
        new.map(|index| held(&self.overlay, index))
            .chain(old.map(|index| held(&self.base, index)))
            .collect()
    }

    /// Up to `limit` offers whose documents are not where `is_misplaced` wants them: those among the changed offers, and
    /// of the others those from `next` on. `next` moves on behind the last of them.
    pub(super) fn misplaced(
        &self,
        is_misplaced: impl Fn(&Version, Place) -> bool,
        limit: usize,
        next: &mut usize,
    ) -> Vec<Misplaced> {
        let one = |columns: &Columns, index: usize, in_overlay: bool| Misplaced {
            version: columns.version(index),
            place: columns.place(index),
            in_overlay,
            index,
        };
        let is_found = |found: &Misplaced| is_misplaced(&found.version, found.place);
        let changed = (0..self.overlay.len()).map(|index| one(&self.overlay, index, true));
        let mut found: Vec<Misplaced> = changed.filter(is_found).take(limit).collect();
        while found.len() < limit && *next < self.base.len() {
            let candidate = one(&self.base, *next, false);
            if self.is_current(*next) && is_found(&candidate) {
                found.push(candidate);
            }
            *next += 1;
        }
        found
    }

    /// Notes where the document of an offer of this view is from now on. Later views of the same columns know it too.
    pub(super) fn set_place(&self, offer: &Misplaced, place: Place) {
        let columns = if offer.in_overlay {
            &self.overlay
        } else {
            &*self.base
        };
        columns.set_place(offer.index, place);
    }

    /// Whether another view has the same columns.
    pub(super) fn has_columns_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.base, &other.base)
    }
}
