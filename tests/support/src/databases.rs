//! A fresh database for each test.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use schema::store::{DatabaseSettings, Db};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
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
    Folder { folder: TempDir },
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

/// A fresh SQLite file.
///
/// # Panics
/// If it cannot be created.
pub async fn sqlite() -> TestDatabase {
    static MIGRATED: OnceCell<Vec<u8>> = OnceCell::const_new();
    let content = MIGRATED.get_or_init(|| async {
        let database = sqlite_from(None).await;
        database.db.close().await;
        database.file_content()
    });
    sqlite_from(Some(content.await)).await
}

/// A SQLite file, a copy of these bytes if there are any.
async fn sqlite_from(content: Option<&[u8]>) -> TestDatabase {
    let folder = folder::for_databases().expect("a temporary folder");
    let file = folder.path().join("test.db");
    if let Some(content) = content {
        std::fs::write(&file, content).expect("a copy of the file");
    }
    let url = format!("sqlite://{}", file.display());
    let db = Db::open(&DatabaseSettings::new(&url))
        .await
        .expect("a fresh SQLite file");
    TestDatabase {
        name: "SQLite",
        db,
        url,
        home: Home::Folder { folder },
    }
}

/// Databases of one content, which is stored once in a test process and copied for each test.
#[derive(Debug, Default)]
pub struct Filled {
    sqlite: OnceCell<Vec<u8>>,
    /// Has no open connection, as PostgreSQL requires of a template.
    postgres: OnceCell<TestDatabase>,
}

impl Filled {
    /// No content yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sqlite: OnceCell::const_new(),
            postgres: OnceCell::const_new(),
        }
    }

    /// Like [`databases`](fn@databases), with the content that `fill` stores in a fresh database.
    ///
    /// # Panics
    /// If a database cannot be created or copied.
    pub async fn databases(&self, fill: impl AsyncFn(&TestDatabase)) -> Vec<TestDatabase> {
        let mut databases = vec![self.sqlite(&fill).await];
        match server() {
            Some(server @ Server::Private(_)) => {
                let filled = self.postgres.get_or_init(async || {
                    let database = server.database().await;
                    fill(&database).await;
                    database.db.close().await;
                    database
                });
                databases.push(server.copy(filled.await.name_on_server()).await);
            }
            // A database that stays behind on somebody's server is worse than filling it again.
            Some(server @ Server::Given(_)) => {
                let database = server.database().await;
                fill(&database).await;
                databases.push(database);
            }
            None => {}
        }
        databases
    }

    /// Only the SQLite file of [`Filled::databases`].
    ///
    /// # Panics
    /// If the file cannot be created or copied.
    pub async fn sqlite(&self, fill: impl AsyncFn(&TestDatabase)) -> TestDatabase {
        let content = self.sqlite.get_or_init(async || {
            let database = sqlite().await;
            fill(&database).await;
            database.db.close().await;
            database.file_content()
        });
        sqlite_from(Some(content.await)).await
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
        match self {
            Self::Given(_) => {
                let name = next_name();
                let text = format!("CREATE DATABASE {name}");
                create(&self.url("postgres"), &text).await;
                let db = migrated(&self.url(&name)).await;
                self.test_database(name, db)
            }
            Self::Private(_) => {
                static TEMPLATE: OnceCell<()> = OnceCell::const_new();
                TEMPLATE.get_or_init(|| self.make_template()).await;
                self.copy("jeden_template").await
            }
        }
    }

    /// A copy of a migrated database without connections.
    async fn copy(&self, template: &str) -> TestDatabase {
        let name = next_name();
        let text = format!("CREATE DATABASE {name} TEMPLATE {template}");
        create(&self.url("postgres"), &text).await;
        let db = Db::open(&DatabaseSettings::new(self.url(&name))).await;
        self.test_database(name, db.expect("a copy of the template"))
    }

    fn test_database(&self, database: String, db: Db) -> TestDatabase {
        TestDatabase {
            name: "PostgreSQL",
            db,
            url: self.url(&database),
            home: Home::Server {
                admin_url: self.url("postgres"),
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

/// A name that no other database of the server has.
fn next_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("jeden_test_{}_{number}", std::process::id())
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

/// The text that a statement on a separate connection answers.
pub(crate) async fn text(url: &str, statement: String) -> String {
    let mut connection = PgConnection::connect(url)
        .await
        .expect("the server can be reached");
    sqlx::query_scalar(AssertSqlSafe(statement))
        .fetch_one(&mut connection)
        .await
        .expect("the statement can be run")
}

impl TestDatabase {
    /// The number that a query answers, on a separate connection.
    ///
    /// # Panics
    /// If the query fails.
    pub async fn number(&self, query: &str) -> i64 {
        let query = AssertSqlSafe(query.to_owned());
        let found = if self.url.starts_with("sqlite") {
            let mut connection = SqliteConnection::connect(&self.url)
                .await
                .expect("the file can be opened");
            sqlx::query_scalar(query).fetch_one(&mut connection).await
        } else {
            let mut connection = PgConnection::connect(&self.url)
                .await
                .expect("the server can be reached");
            sqlx::query_scalar(query).fetch_one(&mut connection).await
        };
        found.expect("a number")
    }

    /// A database that exists on a server, migrated.
    pub(crate) async fn migrated(url: &str, admin_url: &str, database: &str) -> Self {
        Self {
            name: "PostgreSQL",
            db: migrated(url).await,
            url: url.to_owned(),
            home: Home::Server {
                admin_url: admin_url.to_owned(),
                database: database.to_owned(),
            },
        }
    }

    /// The bytes of a SQLite file that has been closed.
    fn file_content(&self) -> Vec<u8> {
        let Home::Folder { folder } = &self.home else {
            unreachable!("a SQLite file is in a folder")
        };
        std::fs::read(folder.path().join("test.db")).expect("the file")
    }

    fn name_on_server(&self) -> &str {
        match &self.home {
            Home::Server { database, .. } => database,
            Home::Folder { .. } => unreachable!("a file is on no server"),
        }
    }
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
