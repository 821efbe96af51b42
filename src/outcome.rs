//! How a command ended, beside failing.

/// What the exit code says: 0 done, 3 done but some input was rejected. Failing is 1, wrong usage 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Done,
    /// Everything was done, but some input could not be read and is kept among the rejects.
    SomeRejected,
    /// It was not done, and the command has said why.
    Failed,
}
