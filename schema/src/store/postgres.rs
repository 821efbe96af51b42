//! PostgreSQL: a primary, and possibly a read replica.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};

use super::database::{DatabaseSettings, Writing, with_quiet_log, without_credentials};
use super::error::{Result, StoreError};
use super::kept_connection::KeptConnection;
use super::usage::Marks;

/// The log target of PostgreSQL's notices, such as "relation already exists, skipping".
pub const REMARKS: &str = "sqlx::postgres::notice";

/// How long a caller waits for a connection.
const ACQUIRE: Duration = Duration::from_secs(5);
/// How long [`PostgresPools::ping`] waits.
const PING: Duration = Duration::from_secs(2);

/// How long a returned connection counts as alive without a test. Under load that saves a round trip; a server does not
/// restart within this time.
const FRESH: Duration = Duration::from_millis(100);

/// A cached plan from the time when a table was small would scan the table after it has grown.
const NEW_PLANS: &str = "SET plan_cache_mode = force_custom_plan";
/// To plan a statement about counts takes as long as to run it. It finds all rows of large tables by their keys.
const CACHED_PLANS: &str = "SET plan_cache_mode = force_generic_plan";

/// The connections to a PostgreSQL server, and to its replica.
#[derive(Debug, Clone)]
pub struct PostgresPools {
    primary: PgPool,
    replica: Option<PgPool>,
    counting: Arc<KeptConnection<PgConnection>>,
    reading_counts: Arc<KeptConnection<PgConnection>>,
    marks: Marks,
}

impl PostgresPools {
    pub(super) async fn connect(settings: &DatabaseSettings) -> Result<Self> {
        let primary = connect(&settings.url, settings.connections).await?;
        let replica = match &settings.read_url {
            Some(url) => Some(connect(url, settings.connections).await?),
            None => None,
        };
        let options = PgConnectOptions::clone(&primary.connect_options());
        let kept = || KeptConnection::new(options.clone(), Some(CACHED_PLANS));
        Ok(Self {
            primary,
            replica,
            counting: Arc::new(kept()),
            reading_counts: Arc::new(kept()),
            marks: Marks::default(),
        })
    }

    /// The connections to the primary.
    pub(super) fn write(&self) -> &PgPool {
        &self.primary
    }

    /// The connections to the primary: a replica may lag behind.
    pub(super) fn current(&self) -> &PgPool {
        &self.primary
    }

    /// The connections to the replica; to the primary if there is no replica.
    pub(super) fn replica(&self) -> &PgPool {
        self.replica.as_ref().unwrap_or(&self.primary)
    }

    /// The connection to the primary that counts requests.
    pub(super) fn counting(&self) -> &KeptConnection<PgConnection> {
        &self.counting
    }

    /// The connection to the primary that reads counts.
    pub(super) fn reading_counts(&self) -> &KeptConnection<PgConnection> {
        &self.reading_counts
    }

    /// The marks of statements that commit by themselves.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    pub(super) async fn ping(&self) -> Result<()> {
        let both = async {
            answers(&self.primary).await?;
            match &self.replica {
                Some(replica) => answers(replica).await,
                None => Ok(()),
            }
        };
        match tokio::time::timeout(PING, both).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(StoreError::Unreachable {
                reason: error.to_string(),
            }),
            Err(elapsed) => Err(StoreError::Unreachable {
                reason: elapsed.to_string(),
            }),
        }
    }

    pub(super) async fn try_write(&self) -> Result<Writing> {
        // PostgreSQL writes the row even though it does not change.
        let written = sqlx::query("UPDATE secrets SET value = value").execute(&self.primary);
        match tokio::time::timeout(PING, written).await {
            Ok(Ok(_)) => Ok(Writing::Done),
            Ok(Err(error)) => Err(StoreError::Unreachable {
                reason: error.to_string(),
            }),
            Err(elapsed) => Err(StoreError::Unreachable {
                reason: elapsed.to_string(),
            }),
        }
    }

    pub(super) async fn close(&self) {
        if let Some(replica) = &self.replica {
            replica.close().await;
        }
        self.counting.close().await;
        self.reading_counts.close().await;
        self.primary.close().await;
    }
}

/// Whether the server behind a pool answers. After a restart of the server, the connections that were used a moment before
/// are broken and not tested (see `before_acquire`). Each one that fails leaves the pool, so the question is asked again.
async fn answers(pool: &PgPool) -> sqlx::Result<()> {
    let mut untested = pool.size();
    loop {
        match sqlx::query("SELECT 1").execute(pool).await {
            Ok(_) => return Ok(()),
            Err(_) if untested > 0 => untested -= 1,
            Err(error) => return Err(error),
        }
    }
}

async fn connect(url: &str, connections: u32) -> Result<PgPool> {
    let shown = || without_credentials(url);
    let options = PgConnectOptions::from_str(url).map_err(|error| StoreError::Url {
        url: shown(),
        reason: error.to_string(),
    })?;
    let pool = PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(ACQUIRE);
    let pool = pool.after_connect(|connection, _| {
        Box::pin(async move { sqlx::query(NEW_PLANS).execute(connection).await.map(|_| ()) })
    });
    let pool = pool.after_release(|connection, _| Box::pin(is_alive(connection)));
    // The pool's own test before each use would test a connection again that was tested on its return.
    let pool = pool
        .test_before_acquire(false)
        .before_acquire(|connection, used| {
            Box::pin(async move { Ok(used.idle_for < FRESH || is_alive(connection).await?) })
        });
    let options = with_quiet_log(options.application_name("jeden"));
    match pool.connect_with(options.clone()).await {
        Ok(pool) => Ok(pool),
        Err(error) => Err(StoreError::Open {
            url: shown(),
            source: cause(error, &options).await,
        }),
    }
}

/// If a server refuses connections, the pool retries and finally reports only a timeout. A single connection reports the
/// actual error.
async fn cause(error: sqlx::Error, options: &PgConnectOptions) -> sqlx::Error {
    if !matches!(error, sqlx::Error::PoolTimedOut) {
        return error;
    }
    match tokio::time::timeout(PING, PgConnection::connect_with(options)).await {
        Ok(Err(cause)) => cause,
        _ => error,
    }
}

/// Whether a connection that returns to the pool may be used again. The pool tests this too, but without a timeout: if the
/// server's machine is gone, no connection would ever return.
async fn is_alive(connection: &mut PgConnection) -> sqlx::Result<bool> {
    match tokio::time::timeout(PING, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        // With an error the pool closes the connection without sending anything to the server.
        Err(elapsed) => Err(sqlx::Error::Io(elapsed.into())),
    }
}
