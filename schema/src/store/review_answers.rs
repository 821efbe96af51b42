//! What people answered in the console to the question whether two listings are one property.
//!
//! Matching reads only [`super::reviews`]: an answer that decides is stored there too. Here are also the answers that do
//! not decide anything: that a person cannot tell, and the blind repeats by which the agreement of reviewers is measured.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::Result;
use super::rejects::without_nul;
use super::transaction::{Tx, on_tx};
use crate::listing::ListingKey;
use crate::review::{Answer, Asked, ListingPair, ReviewAnswer};
use crate::timestamp::Timestamp;

/// Adds an answer.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn add<'a>(tx: &'a mut Tx, answer: &'a ReviewAnswer) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => sqlx::query(
        "INSERT INTO review_answers (left_site_id, left_offer_id, right_site_id, right_offer_id, answer, person, reason, \
         asked, left_adverts, right_adverts, weight, is_repeat, answered_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
    )
    .bind(&answer.pair.left.site_id)
    .bind(&answer.pair.left.offer_id)
    .bind(&answer.pair.right.site_id)
    .bind(&answer.pair.right.offer_id)
    .bind(answer.answer.as_str())
    .bind(without_nul(&answer.person))
    .bind(answer.reason.as_deref().map(without_nul))
    .bind(answer.asked.as_str())
    .bind(answer.adverts.0.cast_signed())
    .bind(answer.adverts.1.cast_signed())
    .bind(answer.weight)
    .bind(answer.is_repeat)
    .bind(answer.answered_at.millis())
    .execute(connection)
    .await?
    .rows_affected());
        Ok(())
    })
}

/// Every answer, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn all(db: &Db) -> BoxFuture<'_, Result<Vec<ReviewAnswer>>> {
    Box::pin(async move {
        let text = format!("SELECT {COLUMNS} FROM review_answers ORDER BY id");
        let rows: Vec<AnswerRow> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text)).fetch_all(pool).await?
        });
        rows.into_iter().map(AnswerRow::into_answer).collect()
    })
}

/// The answers about a pair, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn about<'a>(
    tx: &'a mut Tx,
    pair: &'a ListingPair,
) -> BoxFuture<'a, Result<Vec<ReviewAnswer>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT {COLUMNS} FROM review_answers WHERE left_site_id = $1 AND left_offer_id = $2 \
             AND right_site_id = $3 AND right_offer_id = $4 ORDER BY id"
        );
        let rows: Vec<AnswerRow> = on_tx!(tx, connection => {
            sqlx::query_as(AssertSqlSafe(text.as_str()))
                .bind(&pair.left.site_id)
                .bind(&pair.left.offer_id)
                .bind(&pair.right.site_id)
                .bind(&pair.right.offer_id)
                .fetch_all(connection)
                .await?
        });
        rows.into_iter().map(AnswerRow::into_answer).collect()
    })
}

const COLUMNS: &str = "id, left_site_id, left_offer_id, right_site_id, right_offer_id, answer, person, reason, asked, \
                       left_adverts, right_adverts, weight, is_repeat, answered_at";

row! {
    struct AnswerRow {
        id: i64,
        left_site_id: String,
        left_offer_id: String,
        right_site_id: String,
        right_offer_id: String,
        answer: String,
        person: String,
        reason: Option<String>,
        asked: String,
        left_adverts: i64,
        right_adverts: i64,
        weight: f64,
        is_repeat: bool,
        answered_at: i64,
    }
}

impl AnswerRow {
    fn into_answer(self) -> Result<ReviewAnswer> {
        let cell = |column| Cell {
            table: "review_answers",
            column,
            id: &self.id,
        };
        let answer: Answer = self
            .answer
            .parse()
            .map_err(|error| cell("answer").corrupt(error))?;
        let asked: Asked = self
            .asked
            .parse()
            .map_err(|error| cell("asked").corrupt(error))?;
        Ok(ReviewAnswer {
            pair: ListingPair {
                left: ListingKey {
                    site_id: self.left_site_id,
                    offer_id: self.left_offer_id,
                },
                right: ListingKey {
                    site_id: self.right_site_id,
                    offer_id: self.right_offer_id,
                },
            },
            answer,
            person: self.person,
            reason: self.reason,
            asked,
            adverts: (
                self.left_adverts.unsigned_abs(),
                self.right_adverts.unsigned_abs(),
            ),
            weight: self.weight,
            is_repeat: self.is_repeat,
            answered_at: Timestamp(self.answered_at),
        })
    }
}
