//! Explanations in plain words.

use dedup::explanation::{Beside, ExplainedPair, Inconsistency, Reason};
use schema::{Bar, Review, Verdict};

/// A pair: why it was compared, its waterfall, and what a person decided about it.
pub fn pair(pair: &ExplainedPair) -> Vec<String> {
    let mut lines = waterfall(pair);
    lines.extend(
        pair.decision
            .as_ref()
            .map(|review| format!("  decided  {}", decision(review))),
    );
    lines
}

/// A pair: why it was compared, and its waterfall.
pub fn waterfall(pair: &ExplainedPair) -> Vec<String> {
    let mut lines = vec![format!("{} and {}", pair.left, pair.right)];
    if !pair.meets_by.is_empty() {
        lines.push(format!(
            "  compared because they share: {}",
            pair.meets_by.join(", ")
        ));
    }
    for shown in &pair.evidence.bars {
        lines.push(bar(shown));
        lines.extend(values(shown).map(|values| format!("                     {values}")));
    }
    if let Some(veto) = &pair.evidence.veto {
        lines.push(format!("     veto  {veto}"));
    }
    let odds = pair.evidence.weight;
    lines.push(format!(
        "  {odds:+7.1}  in all: odds of 2^{odds:.1} to 1 that both are one property"
    ));
    lines
}

/// One line of a waterfall.
pub fn bar(bar: &Bar) -> String {
    format!("  {:+7.1}  {:<9} {}", bar.weight, bar.comparison, bar.level)
}

/// The values that were compared; nothing where there are none to show.
pub fn values(bar: &Bar) -> Option<String> {
    match (bar.left.as_str(), bar.right.as_str()) {
        ("", "") => None,
        (left, right) if left == right => Some(format!("both: {left}")),
        (left, right) => Some(format!("{left}  |  {right}")),
    }
}

/// A decision, when and why.
pub fn decision(review: &Review) -> String {
    let verdict = match review.verdict {
        Verdict::Same => "a person says that they are one property",
        Verdict::Different => "a person says that they are different properties",
        Verdict::Forgotten => "a person took a decision back",
    };
    let reason = review
        .reason
        .as_deref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    format!("{verdict}, {}{reason}", review.decided_at)
}

/// Why two listings are in different records.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Decided { decision: review } => format!("Decided: {}.", decision(review)),
        Reason::Vetoed { veto } => format!("Forbidden: {veto}."),
        Reason::NoCommonKey => "They share no blocking key, so they were never compared.".to_owned(),
        Reason::LargeBlocks { blocks, bound } => {
            let blocks: Vec<String> =
                blocks.iter().map(|block| format!("{} ({} listings)", block.rule, block.listings)).collect();
            let blocks = blocks.join(", ");
            format!(
                "Every block that they share has more than {bound} listings, so they were never compared: {blocks}."
            )
        }
        Reason::FiguresApart { rules } => format!(
            "They share only {}, and their size, price, rooms or floor are far apart, so they were never compared.",
            rules.join(", ")
        ),
        Reason::LowWeight { weight, needed } => {
            format!("The evidence weighs {weight:+.1}; it takes {needed:+.1} to join two listings.")
        }
        Reason::LookAlikes { weight, left_over, .. } => format!(
            "The evidence weighs {weight:+.1}, but others look as much alike, so that {left_over:+.1} is left: it does \
             not tell which of them is the one."
        ),
        Reason::Inconsistent(found) => inconsistency(found),
        Reason::NotYet => {
            "Nothing stands against it: deduplication has not looked at them since something changed."
                .to_owned()
        }
    }
}

fn inconsistency(found: &Inconsistency) -> String {
    let beside = |side: &Beside| match &side.one_with {
        Some(with) => format!("{}, which is one with {with},", side.listing),
        None => side.listing.to_string(),
    };
    let why = match (&found.decision, &found.veto, found.mean) {
        (Some(review), ..) => decision(review),
        (None, Some(veto), _) => veto.clone(),
        (None, None, mean) => {
            let mean = mean.map(|mean| {
                format!("; the mean of all pairs is {mean:+.1}, and the worst counts beside it")
            });
            let mean = mean.unwrap_or_default();
            format!("their evidence weighs {:+.1}{mean}", found.weight)
        }
    };
    let (one, other) = (beside(&found.one), beside(&found.other));
    format!("The pair alone would join them, but {one} does not go with {other}: {why}.")
        .replace(",:", ":")
}
