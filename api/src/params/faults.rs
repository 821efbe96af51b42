//! Faults of a query: at most one per parameter, in the order in which they were found.

use std::collections::HashMap;

use serde::Serialize;

/// What is wrong with one parameter: an entry of the error body's `details`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The parameter.
    pub path: String,
    /// What it accepts, or that it is unknown and which names are.
    pub message: String,
}

/// The faults found so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults {
    entries: Vec<Fault>,
    /// Where the entry of a parameter stands: a query may name thousands.
    places: HashMap<String, usize>,
}

impl Faults {
    /// Notes a fault of the parameter `path`, unless one of its faults is noted already.
    pub fn add(&mut self, path: &str, message: impl Into<String>) {
        if !self.has(path) {
            self.places.insert(path.to_owned(), self.entries.len());
            self.entries.push(Fault {
                path: path.to_owned(),
                message: message.into(),
            });
        }
    }

    /// Notes a fault of the parameter `path` in the place of any that is noted already.
    pub fn replace(&mut self, path: &str, message: &str) {
        match self
            .places
            .get(path)
            .and_then(|place| self.entries.get_mut(*place))
        {
            Some(fault) => message.clone_into(&mut fault.message),
            None => self.add(path, message),
        }
    }

    /// Whether a fault of `path` is noted.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// Whether no parameter but these is at fault.
    pub fn concern_only(&self, paths: &[&str]) -> bool {
        self.entries
            .iter()
            .all(|fault| paths.contains(&fault.path.as_str()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// `value` where there are no faults.
    ///
    /// # Errors
    /// The faults, where there are any.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// One entry per parameter.
    pub fn into_entries(self) -> Vec<Fault> {
        self.entries
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        let mut faults = Self::default();
        faults.add(&fault.path, fault.message);
        faults
    }
}
