//! Names, each kept once.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::entity::NameIndex;

/// All names in one text.
#[derive(Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Names {
    pub text: String,
    /// The end of each name in the text.
    pub ends: Vec<u32>,
}

impl Names {
    pub const fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The name at this index; empty if there is none.
    pub fn get(&self, index: NameIndex) -> &str {
        let at = index.0 as usize;
        let start = at
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(at).copied().unwrap_or(start);
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

/// Gives each different name an index, in the order of first use.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    names: Names,
    numbers: HashMap<Box<str>, NameIndex>,
}

impl Interner {
    pub fn intern(&mut self, name: &str) -> NameIndex {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let index = NameIndex(self.names.len());
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        self.numbers.insert(name.into(), index);
        index
    }

    pub fn finish(self) -> Names {
        self.names
    }
}
