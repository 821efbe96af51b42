//! What people did in the console.

use askama::Template;
use axum::extract::{Query, State};
use schema::store::audit_log;
use serde::Deserialize;

use super::{Page, page};
use crate::access::OperatorOnly;
use crate::format;
use crate::state::Console;
use crate::visit::{Frame, Visit};

const SHOWN: u32 = 100;

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    frame: Frame,
    entries: Vec<Entry>,
    next: String,
}

struct Entry {
    at: String,
    person: String,
    action: String,
    subject: String,
    detail: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    before: Option<i64>,
}

/// GET /audit
pub(crate) async fn show(
    State(console): State<Console>,
    OperatorOnly(_): OperatorOnly,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Page {
    let entries = audit_log::list(console.db(), wanted.before, SHOWN).await?;
    let last = entries.last().filter(|_| entries.len() == SHOWN as usize);
    page(&AuditPage {
        frame: visit.frame("audit"),
        next: last.map(|(id, _)| id.to_string()).unwrap_or_default(),
        entries: entries
            .into_iter()
            .map(|(_, one)| Entry {
                at: format::time(one.at),
                person: one.person,
                action: one.action,
                subject: one.subject,
                detail: one.detail.unwrap_or_default(),
            })
            .collect(),
    })
}
