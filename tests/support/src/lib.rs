//! Test databases shared by the tests of all crates.
//!
//! [`on_each_database`] runs a test on a fresh SQLite file, and on a fresh PostgreSQL database if a server is found.
//! [`databases`](fn@databases) returns the same databases as a list, [`Filled`] copies of databases with content. Servers are looked for in this order:
//!
//! 1. `JEDEN_TEST_POSTGRES_URL`, the address of a server on which databases may be created;
//! 2. a private cluster of the binaries in `$PG_BINDIR`, `/usr/lib/postgresql/*/bin` or `PATH`. It is started once per
//!    test binary, listens only on a socket in a temporary folder, and ends with the test process, even if that is killed.
//!
//! # Skipped tests
//!
//! A test that cannot run here is ignored, so that cargo counts it. `tests/support/requirements.rs`, the build script of
//! the crates with such tests, sets `cfg(no_shared)` if the folder `../shared` is absent and `cfg(no_postgres)` if
//! PostgreSQL is absent. [`check_requirements!`] adds two tests to a test binary: one is ignored if tests of databases run
//! on SQLite only, the other fails if something is absent that `JEDEN_TEST_REQUIRE=shared,postgres` names.
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
//! [`PostgresCluster`] is a private cluster that a test can stop, pause and start. [`hold`] and [`SmallDisk`] cause other
//! faults. [`records`](records()) and [`clusters`] read the merged records, and [`flat`] is one to store.

mod cluster;
mod databases;
mod faults;
mod folder;
mod http;
mod offers;
mod plans;
mod programs;
mod records;
pub mod simulator;

pub use cluster::{Paused, PostgresCluster};
pub use databases::{Filled, TestDatabase, databases, on_each_database, sqlite};
pub use faults::{Held, SmallDisk, execute, hold};
pub use http::{http_client, http_client_builder};
pub use offers::{flat, retire};
pub use records::{clusters, records};

/// Adds the tests that report missing requirements. Use it once in each test binary.
#[macro_export]
macro_rules! check_requirements {
    () => {
        #[test]
        #[cfg_attr(
            no_postgres,
            ignore = "skipped: PostgreSQL is not installed; tests of databases ran on SQLite only"
        )]
        fn tests_of_databases_run_on_postgresql() {}

        #[test]
        fn required_software_is_installed() {
            ::support::assert_not_required("shared", cfg!(no_shared));
            ::support::assert_not_required("postgres", cfg!(no_postgres));
        }
    };
}

/// Fails if a requirement is absent that `JEDEN_TEST_REQUIRE` names.
///
/// # Panics
/// If it is absent.
pub fn assert_not_required(name: &str, is_absent: bool) {
    assert!(
        !(is_absent && required(name)),
        "JEDEN_TEST_REQUIRE names {name:?}, which was absent when the tests were built; \
         once it is there, run `touch tests/support/requirements.rs` and the tests again"
    );
}

/// Writes past the capture of the test harness, because a notice is for the person who runs the tests.
fn notice(text: &str) {
    use std::io::Write;
    // A closed stderr must not fail the test.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether `JEDEN_TEST_LONG=1` asks for the long form of tests that take minutes.
pub fn long_form() -> bool {
    std::env::var("JEDEN_TEST_LONG").is_ok_and(|value| value == "1")
}

/// Whether `JEDEN_TEST_REQUIRE` has this name in its list.
fn required(name: &str) -> bool {
    std::env::var("JEDEN_TEST_REQUIRE").is_ok_and(|list| {
        list.split(',')
            .any(|entry| entry.trim().eq_ignore_ascii_case(name))
    })
}
