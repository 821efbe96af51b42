//! What happened to a record: when it appeared, changed its price, went and came back. It is computed from the adverts of
//! the record as they are now.

use futures::future::BoxFuture;
use ingest::intake::{self, LifeChange, LifeEvent};
use schema::store::{Db, StoreError, listings};
use schema::{OfferId, PriceSeries, Timestamp};

/// What happened to a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordChange {
    /// A portal showed it for the first time.
    New,
    /// A portal asks another price, CZK.
    Price {
        /// The portal.
        site_id: String,
        /// What it asked before.
        from: f64,
        /// What it asks now.
        to: f64,
    },
    /// The last portal that showed it ended it.
    Gone,
    /// A portal shows it again after all had ended it.
    Back,
}

/// Something that happened to a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordEvent {
    /// When.
    pub at: Timestamp,
    /// What.
    pub change: RecordChange,
}

/// Everything that happened to a record, in the order of time.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn events<'a>(
    db: &'a Db,
    id: &'a OfferId,
) -> BoxFuture<'a, Result<Vec<RecordEvent>, StoreError>> {
    Box::pin(async move {
        let members = listings::of_offer(db, id).await?;
        let mut lives = Vec::new();
        for member in &members {
            lives.push(intake::life(db, member).await?);
        }
        let prices: Vec<PriceSeries> = members.iter().map(PriceSeries::from_listing).collect();
        let mut events = presence(&lives);
        events.extend(price_changes(&prices));
        events.sort_by_key(|event| event.at);
        Ok(events)
    })
}

/// When a record appeared, went and came back, from the lives of its adverts. It is there while one of them is.
fn presence(lives: &[Vec<LifeEvent>]) -> Vec<RecordEvent> {
    let mut steps: Vec<(Timestamp, i32)> = lives
        .iter()
        .flatten()
        .map(|event| match event.change {
            LifeChange::Appeared | LifeChange::Returned => (event.at, 1),
            LifeChange::Gone { .. } | LifeChange::Missed { .. } => (event.at, -1),
        })
        .collect();
    // At one instant an advert that appears counts before one that goes: then the record was never gone.
    steps.sort_by_key(|(at, step)| (*at, -step));
    let (mut live, mut events) = (0, Vec::new());
    for (at, step) in steps {
        let was_live = live > 0;
        live += step;
        let change = match (was_live, live > 0) {
            (false, true) if events.is_empty() => RecordChange::New,
            (false, true) => RecordChange::Back,
            (true, false) => RecordChange::Gone,
            _ => continue,
        };
        events.push(RecordEvent { at, change });
    }
    events
}

/// Every change of price, portal by portal.
fn price_changes(series: &[PriceSeries]) -> impl Iterator<Item = RecordEvent> {
    series.iter().flat_map(|series| {
        let pairs = series.points.iter().zip(series.points.iter().skip(1));
        pairs.map(|(from, to)| RecordEvent {
            at: to.at,
            change: RecordChange::Price {
                site_id: series.site_id.clone(),
                from: from.price_total,
                to: to.price_total,
            },
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(events: &[(i64, bool)]) -> Vec<LifeEvent> {
        let event = |(index, (at, is_live)): (usize, &(i64, bool))| LifeEvent {
            at: Timestamp(*at),
            change: match (index, is_live) {
                (0, _) => LifeChange::Appeared,
                (_, true) => LifeChange::Returned,
                (_, false) => LifeChange::Gone { reason: None },
            },
        };
        events.iter().enumerate().map(event).collect()
    }

    #[test]
    fn a_record_is_gone_when_its_last_advert_is_and_back_with_the_first() {
        let lives = [
            life(&[(1, true), (5, false)]),
            life(&[(3, true), (8, false), (20, true)]),
        ];
        let told: Vec<(i64, RecordChange)> = presence(&lives)
            .into_iter()
            .map(|event| (event.at.0, event.change))
            .collect();
        assert_eq!(
            told,
            [
                (1, RecordChange::New),
                (8, RecordChange::Gone),
                (20, RecordChange::Back)
            ]
        );
    }

    #[test]
    fn an_advert_that_replaces_another_at_once_leaves_the_record_there() {
        let lives = [life(&[(1, true), (5, false)]), life(&[(5, true)])];
        assert_eq!(presence(&lives).len(), 1);
    }
}
