//! The values of one field that were left out of a portal's listings lately.

use askama::Template;
use axum::extract::{Path, Query, State};
use schema::store::value_rejects;
use serde::Deserialize;

use super::{Page, page};
use crate::state::Console;
use crate::visit::{Frame, Visit};

const SHOWN: u32 = 200;

#[derive(Template)]
#[template(path = "left_out.html")]
struct LeftOutPage {
    frame: Frame,
    site: String,
    field: String,
    values: Vec<Shown>,
}

struct Shown {
    listing: String,
    value: String,
    reason: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    field: String,
}

/// GET /portals/{site}/left-out
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Path(site): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Page {
    let values = value_rejects::newest(console.db(), &site, &wanted.field, SHOWN).await?;
    page(&LeftOutPage {
        frame: visit.frame("overview"),
        site,
        field: wanted.field,
        values: values
            .into_iter()
            .map(|one| Shown {
                listing: one.key.to_string(),
                value: one.reject.value,
                reason: one.reject.reason,
            })
            .collect(),
    })
}
