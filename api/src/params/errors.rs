//! The errors of a query, at most one for each parameter, in the order in which they were found.

use std::collections::HashMap;

/// What is wrong with one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamError {
    /// The name of the parameter.
    pub path: String,
    /// Which values are accepted, or that the parameter is unknown and which names are accepted.
    pub message: String,
}

/// The errors found so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParamErrors {
    entries: Vec<ParamError>,
    /// The index in `entries` by parameter, because a query may have thousands of names.
    by_path: HashMap<String, usize>,
}

impl ParamErrors {
    /// Adds an error of the parameter `path`, unless it already has one.
    pub fn add(&mut self, path: &str, message: impl Into<String>) {
        if !self.has(path) {
            self.by_path.insert(path.to_owned(), self.entries.len());
            self.entries.push(ParamError {
                path: path.to_owned(),
                message: message.into(),
            });
        }
    }

    /// Adds an error of the parameter `path`, in place of one that it may already have.
    pub(crate) fn replace(&mut self, path: &str, message: &str) {
        let entry = self.by_path.get(path);
        match entry.and_then(|index| self.entries.get_mut(*index)) {
            Some(error) => message.clone_into(&mut error.message),
            None => self.add(path, message),
        }
    }

    /// Whether the parameter `path` has an error.
    pub fn has(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }

    /// Whether all errors are of these parameters.
    pub(crate) fn concern_only(&self, paths: &[&str]) -> bool {
        self.entries
            .iter()
            .all(|error| paths.contains(&error.path.as_str()))
    }

    /// Whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// `value` if there are no errors.
    ///
    /// # Errors
    /// The errors, if there are any.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }

    /// The errors, one for each parameter.
    pub fn into_entries(self) -> Vec<ParamError> {
        self.entries
    }
}
