//! Test databases shared by the tests of all crates.
//!
//! [`on_each_database`] runs a test on a fresh SQLite file, and on a fresh PostgreSQL database where a server is
//! found; [`databases`](fn@databases) hands out the same as a list. Servers are looked for in this order:
//!
//! 1. `JEDEN_TEST_POSTGRES_URL`, the address of a server on which databases may be created;
//! 2. a private cluster of the binaries in `$PG_BINDIR`, `/usr/lib/postgresql/*/bin` or `PATH`: started once per test
//!    binary, reached by a socket in a temporary folder only, gone with the test process however that ends.
//!
//! `JEDEN_TEST_REQUIRE=sqlite,postgres` makes the absence of one a failure instead of a notice.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! support::on_each_database(async |db| {
//!     assert_eq!(schema::store::listings::count(&db).await.unwrap(), 0);
//! })
//! .await;
//! # }
//! ```
//!
//! [`PostgresCluster`] is a cluster of a test's own, to stop, to pause and to start; [`hold`] and [`SmallDisk`] are other
//! faults. [`records`](records()) and [`clusters`] read what was merged.

mod cluster;
mod databases;
mod faults;
mod http;
mod programs;
mod records;
pub mod simulator;

pub use cluster::{Paused, PostgresCluster};
pub use databases::{TestDatabase, databases, on_each_database};
pub use faults::{Held, SmallDisk, execute, hold};
pub use http::{http_client, http_client_builder};
pub use records::{clusters, records};

/// Writes past the capture of the test harness: whoever runs the tests wants to know it in any case.
fn notice(text: &str) {
    use std::io::Write;
    // Nothing is lost when nobody listens.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether `JEDEN_TEST_LONG=1` asks for the long form of tests that take minutes.
pub fn long_form() -> bool {
    std::env::var("JEDEN_TEST_LONG").is_ok_and(|value| value == "1")
}

/// Whether `JEDEN_TEST_REQUIRE` names this database.
fn required(database: &str) -> bool {
    std::env::var("JEDEN_TEST_REQUIRE").is_ok_and(|list| {
        list.split(',')
            .any(|name| name.trim().eq_ignore_ascii_case(database))
    })
}
