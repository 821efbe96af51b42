//! `jeden evaluate --reviewed`

use dedup::evaluation::{LabelledPairs, MatchedListings, PredictedClusters};
use dedup::worker::{self, Listings};
use operations::reviewed::{self, Agreement, Decided, Proportion};
use schema::store::review_answers;
use serde::Serialize;

use super::report::table;
use crate::progress::result;

/// How right matching is by the decisions of people.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reviewed {
    /// As it was when the questions were asked in the console.
    when_asked: Decided,
    /// As it is, without the decisions. Decisions made on the command line count too.
    without_decisions: Decided,
    /// How well the first and the repeated answers agree.
    agreement: Agreement,
}

/// Prints how right matching is on the pairs that people decided.
pub async fn run(listings: Listings<'_>, json: bool) -> anyhow::Result<()> {
    let answers = review_answers::all(listings.db).await?;
    let everything = worker::load_everything(listings).await?;
    let labels = LabelledPairs::from_reviews(&everything.reviews);
    let found = if labels.pairs.is_empty() {
        PredictedClusters::new()
    } else {
        MatchedListings::build(everything.table, everything.profiles, Vec::new()).predicted()
    };
    let measured = Reviewed {
        when_asked: reviewed::decided(&answers),
        without_decisions: reviewed::decided_by_clusters(&labels, &found),
        agreement: reviewed::agreement(&answers),
    };
    if json {
        return Ok(result(&serde_json::to_string_pretty(&measured)?)?);
    }
    Ok(show(&measured)?)
}

fn show(measured: &Reviewed) -> std::io::Result<()> {
    let mut rows = table(&["decided pairs", "precision", "recall"]);
    for (when, decided) in [
        ("matching when people were asked", &measured.when_asked),
        (
            "matching now, without decisions",
            &measured.without_decisions,
        ),
    ] {
        let cells = [decided.precision, decided.recall].map(proportion);
        rows.add_row([when.to_owned()].into_iter().chain(cells));
    }
    result(&rows.to_string())?;
    let Agreement { pairs, same, kappa } = measured.agreement;
    let kappa = kappa.map_or_else(String::new, |kappa| format!(", Cohen's kappa {kappa:.2}"));
    result(&format!(
        "{} pairs were left undecided; {pairs} pairs were asked twice, {same} with the same answer{kappa}",
        measured.when_asked.unsure
    ))
}

/// A share with its counts and its 95 % confidence interval.
fn proportion(found: Proportion) -> String {
    if found.whole == 0 {
        return "–".to_owned();
    }
    format!(
        "{:.4} ({} of {}; {:.2} to {:.2})",
        found.share(),
        found.part,
        found.whole,
        found.low,
        found.high
    )
}
