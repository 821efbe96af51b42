//! One connection that is kept for one purpose.
//!
//! A pool asks each connection that returns whether it is alive, which takes as long as a short statement, and it makes no
//! difference between statements whose plans may be cached and others. Counts of requests need neither.

use std::time::Duration;

use sqlx::{Connection, Executor};
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

use super::error::Result;

/// How long an unused connection counts as alive without a test.
const FRESH: Duration = Duration::from_millis(100);

/// One connection, opened when it is needed, and again after a failure.
#[derive(Debug)]
pub(super) struct KeptConnection<C: Connection> {
    options: C::Options,
    first: Option<&'static str>,
    place: Mutex<Place<C>>,
}

#[derive(Debug)]
enum Place<C> {
    /// No connection is open, or a caller has it.
    Empty,
    /// A connection, and since when it is unused.
    Idle(C, Instant),
    /// There will be no connection any more.
    Closed,
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
            place: Mutex::new(Place::Empty),
        }
    }

    /// Waits for the connection, and opens it if need be.
    ///
    /// # Errors
    /// [`super::error::StoreError::Database`].
    pub(super) async fn lend(&self) -> Result<Lent<'_, C>> {
        let mut place = self.place.lock().await;
        match std::mem::replace(&mut *place, Place::Empty) {
            Place::Idle(mut connection, since) => {
                if since.elapsed() < FRESH || connection.ping().await.is_ok() {
                    return Ok(Lent { connection, place });
                }
            }
            Place::Empty => {}
            Place::Closed => {
                *place = Place::Closed;
                return Err(sqlx::Error::PoolClosed.into());
            }
        }
        let mut connection = C::connect_with(&self.options).await?;
        if let Some(first) = self.first {
            connection.execute(first).await?;
        }
        Ok(Lent { connection, place })
    }

    /// Waits until nothing uses the connection, and closes it for good.
    pub(super) async fn close(&self) {
        let mut place = self.place.lock().await;
        if let Place::Idle(connection, _) = std::mem::replace(&mut *place, Place::Closed) {
            // A connection that cannot be closed is closed already.
            drop(connection.close().await);
        }
    }
}

/// The connection while it is used. It is closed if it is dropped without [`Lent::keep`], because a statement may still be
/// under way then.
pub(super) struct Lent<'a, C: Connection> {
    connection: C,
    place: MutexGuard<'a, Place<C>>,
}

impl<C: Connection> Lent<'_, C> {
    /// The connection, for a statement.
    pub(super) fn connection(&mut self) -> &mut C {
        &mut self.connection
    }

    /// Keeps the connection for the next use.
    pub(super) fn keep(mut self) {
        *self.place = Place::Idle(self.connection, Instant::now());
    }
}
