//! Numeric codes for the names of districts and neighbourhoods.

use std::collections::HashMap;
use std::sync::Arc;

use gazetteer::filter_names::{district_filter_key, quarter_filter_key};

/// The code of no name.
pub(crate) const NO_NAME: u32 = u32::MAX;

/// The codes of the names that offers have. Names of one place, as filters understand them, have one code. A name keeps
/// its code for the life of the process. Names are never removed, because there are few: some dozens of districts and some
/// ten thousand neighbourhoods.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    districts: Dictionary,
    neighborhoods: Dictionary,
}

#[derive(Debug, Clone, Default)]
struct Dictionary {
    /// By the name as offers have it.
    names: HashMap<Box<str>, u32>,
    /// By the key that all names of the place share.
    keys: HashMap<Box<str>, u32>,
}

impl Dictionary {
    fn add(&mut self, name: &str, key: &str) -> u32 {
        let next = self.keys.len() as u32;
        let code = *self.keys.entry(key.into()).or_insert(next);
        self.names.insert(name.into(), code);
        code
    }

    /// The code of a name as offers have it, or of another name of the same place.
    fn find(&self, name: &str, key: impl FnOnce(&str) -> String) -> Option<u32> {
        let code = self.names.get(name);
        code.or_else(|| self.keys.get(key(name).as_str())).copied()
    }
}

impl Names {
    /// The code of the district that a filter names.
    pub(crate) fn district(&self, name: &str) -> Option<u32> {
        self.districts.find(name, district_filter_key)
    }

    /// A name of each district, by code: of several names that one has, the longest, which has its diacritics and is the
    /// same in every process.
    pub(crate) fn district_names(&self) -> Vec<Box<str>> {
        let mut names: Vec<Box<str>> = vec![Box::default(); self.districts.keys.len()];
        for (name, code) in &self.districts.names {
            if let Some(known) = names.get_mut(*code as usize)
                && (name.len(), name) > (known.len(), known)
            {
                known.clone_from(name);
            }
        }
        names
    }

    /// The code of the neighbourhood that a filter names.
    pub(crate) fn neighborhood(&self, name: &str) -> Option<u32> {
        self.neighborhoods.find(name, quarter_filter_key)
    }

    /// The code of an offer's district. If the name is new, it gets a code; only then the shared names are copied.
    pub(crate) fn code_district(names: &mut Arc<Self>, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NO_NAME };
        if let Some(code) = names.districts.names.get(name) {
            return *code;
        }
        let key = district_filter_key(name);
        Arc::make_mut(names).districts.add(name, &key)
    }

    /// The code of an offer's neighbourhood, like [`Names::code_district`].
    pub(crate) fn code_neighborhood(names: &mut Arc<Self>, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NO_NAME };
        if let Some(code) = names.neighborhoods.names.get(name) {
            return *code;
        }
        let key = quarter_filter_key(name);
        Arc::make_mut(names).neighborhoods.add(name, &key)
    }
}
