//! Which levels the decided pairs reach, kept until a decision is made: comparing hundreds of pairs takes longer than a page
//! may take.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use dedup::addresses::Addresses;
use dedup::explanation;
use dedup::worker;
use schema::store::{Db, Tx, listings, reviews};
use schema::{ListingKey, Review, Timestamp, Verdict};

use crate::error::ConsoleError;

/// Of how many decided pairs the levels are counted, the newest ones.
const PAIRS: usize = 500;

/// How many decided pairs reach each level.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    pub(crate) same: u64,
    pub(crate) different: u64,
    /// How many pairs decided the same, and decided different, by comparison and level.
    pub(crate) levels: HashMap<(String, String), (u64, u64)>,
}

/// How many decisions are in force, and when the newest was made.
type Decisions = (usize, Option<Timestamp>);

/// Counts the levels, and keeps the counts.
#[derive(Default)]
pub(crate) struct ReachedLevels(RwLock<Option<(Decisions, Arc<Reached>)>>);

impl ReachedLevels {
    /// The levels that the newest decided pairs reach.
    pub(crate) async fn current(
        &self,
        db: &Db,
        addresses: &Addresses,
    ) -> Result<Arc<Reached>, ConsoleError> {
        let mut tx = db.begin_read().await?;
        let mut decided = reviews::in_force(&mut tx).await?;
        decided.sort_by_key(|review| std::cmp::Reverse(review.decided_at));
        let decisions = (
            decided.len(),
            decided.first().map(|newest| newest.decided_at),
        );
        if let Some(known) = self.known(decisions) {
            tx.rollback().await?;
            return Ok(known);
        }
        decided.truncate(PAIRS);
        let counted = Arc::new(reached(tx, addresses, &decided).await?);
        let kept = self.0.write();
        *kept.unwrap_or_else(PoisonError::into_inner) = Some((decisions, Arc::clone(&counted)));
        Ok(counted)
    }

    fn known(&self, wanted: Decisions) -> Option<Arc<Reached>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (decisions, reached) = kept.as_ref()?;
        (*decisions == wanted).then(|| Arc::clone(reached))
    }
}

/// Compares the decided pairs again and counts the levels that they reach.
async fn reached(
    mut tx: Tx,
    addresses: &Addresses,
    decided: &[Review],
) -> Result<Reached, ConsoleError> {
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
    for review in decided {
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
