//! A replay that is killed at any moment and then repeated gives the same records as an undisturbed one.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use support::{databases, long_form, records, sqlite};

use super::dumps;
use super::jeden::Jeden;

/// Flats in the dump: enough listings (more than a thousand) that deduplication processes all of them at once and writes
/// in several transactions.
const FLATS: usize = 700;

#[tokio::test]
async fn a_killed_replay_that_is_repeated_gives_the_same_records() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("invented.jsonl");
    std::fs::write(&dump, dumps::invented(FLATS, 1).join("\n")).unwrap();
    let undisturbed = sqlite().await;
    let began = Instant::now();
    Jeden::on(&undisturbed.url).replay(&[&dump]);
    let whole = began.elapsed();
    let expected = records(&undisturbed.db).await;
    assert!(
        expected.keys().any(|keys| keys.len() > 1),
        "some listings are merged"
    );
    let mut rng = StdRng::seed_from_u64(1);
    // How often a replay is killed before it may end.
    let kills: u32 = if long_form() { 5 } else { 3 };
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let mut moments = Vec::new();
        for kill in 0..kills {
            // Later each time, so that every phase of the replay is interrupted.
            let moment =
                whole.mul_f64((f64::from(kill) + rng.random_range(0.0..1.0)) / f64::from(kills));
            moments.push(moment);
            kill_after(&jeden, &dump, moment);
        }
        jeden.replay(&[&dump]);
        let found = records(&database.db).await;
        let what = format!("killed after {moments:?} of {whole:?} on {}", database.name);
        assert_eq!(found.len(), expected.len(), "{what}");
        assert!(found == expected, "{what}");
    }
}

fn kill_after(jeden: &Jeden, dump: &std::path::Path, moment: Duration) {
    let mut command = jeden.command(&["replay", dump.to_str().unwrap()]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap();
}
