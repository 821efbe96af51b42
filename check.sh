#!/usr/bin/env bash
# Everything a change must pass, in the order in which it fails fastest. CI runs the same.
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
# Cargo counts for each test binary; this adds the counts up. What cargo calls ignored was skipped, with a reason.
awk '/^test result:/ { passed += $4; failed += $6; skipped += $8 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' target/check-tests.log
