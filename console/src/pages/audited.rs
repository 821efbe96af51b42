//! Actions with their entry in the audit log.

use schema::store::Tx;
use schema::store::audit_log::{self, AuditEntry};

use crate::access::Person;
use crate::error::ConsoleError;
use crate::state::Console;

/// Notes an action in the transaction that does it.
pub(super) async fn note(
    tx: &mut Tx,
    console: &Console,
    person: &Person,
    (action, subject): (&str, &str),
    detail: Option<String>,
) -> Result<(), ConsoleError> {
    let entry = AuditEntry {
        at: console.now(),
        person: person.name.clone(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail,
    };
    Ok(audit_log::add(tx, &entry).await?)
}
