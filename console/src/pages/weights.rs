//! The table of match weights, and what the decided pairs say of it.

use askama::Template;
use axum::extract::State;
use dedup::weights::LEVELS;
use dedup::worker;

use super::{Page, page};
use crate::format;
use crate::reached_levels::Reached;
use crate::state::Console;
use crate::visit::{Frame, Visit};
use crate::words;

#[derive(Template)]
#[template(path = "weights.html")]
struct WeightsPage {
    frame: Frame,
    note: String,
    levels: Vec<LevelRow>,
}

struct LevelRow {
    comparison: String,
    level: &'static str,
    weight: String,
    own: String,
    same: String,
    different: String,
    says: String,
}

/// GET /weights
pub(crate) async fn show(State(console): State<Console>, visit: Visit) -> Page {
    let l = visit.l;
    let addresses = console.addresses().await?;
    let reached = console.reached_levels().current(console.db(), &addresses);
    let reached = reached.await?;
    let mut tx = console.db().begin_read().await?;
    let table = worker::weight_table(&mut tx).await?;
    tx.rollback().await?;
    let rows = LEVELS.iter().map(|(of, level)| {
        let found = reached
            .levels
            .get(&((*of).to_owned(), level.words.to_owned()));
        let (same, different) = found.copied().unwrap_or_default();
        let weight = table.weight(*level);
        let is_own = weight.total_cmp(&level.weight).is_ne();
        LevelRow {
            comparison: words::comparison(of, l).to_owned(),
            level: words::level(level.words, l),
            weight: format::weight(f64::from(weight)),
            own: if is_own {
                format::weight(f64::from(level.weight))
            } else {
                String::new()
            },
            same: share(same, reached.same),
            different: share(different, reached.different),
            says: says(&reached, same, different),
        }
    });
    let pairs = l.counted(
        reached.same + reached.different,
        ["decided pair", "decided pairs"],
        [
            "rozhodnutá dvojice",
            "rozhodnuté dvojice",
            "rozhodnutých dvojic",
        ],
    );
    page(&WeightsPage {
        note: format!(
            "{pairs}; {} {}",
            l.t("prior", "předem"),
            format::weight(f64::from(table.prior()))
        ),
        levels: rows.collect(),
        frame: visit.frame("weights"),
    })
}

fn share(part: u64, whole: u64) -> String {
    if part == 0 {
        return String::new();
    }
    format!(
        "{} ({part})",
        format::share(part as f64 / whole.max(1) as f64, 1)
    )
}

/// log₂ of the ratio of the two shares, with half a pair added to each; empty if no decided pair reaches the level.
fn says(reached: &Reached, same: u64, different: u64) -> String {
    if same + different == 0 || reached.same == 0 || reached.different == 0 {
        return String::new();
    }
    let of = |part: u64, whole: u64| (part as f64 + 0.5) / (whole as f64 + 1.0);
    let ratio = of(same, reached.same) / of(different, reached.different);
    format::weight(ratio.log2())
}
