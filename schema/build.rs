//! Rebuilds the crate when a migration is added: the migrations are embedded.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
