//! A fresh database for each test.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use schema::store::{DatabaseSettings, Db};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::cluster::PostgresCluster;
use crate::folder;
use crate::programs::Programs;

/// A fresh, migrated database, which is deleted when this is dropped.
#[derive(Debug)]
pub struct TestDatabase {
    /// `SQLite` or `PostgreSQL`.
    pub name: &'static str,
    /// The open database.
    pub db: Db,
    /// Its address, to open it again.
    pub url: String,
    home: Home,
}

#[derive(Debug)]
enum Home {
    Folder { _folder: TempDir },
    Server { admin_url: String, database: String },
}

/// Runs a test on a fresh SQLite file, and on a fresh PostgreSQL database if a server is found.
///
/// # Panics
/// If the test panics, or a database cannot be created.
pub async fn on_each_database(test: impl AsyncFn(Db)) {
    for database in databases().await {
        test(database.db.clone()).await;
        database.db.close().await;
    }
}

/// A fresh SQLite file, and a fresh PostgreSQL database if a server is found.
///
/// # Panics
/// If a database cannot be created.
pub async fn databases() -> Vec<TestDatabase> {
    let mut databases = vec![sqlite().await];
    if let Some(server) = server() {
        databases.push(server.database().await);
    }
    databases
}

async fn sqlite() -> TestDatabase {
    let folder = folder::for_databases().expect("a temporary folder");
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    let db = Db::open(&DatabaseSettings::new(&url))
        .await
        .expect("a fresh SQLite file");
    TestDatabase {
        name: "SQLite",
        db,
        url,
        home: Home::Folder { _folder: folder },
    }
}

/// The server on which PostgreSQL databases are created.
#[derive(Debug)]
enum Server {
    Given(String),
    Private(PostgresCluster),
}

/// The server of this test process, found or started at first use.
fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER
        .get_or_init(|| {
            if let Ok(url) = std::env::var("JEDEN_TEST_POSTGRES_URL") {
                crate::notice(
                    "databases under test: SQLite, PostgreSQL of JEDEN_TEST_POSTGRES_URL",
                );
                return Some(Server::Given(url));
            }
            let Some(programs) = Programs::find() else {
                assert!(
                    !crate::required("postgres"),
                    "JEDEN_TEST_REQUIRE names postgres, but PostgreSQL is not installed"
                );
                crate::notice(
                    "databases under test: SQLite (PostgreSQL is skipped: it is not installed)",
                );
                return None;
            };
            let cluster = PostgresCluster::start_with(programs);
            let cluster = cluster.expect("PostgreSQL is installed but does not start");
            crate::notice("databases under test: SQLite, PostgreSQL in a private cluster");
            Some(Server::Private(cluster))
        })
        .as_ref()
}

impl Server {
    async fn database(&self) -> TestDatabase {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let database = format!("jeden_test_{}_{number}", std::process::id());
        let admin_url = self.url("postgres");
        let url = self.url(&database);
        let db = match self {
            Self::Given(_) => {
                create(&admin_url, &format!("CREATE DATABASE {database}")).await;
                migrated(&url).await
            }
            Self::Private(_) => {
                static TEMPLATE: OnceCell<()> = OnceCell::const_new();
                TEMPLATE.get_or_init(|| self.make_template()).await;
                create(
                    &admin_url,
                    &format!("CREATE DATABASE {database} TEMPLATE jeden_template"),
                )
                .await;
                Db::open(&DatabaseSettings::new(&url))
                    .await
                    .expect("a copy of the template")
            }
        };
        TestDatabase {
            name: "PostgreSQL",
            db,
            url,
            home: Home::Server {
                admin_url,
                database,
            },
        }
    }

    async fn make_template(&self) {
        create(&self.url("postgres"), "CREATE DATABASE jeden_template").await;
        migrated(&self.url("jeden_template")).await.close().await;
    }

    fn url(&self, database: &str) -> String {
        match self {
            Self::Private(cluster) => cluster.url(database),
            Self::Given(url) => with_database(url, database),
        }
    }
}

/// The address with another database in it.
fn with_database(url: &str, database: &str) -> String {
    let (address, parameters) = url
        .split_once('?')
        .map_or((url, None), |(one, other)| (one, Some(other)));
    let (scheme, rest) = address.split_once("://").expect("an address with a scheme");
    let host = rest.split_once('/').map_or(rest, |(host, _)| host);
    match parameters {
        Some(parameters) => format!("{scheme}://{host}/{database}?{parameters}"),
        None => format!("{scheme}://{host}/{database}"),
    }
}

async fn migrated(url: &str) -> Db {
    let db = Db::connect(&DatabaseSettings::new(url))
        .await
        .expect("the fresh database");
    db.migrate().await.expect("the migrations");
    db
}

async fn create(admin_url: &str, text: &str) {
    statement(admin_url, text.to_owned())
        .await
        .expect("a database can be created");
}

/// Runs one statement on a separate connection.
pub(crate) async fn statement(url: &str, text: String) -> Result<(), sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    sqlx::query(AssertSqlSafe(text))
        .execute(&mut connection)
        .await?;
    connection.close().await
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if std::thread::panicking() {
            crate::notice(&format!("the test failed on {}", self.name));
        }
        let Home::Server {
            admin_url,
            database,
        } = &self.home
        else {
            return;
        };
        let (admin_url, text) = (
            admin_url.clone(),
            format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)"),
        );
        // The test's own runtime may be shutting down, so this uses another one.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime
                .block_on(statement(&admin_url, text))
                .map_err(std::io::Error::other)
        });
        if !matches!(dropped.join(), Ok(Ok(()))) {
            crate::notice("a test database could not be dropped");
        }
    }
}
