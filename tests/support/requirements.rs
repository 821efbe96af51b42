//! The build script of every crate with tests that need `../shared` or PostgreSQL. It sets `cfg(no_shared)` or
//! `cfg(no_postgres)` if that is absent. The tests are then ignored, so that cargo counts them.

#![expect(
    clippy::print_stdout,
    reason = "cargo reads the standard output of a build script"
)]

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(no_shared, no_postgres)");
    set("no_shared", &[shared()]);
    println!("cargo::rerun-if-env-changed=PG_BINDIR");
    println!("cargo::rerun-if-env-changed=JEDEN_TEST_POSTGRES_URL");
    if std::env::var_os("JEDEN_TEST_POSTGRES_URL").is_none() {
        set("no_postgres", &postgres());
    }
}

/// Sets a cfg if none of these files exists. The script runs again when the file that was found disappears. It cannot run
/// again when a file appears, because cargo would rebuild the crate every time for a file that is missing.
fn set(cfg: &str, files: &[PathBuf]) {
    match files.iter().find(|file| file.exists()) {
        Some(found) => println!("cargo::rerun-if-changed={}", found.display()),
        None => println!("cargo::rustc-cfg={cfg}"),
    }
}

/// A file of the folder `shared` beside the checkout.
fn shared() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&package)
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap_or(Path::new(".")).join("../shared/spec.md")
}

/// The paths at which PostgreSQL's `initdb` may be. `tests/support` looks in the same places.
fn postgres() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::env::var_os("PG_BINDIR")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql");
    folders.extend(
        versions
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path().join("bin")),
    );
    folders.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    folders
        .into_iter()
        .map(|folder| folder.join("initdb"))
        .collect()
}
