#!/usr/bin/env bash
# Everything that a change must pass, the fastest checks first. CI runs the same script.
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n== %s\n' "$*" >&2
    "$@"
}

step deploy/check.sh
step cargo fmt --all --check
step cargo clippy --workspace --all-targets -- -D warnings
RUSTDOCFLAGS='-D warnings' step cargo doc --workspace --no-deps --document-private-items
if command -v cargo-deny >/dev/null; then
    step cargo deny check licenses bans sources
else
    printf '\n== cargo deny is not installed: licences, bans and sources are not checked\n' >&2
fi
step cargo test --workspace | tee target/check-tests.log
# Cargo counts the tests of each binary; this adds the counts up. Tests that cargo calls ignored were skipped, for the
# reason that it prints.
awk '/^test result:/ { passed += $4; failed += $6; skipped += $8 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' target/check-tests.log
