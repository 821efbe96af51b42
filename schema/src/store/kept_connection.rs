//! One connection that is kept for one purpose.
//!
//! A pool asks each connection that returns whether it is alive, which takes as long as a short statement, and it makes no
//! difference between statements whose plans may be cached and others. Counting requests needs neither.

use std::time::Duration;

use sqlx::{Connection, Executor};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

use super::error::{Result, StoreError};

/// How long an unused connection counts as alive without a test.
const FRESH: Duration = Duration::from_millis(100);

/// One connection, opened when it is needed, and again after a failure.
#[derive(Debug)]
pub(super) struct KeptConnection<C: Connection> {
    options: C::Options,
    first: Option<&'static str>,
    idle: Mutex<Option<Idle<C>>>,
}

#[derive(Debug)]
struct Idle<C> {
    connection: C,
    since: Instant,
}

impl<C> KeptConnection<C>
where
    C: Connection,
    for<'c> &'c mut C: Executor<'c, Database = C::Database>,
{
    /// A connection with these options, on which `first` is run before all other statements.
    pub(super) fn new(options: C::Options, first: Option<&'static str>) -> Self {
        Self {
            options,
            first,
            idle: Mutex::new(None),
        }
    }

    /// Waits for the connection, and opens it if need be.
    ///
    /// # Errors
    /// [`StoreError::Unreachable`] if that takes longer than `patience`, and [`StoreError::Database`].
    pub(super) async fn lend(&self, patience: Duration) -> Result<Lent<'_, C>> {
        let lent = async {
            let mut place = self.idle.lock().await;
            if let Some(mut idle) = place.take()
                && (idle.since.elapsed() < FRESH || idle.connection.ping().await.is_ok())
            {
                let connection = idle.connection;
                return Ok(Lent { connection, place });
            }
            let mut connection = C::connect_with(&self.options).await?;
            if let Some(first) = self.first {
                connection.execute(first).await?;
            }
            Ok(Lent { connection, place })
        };
        in_time(patience, lent).await
    }

    /// Waits until nothing uses the connection, and closes it.
    pub(super) async fn close(&self) {
        if let Some(idle) = self.idle.lock().await.take() {
            // A connection that cannot be closed is closed already.
            drop(idle.connection.close().await);
        }
    }
}

/// The connection while it is used. It is closed if it is dropped without [`Lent::keep`], because then nobody knows whether
/// a statement is still under way.
pub(super) struct Lent<'a, C: Connection> {
    connection: C,
    place: MutexGuard<'a, Option<Idle<C>>>,
}

impl<C: Connection> Lent<'_, C> {
    /// The connection, for a statement.
    pub(super) fn connection(&mut self) -> &mut C {
        &mut self.connection
    }

    /// Keeps the connection for the next use.
    pub(super) fn keep(mut self) {
        *self.place = Some(Idle {
            connection: self.connection,
            since: Instant::now(),
        });
    }
}

/// Limits how long something may take.
///
/// # Errors
/// [`StoreError::Unreachable`] if it takes longer than `patience`.
pub(super) async fn in_time<T>(
    patience: Duration,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    match tokio::time::timeout(patience, work).await {
        Ok(done) => done,
        Err(_) => Err(StoreError::Unreachable {
            reason: format!("no answer within {patience:?}"),
        }),
    }
}
