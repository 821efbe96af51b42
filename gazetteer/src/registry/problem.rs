//! What an import could not read.

use std::fmt;

/// Something that was left out because it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, with its folder or archive.
    pub file: String,
    /// The line, counted from 1; `None` for a whole file and in XML.
    pub line: Option<u64>,
    /// What is wrong, with the value found and what is accepted.
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}
