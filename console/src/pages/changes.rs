//! What changed lately.

use askama::Template;
use axum::extract::State;
use schema::store::offers;
use schema::{Offer, OfferDetail};

use super::records::title;
use super::{Page, facts, page};
use crate::error::ConsoleError;
use crate::format;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// The newest changes that are shown.
const QUERY: &str = "includeInactive=true&limit=40";

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage {
    frame: Frame,
    rows: Vec<Row>,
}

struct Row {
    at: String,
    what: String,
    id: String,
    title: String,
    place: String,
}

/// GET /changes
pub(crate) async fn show(State(console): State<Console>, visit: Visit) -> Page {
    let found = console.search().await?.search_from_inside(QUERY).await;
    let found = found.map_err(|error| ConsoleError::Failed(error.to_string()))?;
    let mut rows = Vec::new();
    for offer in found.offers {
        let detail = offers::detail(console.db(), &offer.id).await?;
        rows.push(Row {
            at: format::time(offer.last_changed_at),
            what: what(&offer, detail.as_ref().map(|found| &found.detail), visit.l),
            title: title(&offer),
            place: facts::place(&offer.attributes),
            id: offer.id.to_string(),
        });
    }
    page(&ChangesPage {
        frame: visit.frame_with_refresh("changes", 20),
        rows,
    })
}

/// What the last change of a record was.
fn what(offer: &Offer, detail: Option<&OfferDetail>, l: Language) -> String {
    let at = offer.last_changed_at;
    if !offer.is_live {
        return l.t("gone", "zmizel").to_owned();
    }
    if offer.first_seen_at == at {
        return l.t("new", "nový").to_owned();
    }
    let links = detail
        .map(|detail| detail.portal_links.as_slice())
        .unwrap_or_default();
    if let Some(link) = links.iter().find(|link| link.first_seen_at == at) {
        let also = l.t("also on", "také na");
        return format!("{also} {}", link.site_id);
    }
    let series = detail
        .map(|detail| detail.price_history.as_slice())
        .unwrap_or_default();
    for one in series {
        if let [.., before, after] = &*one.points
            && after.at == at
        {
            return format!(
                "{} → {}",
                format::price(before.price_total),
                format::price(after.price_total)
            );
        }
    }
    l.t("changed", "změněn").to_owned()
}
