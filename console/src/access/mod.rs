//! Who uses the console: passwords, sessions, roles.

mod password;
mod person;
mod session;

pub use password::{hash_password, is_acceptable_password};

pub(crate) use password::verify_password;
pub(crate) use person::{OperatorOnly, Person};
pub(crate) use session::{begin_session, end_session, is_locked_out, note_failure};
