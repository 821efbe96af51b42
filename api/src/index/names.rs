//! Numeric codes for the names of districts and neighbourhoods.

use std::collections::HashMap;
use std::sync::Arc;

/// The code of no name.
pub(crate) const NO_NAME: u32 = u32::MAX;

/// The codes of the names that offers have. A name keeps its code for the life of the process. Names are never removed,
/// because there are few: some dozens of districts and some ten thousand neighbourhoods.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    districts: Dictionary,
    neighborhoods: Dictionary,
}

#[derive(Debug, Clone, Default)]
struct Dictionary(HashMap<Box<str>, u32>);

impl Dictionary {
    fn add(&mut self, name: &str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(name.into()).or_insert(next)
    }
}

impl Names {
    /// The code of a district.
    pub(crate) fn district(&self, name: &str) -> Option<u32> {
        self.districts.0.get(name).copied()
    }

    /// The code of a neighbourhood.
    pub(crate) fn neighborhood(&self, name: &str) -> Option<u32> {
        self.neighborhoods.0.get(name).copied()
    }

    /// The code of an offer's district. If the name is new, it gets a code; only then the shared names are copied.
    pub(crate) fn code_district(names: &mut Arc<Self>, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NO_NAME };
        match names.district(name) {
            Some(code) => code,
            None => Arc::make_mut(names).districts.add(name),
        }
    }

    /// The code of an offer's neighbourhood, like [`Names::code_district`].
    pub(crate) fn code_neighborhood(names: &mut Arc<Self>, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NO_NAME };
        match names.neighborhood(name) {
            Some(code) => code,
            None => Arc::make_mut(names).neighborhoods.add(name),
        }
    }
}
