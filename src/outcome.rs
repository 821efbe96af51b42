//! How a command ended.

/// How a command ended, for the exit code: 0 done, 1 failed, 3 done with rejected input. Wrong usage exits with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The command did its work.
    Done,
    /// The command did its work, but kept some input that it could not read in the rejects.
    SomeRejected,
    /// The command failed and has already printed the reason.
    Failed,
}
