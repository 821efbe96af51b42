//! The figures of each day, for charts over time.

use futures::future::BoxFuture;
use schema::Timestamp;
use schema::store::daily_figures::{self, DailyFigure};
use schema::store::{Db, StoreError, figures};

use crate::status::{self, KEY_FIELDS};

const DAY: i64 = 86_400_000;

/// The day of an instant, counted from the epoch in UTC.
pub fn day_of(at: Timestamp) -> i64 {
    at.millis().div_euclid(DAY)
}

/// Stores the figures of the day of `now`: the live listings of each portal, the share of its newest ones that has each of
/// the key fields, and the size of the database.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn keep(db: &Db, now: Timestamp) -> BoxFuture<'_, Result<(), StoreError>> {
    Box::pin(async move {
        let day = day_of(now);
        let figure = |site_id: &str, name: &str, value: f64| DailyFigure {
            site_id: site_id.to_owned(),
            day,
            name: name.to_owned(),
            value,
        };
        let mut found = Vec::new();
        for portal in figures::listings(db).await? {
            let site = portal.site_id.as_str();
            found.push(figure(site, "live", portal.live as f64));
            if portal.live == 0 {
                continue;
            }
            let fields = status::fields_of(db, site).await?;
            found.extend(KEY_FIELDS.iter().map(|field| {
                let share = fields.filled.get(*field).copied().unwrap_or_default();
                figure(site, &format!("filled.{field}"), share)
            }));
        }
        let bytes: u64 = figures::table_sizes(db)
            .await?
            .iter()
            .map(|table| table.bytes)
            .sum();
        found.push(figure("", "bytes", bytes as f64));
        let mut tx = db.begin().await?;
        daily_figures::save(&mut tx, &found).await?;
        tx.commit().await
    })
}
