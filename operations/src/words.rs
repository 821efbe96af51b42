//! Explanations in plain words.

use dedup::explanation::{
    ConflictingListing, ExplainedPair, Inconsistency, RecordConfidence, SeparationReason,
};
use dedup::merging::{AppliedRule, PlaceRule};
use gazetteer::places::{How, Match};
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
        lines.extend(values(shown).map(|values| format!("                       {values}")));
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

/// How sure a record is.
pub fn confidence(confidence: &RecordConfidence) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((tie, probability)) = confidence.weakest_tie.as_ref().zip(confidence.probability) {
        let pair = format!("{} and {}", tie.left, tie.right);
        lines.push(match tie.weight {
            Some(weight) => format!(
                "It is one property with a probability of {}: its weakest tie, between {pair}, weighs {weight:+.1}.",
                per_cent(probability)
            ),
            None => format!("A person decided that {pair} are one property; no tie is weaker."),
        });
    }
    if let Some(rival) = &confidence.strongest_rival {
        let record = rival.record.as_ref();
        let record = record.map_or_else(String::new, |record| format!("record {record}, by "));
        let weight = rival.pair.weight.unwrap_or_default();
        lines.push(format!(
            "Its strongest rival is {record}{} and {}: the two weigh {weight:+.1} together, a probability of {}.",
            rival.pair.left,
            rival.pair.right,
            per_cent(rival.probability)
        ));
    }
    lines
}

/// A probability in per cent. Only a person's decision is certain.
pub fn per_cent(probability: f64) -> String {
    format!("{:.1} %", (probability * 100.0).clamp(0.1, 99.9))
}

/// How a merged value of the place differs from the published one, and by which rule.
pub fn applied_rule(applied: &AppliedRule) -> String {
    let published = &applied.published;
    match applied.rule {
        PlaceRule::OfficialSpelling => format!("official spelling of \"{published}\""),
        PlaceRule::NamedPlace => format!("the place that \"{published}\" names"),
        PlaceRule::OtherField => format!("\"{published}\" in another field of the listing"),
        PlaceRule::UsualForm => format!("usual form of \"{published}\""),
        PlaceRule::OfMunicipality => format!(
            "that of the record's municipality; published was \"{published}\", which lies elsewhere"
        ),
        PlaceRule::LeftOut => format!(
            "left out: \"{published}\" belongs to another place than the rest of the record"
        ),
    }
}

/// One line of a waterfall.
pub fn bar(bar: &Bar) -> String {
    format!(
        "  {:+7.1}  {:<11} {}",
        bar.weight, bar.comparison, bar.level
    )
}

/// The compared values; `None` if there are none.
pub fn values(bar: &Bar) -> Option<String> {
    match (bar.left.as_str(), bar.right.as_str()) {
        ("", "") => None,
        (left, right) if left == right => Some(format!("both: {left}")),
        (left, right) => Some(format!("{left}  |  {right}")),
    }
}

/// A decision with its time and reason.
pub fn decision(review: &Review) -> String {
    let verdict = match review.verdict {
        Verdict::Same => "a person decided that they are one property",
        Verdict::Different => "a person decided that they are different properties",
        Verdict::Forgotten => "a person withdrew a decision",
    };
    let reason = review
        .reason
        .as_deref()
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    format!("{verdict}, {}{reason}", review.decided_at)
}

/// Why two listings are in different records.
pub fn reason(reason: &SeparationReason) -> String {
    match reason {
        SeparationReason::Decided { decision: review } => format!("Decided: {}.", decision(review)),
        SeparationReason::Vetoed { veto } => format!("Forbidden: {veto}."),
        SeparationReason::NoCommonKey => "They share no blocking key, so they were never compared.".to_owned(),
        SeparationReason::LargeBlocks { blocks, bound } => {
            let blocks: Vec<String> =
                blocks.iter().map(|block| format!("{} ({} listings)", block.rule, block.listings)).collect();
            let blocks = blocks.join(", ");
            format!(
                "Every block that they share has more than {bound} listings, so they were never compared: {blocks}."
            )
        }
        SeparationReason::FiguresApart { rules } => format!(
            "They share only {}, and their size, price, rooms or floor are too far apart, so they were never compared.",
            rules.join(", ")
        ),
        SeparationReason::LowWeight { weight, needed } => {
            format!("The match weight is {weight:+.1}; a link needs {needed:+.1}.")
        }
        SeparationReason::LookAlikes { weight, left_over, .. } => format!(
            "The match weight is {weight:+.1}, but other listings match equally well. They leave {left_over:+.1}, which is not \
             enough: the evidence does not say which of the listings is the same property."
        ),
        SeparationReason::Inconsistent(found) => inconsistency(found),
        SeparationReason::NotYet => {
            "Nothing keeps them apart. Deduplication has not run since they changed; run `jeden replay`."
                .to_owned()
        }
    }
}

fn inconsistency(found: &Inconsistency) -> String {
    let named = |side: &ConflictingListing| match &side.one_with {
        Some(with) => format!("{}, which is in one record with {with},", side.listing),
        None => side.listing.to_string(),
    };
    let why = match (&found.decision, &found.veto, found.joint) {
        (Some(review), ..) => decision(review),
        (None, Some(veto), _) => veto.clone(),
        (None, None, joint) => {
            let joint = joint.map(|joint| {
                format!("; all adverts of the two records together weigh {joint:+.1}")
            });
            let joint = joint.unwrap_or_default();
            format!("their match weight is {:+.1}{joint}", found.weight)
        }
    };
    let (one, other) = (named(&found.one), named(&found.other));
    format!("The pair alone would join them, but {one} does not fit with {other}: {why}.")
        .replace(",:", ":")
}

/// Which words of a text name which place, and how.
pub fn place_match(part: &Match) -> String {
    let how = match part.how {
        How::Exact => "by its name",
        How::Alias => "by an alternative name",
        How::Declined => "by a declined form of its name",
        How::Abbreviated => "by an abbreviation",
        How::Misspelt => "by its name misspelt",
    };
    format!(
        "{:?} is the {} {}, {how}",
        part.text,
        part.level.name(),
        part.name
    )
}
