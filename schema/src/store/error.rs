//! Errors of the store.

/// An error of the store. Absence is not an error but `None` or `false`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A statement failed, or the database could not be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A migration failed, or the database was migrated by something else.
    #[error("migration: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The URL is not one of a database that the store can open.
    #[error("cannot use the database URL {url:?}: {reason}")]
    Url {
        /// The URL without user name and password.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The database could not be opened.
    #[error("cannot open the database {url}: {source}")]
    Open {
        /// The URL without user name and password.
        url: String,
        /// What the driver said.
        source: sqlx::Error,
    },
    /// The database does not answer.
    #[error("the database does not answer: {reason}")]
    Unreachable {
        /// What was tried, and what came of it.
        reason: String,
    },
    /// The database lacks migrations of this version of the program.
    #[error(
        "the database is at schema version {have}, this program needs {want}: run `jeden migrate`"
    )]
    Behind {
        /// The newest migration up to which none is missing; 0 for an empty database.
        have: i64,
        /// The newest migration known.
        want: i64,
    },
    /// A newer version of the program migrated the database.
    #[error(
        "the database is at schema version {have}, this program knows {want}: use the newer program"
    )]
    Ahead {
        /// The newest migration applied.
        have: i64,
        /// The newest migration known.
        want: i64,
    },
    /// A stored value cannot be read back.
    #[error("{table}.{column} of {id} cannot be read: {reason}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// What names the row.
        id: String,
        /// Why it cannot be read.
        reason: String,
    },
    /// A value cannot be stored.
    #[error("{what} cannot be stored: {reason}")]
    Unstorable {
        /// What the value is.
        what: &'static str,
        /// Why not.
        reason: String,
    },
    /// No account has this name.
    #[error("there is no account {name:?}; `jeden account list` lists the accounts")]
    NoAccount {
        /// The name asked for.
        name: String,
    },
    /// An account of this name exists already.
    #[error("an account {name:?} exists already; `jeden account list` lists the accounts")]
    AccountExists {
        /// The name asked for.
        name: String,
    },
    /// The name of a person of the console is used already, perhaps by someone who was removed.
    #[error(
        "the name {name:?} is or was used by a person of the console; choose another one, or set a new password with `jeden operator password {name}`"
    )]
    OperatorExists {
        /// The name asked for.
        name: String,
    },
    /// A number of requests was given for an account on a plan with a fixed number.
    #[error("requests a month can be set for the plan customV2 only, not for {plan} ({name:?})")]
    OverrideOutsideCustom {
        /// The account.
        name: String,
        /// Its plan's id.
        plan: &'static str,
    },
    /// No record has this id.
    #[error("there is no offer {id}")]
    NoOffer {
        /// The id asked for.
        id: String,
    },
    /// A record cannot be retired into itself.
    #[error("offer {id} cannot be retired into itself")]
    RetiredIntoItself {
        /// The record.
        id: String,
    },
    /// A worker of the queue failed.
    #[error("the queue of jobs failed: {reason}")]
    Queue {
        /// What failed, and why.
        reason: String,
    },
    /// The lock of deduplication, or of a portal's crawls, could not be taken.
    #[error("cannot lock {path}: {source}")]
    Lock {
        /// The lock file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}

/// What the store's functions return.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A [`StoreError::Corrupt`] for one value of one row.
pub(super) fn corrupt(
    table: &'static str,
    column: &'static str,
    id: impl std::fmt::Display,
    reason: impl std::fmt::Display,
) -> StoreError {
    StoreError::Corrupt {
        table,
        column,
        id: id.to_string(),
        reason: reason.to_string(),
    }
}
