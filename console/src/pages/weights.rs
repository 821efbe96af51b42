//! The table of match weights, and what the decided pairs say of it.

use std::collections::HashMap;

use askama::Template;
use axum::extract::State;
use dedup::addresses::Addresses;
use dedup::explanation;
use dedup::weights::LEVELS;
use dedup::worker;
use schema::store::{Db, listings, reviews};
use schema::{ListingKey, Verdict};

use super::pair_view::comparison;
use super::{Page, page};
use crate::error::ConsoleError;
use crate::format;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// Of how many decided pairs the levels are counted, the newest ones.
const PAIRS: usize = 500;

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

/// How many decided pairs reach each level.
#[derive(Default)]
struct Reached {
    same: u64,
    different: u64,
    levels: HashMap<(String, String), (u64, u64)>,
}

/// GET /weights
pub(crate) async fn show(State(console): State<Console>, visit: Visit) -> Page {
    let l = visit.l;
    let addresses = console.addresses().await?;
    let reached = reached(console.db(), &addresses).await?;
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
            comparison: comparison(of, l).to_owned(),
            level: level.words,
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

/// Compares the decided pairs again and counts the levels that they reach.
async fn reached(db: &Db, addresses: &Addresses) -> Result<Reached, ConsoleError> {
    let mut tx = db.begin_read().await?;
    let mut decided = reviews::in_force(&mut tx).await?;
    decided.sort_by_key(|review| std::cmp::Reverse(review.decided_at));
    decided.truncate(PAIRS);
    let table = worker::weight_table(&mut tx).await?;
    let keys: Vec<ListingKey> = decided
        .iter()
        .flat_map(|review| [review.pair.left.clone(), review.pair.right.clone()])
        .collect();
    let stored: Vec<_> = listings::load(&mut tx, &keys)
        .await?
        .into_values()
        .collect();
    let profiles = worker::load_profiles(&mut tx, addresses, &stored).await?;
    tx.rollback().await?;
    let by_key: HashMap<&ListingKey, _> = profiles.iter().map(|one| (&one.key, one)).collect();
    let mut reached = Reached::default();
    for review in &decided {
        let both = by_key
            .get(&review.pair.left)
            .zip(by_key.get(&review.pair.right));
        let Some((left, right)) = both else { continue };
        let is_same = review.verdict == Verdict::Same;
        *if is_same {
            &mut reached.same
        } else {
            &mut reached.different
        } += 1;
        let pair = explanation::explain_pair(&table, left, right, &[]);
        for bar in pair.evidence.bars {
            let counts = reached
                .levels
                .entry((bar.comparison, bar.level))
                .or_default();
            *if is_same {
                &mut counts.0
            } else {
                &mut counts.1
            } += 1;
        }
    }
    Ok(reached)
}
