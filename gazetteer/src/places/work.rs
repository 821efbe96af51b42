//! The work of locating a text, counted and limited, so that no text can take long.

/// The most names compared and the most places weighed for one text.
const MOST_NAMES: u32 = 60_000;
const MOST_PLACES: u32 = 6_000;

/// The work of locating one text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Names of the dictionary that were compared with a part of the text.
    pub names: u32,
    /// Places that were weighed.
    pub places: u32,
}

impl Work {
    /// The limit. Only the names of the last lookup can exceed it.
    pub const MOST: Self = Self {
        names: MOST_NAMES,
        places: MOST_PLACES,
    };

    pub(super) fn measured(&mut self, names: usize) {
        self.names = self.names.saturating_add(names as u32);
    }

    pub(super) fn weighed(&mut self) {
        self.places += 1;
    }

    pub(super) const fn is_spent(self) -> bool {
        self.names >= MOST_NAMES || self.places >= MOST_PLACES
    }
}
