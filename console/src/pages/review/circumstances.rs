//! What matching says about a pair that is asked about, and what each answer does to the records.

use schema::store::listings;
use schema::{Asked, ListingPair, ReviewAnswer, StoredListing};

use crate::error::ConsoleError;
use crate::language::Language;
use crate::questions::QueueState;
use crate::state::Console;

/// The state of matching when a question is asked.
pub(super) struct Circumstances {
    pub(super) asked: Asked,
    pub(super) adverts: (u64, u64),
    pub(super) weight: f64,
    same_record: bool,
}

/// What the page says about the records. Of a pair that was answered before it is what it said then, so that the answer
/// cannot be seen from it.
pub(super) async fn circumstances(
    console: &Console,
    pair: &ListingPair,
    both: &[StoredListing; 2],
    answers: &[ReviewAnswer],
) -> Result<Circumstances, ConsoleError> {
    let known = answers
        .iter()
        .find(|one| one.pair == *pair && one.asked != Asked::Chosen);
    if let Some(known) = known {
        return Ok(Circumstances {
            asked: known.asked,
            adverts: known.adverts,
            weight: known.weight,
            same_record: known.asked == Asked::Split,
        });
    }
    let same_record = both[0].offer_id.is_some() && both[0].offer_id == both[1].offer_id;
    if let QueueState::Ready(queue) = console.questions().current(console.now())
        && let Some(question) = queue.questions.iter().find(|one| one.pair == *pair)
    {
        return Ok(Circumstances {
            asked: question.asked,
            adverts: question.adverts,
            weight: question.agreement,
            same_record: question.asked == Asked::Split,
        });
    }
    let mut sizes = [1, 1];
    for (size, listing) in sizes.iter_mut().zip(both) {
        if let Some(record) = &listing.offer_id {
            *size = listings::of_offer(console.db(), record).await?.len() as u64;
        }
    }
    Ok(Circumstances {
        asked: Asked::Chosen,
        adverts: (sizes[0], sizes[1]),
        weight: 0.0,
        same_record,
    })
}

/// What each answer does to the records.
pub(super) fn effects(found: &Circumstances, l: Language) -> Vec<String> {
    let adverts = |count: u64| {
        l.counted(
            count,
            ["advert", "adverts"],
            ["inzerát", "inzeráty", "inzerátů"],
        )
    };
    let (left, right) = found.adverts;
    let all = if found.asked == Asked::Chosen && found.same_record {
        left
    } else {
        left + right
    };
    let same = match (l, found.same_record) {
        (Language::English, true) => {
            format!(
                "Same: the record of {} stays, and nothing splits it here.",
                adverts(all)
            )
        }
        (Language::English, false) => format!(
            "Same: the records of {} and {} become one of {}.",
            adverts(left),
            adverts(right),
            adverts(all)
        ),
        (Language::Czech, true) => {
            format!(
                "Stejná: záznam ({}) zůstane a tady se nerozdělí.",
                adverts(all)
            )
        }
        (Language::Czech, false) => format!(
            "Stejná: záznamy ({} a {}) se spojí v jeden ({}).",
            adverts(left),
            adverts(right),
            adverts(all)
        ),
    };
    let different = match (l, found.same_record, found.asked) {
        (Language::English, true, Asked::Chosen) => "Different: the record is split.".to_owned(),
        (Language::Czech, true, Asked::Chosen) => "Různé: záznam se rozdělí.".to_owned(),
        (Language::English, true, _) => format!(
            "Different: the record is split, about into {} and {}.",
            adverts(left),
            adverts(right)
        ),
        (Language::Czech, true, _) => format!(
            "Různé: záznam se rozdělí přibližně na {} a {}.",
            adverts(left),
            adverts(right)
        ),
        (_, false, _) => l
            .t(
                "Different: they stay apart for good.",
                "Různé: zůstanou natrvalo oddělené.",
            )
            .to_owned(),
    };
    let unsure = l.t(
        "Cannot tell: matching goes on to decide; somebody else is asked.",
        "Nelze říci: rozhoduje dál porovnávání; zeptáme se někoho jiného.",
    );
    vec![same, different, unsure.to_owned()]
}
