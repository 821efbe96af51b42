//! Why two listings are apart, how sure a record is, and what people decided.

use dedup::explanation::{
    ConflictingListing, Inconsistency, RecordConfidence, SeparationReason, WeighedPair,
};
use operations::words;
use schema::{Review, Verdict};

use super::names::{blocking_rules, veto};
use crate::format;
use crate::language::Language;

/// A decision with its time and reason.
pub(crate) fn decision(review: &Review, l: Language) -> String {
    if l == Language::English {
        return words::decision(review);
    }
    let verdict = match review.verdict {
        Verdict::Same => "člověk rozhodl, že jde o jednu nemovitost",
        Verdict::Different => "člověk rozhodl, že jde o různé nemovitosti",
        Verdict::Forgotten => "člověk rozhodnutí odvolal",
    };
    let reason = review.reason.as_deref();
    let reason = reason.map(|reason| format!(": {reason}"));
    format!(
        "{verdict}, {}{}",
        format::time(review.decided_at),
        reason.unwrap_or_default()
    )
}

/// Why two listings are in different records.
pub(crate) fn reason(reason: &SeparationReason, l: Language) -> String {
    if l == Language::English {
        return words::reason(reason);
    }
    match reason {
        SeparationReason::Decided { decision: review } => {
            format!("Rozhodnuto: {}.", decision(review, l))
        }
        SeparationReason::Vetoed { veto: words } => format!("Zakázáno: {}.", veto(words, l)),
        SeparationReason::NoCommonKey => {
            "Nemají společný blokovací klíč, takže nebyly nikdy porovnány.".to_owned()
        }
        SeparationReason::LargeBlocks { blocks, bound } => {
            let blocks = blocks.iter().map(|block| {
                let rule = blocking_rules(&[block.rule], l);
                format!("{rule} ({} inzerátů)", format::count(block.listings as u64))
            });
            let blocks: Vec<String> = blocks.collect();
            format!(
                "Každý blok, který sdílejí, má více než {bound} inzerátů, takže nebyly nikdy porovnány: {}.",
                blocks.join(", ")
            )
        }
        SeparationReason::FiguresApart { rules } => format!(
            "Sdílejí jen {} a plochou, cenou, pokoji nebo podlažím jsou příliš daleko od sebe, takže nebyly nikdy porovnány.",
            blocking_rules(rules, l)
        ),
        SeparationReason::LowWeight { weight, needed } => format!(
            "Váha shody je {}; ke spojení je třeba {}.",
            format::weight(*weight),
            format::weight(*needed)
        ),
        SeparationReason::LookAlikes {
            weight, left_over, ..
        } => format!(
            "Váha shody je {}, ale jiné inzeráty odpovídají stejně dobře. Zbývá po nich {}, což nestačí: důkazy neříkají, \
             který z inzerátů je táž nemovitost.",
            format::weight(*weight),
            format::weight(*left_over)
        ),
        SeparationReason::Inconsistent(found) => inconsistency(found, l),
        SeparationReason::NotYet => {
            "Nic je nedrží od sebe. Deduplikace od jejich změny neběžela; spusťte `jeden replay`."
                .to_owned()
        }
    }
}

fn inconsistency(found: &Inconsistency, l: Language) -> String {
    let named = |side: &ConflictingListing| match &side.one_with {
        Some(with) => format!("{} (v jednom záznamu s {with})", side.listing),
        None => side.listing.to_string(),
    };
    let why = match (&found.decision, &found.veto, found.joint) {
        (Some(review), ..) => decision(review, l),
        (None, Some(words), _) => veto(words, l).to_owned(),
        (None, None, joint) => {
            let joint = joint.map(|joint| {
                let joint = format::weight(joint);
                format!("; všechny inzeráty obou záznamů dohromady váží {joint}")
            });
            let weight = format::weight(found.weight);
            format!("jejich váha shody je {weight}{}", joint.unwrap_or_default())
        }
    };
    let (one, other) = (named(&found.one), named(&found.other));
    format!("Sama dvojice by se spojila, ale {one} nesedí k {other}: {why}.")
}

/// How sure a record is.
pub(crate) fn confidence(confidence: &RecordConfidence, l: Language) -> Vec<String> {
    if l == Language::English {
        return words::confidence(confidence);
    }
    let mut lines = Vec::new();
    if let Some((tie, probability)) = confidence.weakest_tie.as_ref().zip(confidence.probability) {
        let WeighedPair {
            left,
            right,
            weight,
        } = tie;
        lines.push(match weight {
            Some(weight) => format!(
                "Jednou nemovitostí je s pravděpodobností {}: nejslabší pouto, mezi {left} a {right}, váží {}.",
                probably(probability),
                format::weight(*weight)
            ),
            None => format!(
                "Člověk rozhodl, že {left} a {right} jsou jedna nemovitost; žádné pouto není slabší."
            ),
        });
    }
    if let Some(rival) = &confidence.strongest_rival {
        let record = rival.record.as_ref();
        let record = record.map_or_else(String::new, |record| format!("záznam {record}, přes "));
        lines.push(format!(
            "Nejbližší jiný záznam: {record}{} a {}; dohromady váží {}, pravděpodobnost {}.",
            rival.pair.left,
            rival.pair.right,
            format::weight(rival.pair.weight.unwrap_or_default()),
            probably(rival.probability)
        ));
    }
    lines
}

/// A probability. Only a person's decision is certain.
fn probably(probability: f64) -> String {
    format::share(probability.clamp(0.001, 0.999), 1)
}

#[cfg(test)]
mod tests {
    use schema::ListingKey;

    use super::*;

    #[test]
    fn reasons_are_said_in_the_language_of_the_page() {
        let found = SeparationReason::Inconsistent(Box::new(Inconsistency {
            one: ConflictingListing {
                listing: ListingKey::new("a", "1"),
                one_with: Some(ListingKey::new("b", "2")),
            },
            other: ConflictingListing {
                listing: ListingKey::new("c", "3"),
                one_with: None,
            },
            decision: None,
            veto: Some("different unit numbers".to_owned()),
            weight: 1.0,
            joint: None,
        }));
        assert_eq!(
            reason(&found, Language::Czech),
            "Sama dvojice by se spojila, ale a/1 (v jednom záznamu s b/2) nesedí k c/3: různá čísla jednotek."
        );
        assert!(reason(&found, Language::English).contains("different unit numbers"));
        let low = SeparationReason::LowWeight {
            weight: -1.25,
            needed: 0.0,
        };
        assert_eq!(
            reason(&low, Language::Czech),
            "Váha shody je −1,2; ke spojení je třeba 0,0."
        );
    }
}
