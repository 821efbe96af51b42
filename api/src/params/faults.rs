//! Faults of a query: at most one per parameter, in the order in which they were found.

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
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Notes a fault of the parameter `path`, unless one of its faults is noted already.
    pub fn add(&mut self, path: &str, message: impl Into<String>) {
        if !self.has(path) {
            self.0.push(Fault { path: path.to_owned(), message: message.into() });
        }
    }

    /// Notes a fault of the parameter `path` in the place of any that is noted already.
    pub fn replace(&mut self, path: &str, message: &str) {
        match self.0.iter_mut().find(|fault| fault.path == path) {
            Some(fault) => message.clone_into(&mut fault.message),
            None => self.add(path, message),
        }
    }

    /// Whether a fault of `path` is noted.
    pub fn has(&self, path: &str) -> bool {
        self.0.iter().any(|fault| fault.path == path)
    }

    /// Whether no parameter but these is at fault.
    pub fn concern_only(&self, paths: &[&str]) -> bool {
        self.0.iter().all(|fault| paths.contains(&fault.path.as_str()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `value` where there are no faults.
    ///
    /// # Errors
    /// The faults, where there are any.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }

    /// One entry per parameter.
    pub fn into_entries(self) -> Vec<Fault> {
        self.0
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}
