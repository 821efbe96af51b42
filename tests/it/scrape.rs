//! `jeden scrape` crawls a simulated portal once.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::listings;
use support::simulator::portals::SIMULATED;
use support::simulator::{Condition, Simulator};
use support::{TestDatabase, databases, records, sqlite};
use tempfile::TempDir;

use super::jeden::{Jeden, Ran, program, ran};

/// A database, simulated portals, and the settings to crawl them.
struct Stage {
    database: TestDatabase,
    simulator: Simulator,
    folder: TempDir,
}

impl Stage {
    async fn with(adverts: u64) -> Self {
        Self::on(sqlite().await, adverts)
    }

    fn on(database: TestDatabase, adverts: u64) -> Self {
        let simulator = Simulator::start(SIMULATED, adverts, 7);
        let folder = tempfile::tempdir().unwrap();
        let stage = Self {
            database,
            simulator,
            folder,
        };
        stage.settings("permission = \"it is a simulation\"");
        stage
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the settings: a fast pace for every portal, and the lines in `more`.
    fn settings(&self, more: &str) {
        let mut settings = "contact = \"crawler@example.org\"\n".to_owned();
        for portal in SIMULATED {
            write!(
                settings,
                "[portals.{}]\npace = \"2ms\"\nconcurrency = 4\n{more}\n",
                portal.site_id
            )
            .unwrap();
        }
        std::fs::write(self.file("jeden.toml"), settings).unwrap();
    }

    fn command(&self, site_id: &str, arguments: &[&str]) -> Command {
        let config = self.file("jeden.toml");
        let base = self.simulator.base_url();
        let fixed = [
            "scrape",
            site_id,
            "--base-url",
            &base,
            "--config",
            config.to_str().unwrap(),
        ];
        Jeden::on(&self.database.url).command(&[&fixed, arguments].concat())
    }

    fn scrape(&self, site_id: &str, arguments: &[&str]) -> Ran {
        ran(&mut self.command(site_id, arguments))
    }

    fn jeden(&self) -> Jeden {
        Jeden::on(&self.database.url)
    }

    fn asked(&self) -> usize {
        std::mem::take(&mut self.simulator.world().requests).len()
    }
}

#[tokio::test]
async fn a_portal_is_crawled_and_merged_and_unchanged_adverts_are_not_read_again() {
    for database in databases().await {
        let stage = Stage::on(database, 30);
        for site_id in ["sreality", "idnes"] {
            let first = stage.scrape(site_id, &[]);
            assert_eq!(first.code, 0, "{}", first.stderr);
            assert!(
                first
                    .stderr
                    .contains("30 listings seen; 30 new, 0 changed, 0 gone, 0 rejected"),
                "{}",
                first.stderr
            );
            assert!(
                first.stderr.contains("The crawl is complete."),
                "{}",
                first.stderr
            );
            let requests = stage.asked();
            let second = stage.scrape(site_id, &[]);
            assert!(
                second
                    .stderr
                    .contains("30 listings seen; 0 new, 0 changed, 0 gone"),
                "{}",
                second.stderr
            );
            assert!(
                stage.asked() + 30 <= requests,
                "no detail is requested twice"
            );
        }
        let clusters = stage.jeden().run(&["clusters"]).done();
        assert_eq!(clusters.lines().count(), 61, "{clusters}");
        assert!(
            clusters.lines().skip(1).all(|line| !line.ends_with(',')),
            "all are deduplicated: {clusters}"
        );
    }
}

#[tokio::test]
async fn a_replay_of_the_dump_of_a_scrape_ends_in_the_same_state() {
    let (scraped, replayed) = (Stage::with(20).await, sqlite().await);
    let mut dumps = Vec::new();
    for day in ["1.jsonl.zst", "2.jsonl.gz", "3.jsonl"] {
        for site_id in ["sreality", "remax"] {
            let dump = scraped.file(&format!("{site_id}-{day}"));
            let ran = scraped.scrape(site_id, &["--dump", dump.to_str().unwrap()]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            dumps.push(dump);
        }
        // Several days, because with so few adverts a single day may pass without an end.
        (0..3).for_each(|_| scraped.simulator.world().pass_a_day());
    }
    Jeden::on(&replayed.url).replay(&dumps.iter().map(PathBuf::as_path).collect::<Vec<&Path>>());
    let expected = records(&scraped.database.db).await;
    assert!(
        expected.values().any(|found| !found.detail.offer.is_live),
        "some adverts have ended"
    );
    assert!(records(&replayed.db).await == expected);
}

#[tokio::test]
async fn a_killed_scrape_that_is_repeated_gives_the_same_records() {
    let undisturbed = Stage::with(100).await;
    assert_eq!(undisturbed.scrape("sreality", &[]).code, 0);
    let expected = records(&undisturbed.database.db)
        .await
        .into_keys()
        .collect::<Vec<_>>();
    let mut rng = StdRng::seed_from_u64(2);
    for database in databases().await {
        let name = database.name;
        let stage = Stage::on(database, 100);
        for _ in 0..4 {
            let mut child = stage
                .command("sreality", &[])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(rng.random_range(150..700)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let last = stage.scrape("sreality", &[]);
        assert_eq!(last.code, 0, "{name}: {}", last.stderr);
        let found = records(&stage.database.db)
            .await
            .into_keys()
            .collect::<Vec<_>>();
        assert!(
            found == expected,
            "{name}: {} records of {}",
            found.len(),
            expected.len()
        );
        let runs = crawl_runs::list(&stage.database.db, Some("sreality"), 20)
            .await
            .unwrap();
        assert_eq!(runs[0].outcome, RunOutcome::Complete, "{name}: {runs:?}");
    }
}

#[tokio::test]
async fn a_stopped_scrape_is_resumed_by_the_next() {
    let stage = Stage::with(60).await;
    stage.settings("permission = \"it is a simulation\"\n");
    let config = std::fs::read_to_string(stage.file("jeden.toml")).unwrap();
    std::fs::write(stage.file("jeden.toml"), config.replace("2ms", "40ms")).unwrap();
    let mut command = stage.command("sreality", &[]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while stage.simulator.world().requests.len() < 45 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        stderr.contains("The crawl is stopped.") && stderr.contains("resumes here"),
        "{stderr}"
    );
    let stored = listings::count(&stage.database.db).await.unwrap();
    assert!(stored > 0 && stored < 60, "{stored} are stored");
    let next = stage.scrape("sreality", &[]);
    assert!(next.stderr.contains("Resumed the crawl"), "{}", next.stderr);
    assert!(
        next.stderr.contains("60 listings seen; 60 new"),
        "{}",
        next.stderr
    );
}

#[tokio::test]
async fn explain_shows_the_life_of_a_listing() {
    let stage = Stage::with(40).await;
    assert_eq!(stage.scrape("sreality", &[]).code, 0);
    let before = stage.simulator.world().portal("sreality").market.live();
    let now = loop {
        stage.simulator.world().pass_a_day();
        let now = stage.simulator.world().portal("sreality").market.live();
        if before
            .iter()
            .any(|advert| now.iter().all(|other| other.number != advert.number))
        {
            break now;
        }
    };
    let gone = before
        .iter()
        .find(|advert| now.iter().all(|other| other.number != advert.number))
        .unwrap();
    assert_eq!(stage.scrape("sreality", &[]).code, 0);
    let offer_id = SIMULATED
        .iter()
        .find(|portal| portal.site_id == "sreality")
        .unwrap()
        .offer_id;
    let listing = format!("sreality/{}", offer_id(gone.number));
    let told = stage.jeden().run(&["explain", &listing]).done();
    assert!(told.contains(&format!("The life of {listing}:")), "{told}");
    assert!(
        told.contains("first seen") && told.contains("gone: the portal answered HTTP 4"),
        "{told}"
    );
    let life = told
        .lines()
        .skip_while(|line| !line.starts_with("The life of"))
        .skip(1);
    let life: Vec<_> = life.take_while(|line| !line.is_empty()).collect();
    assert!(
        life.len() == 3 && life.is_sorted(),
        "events are in order of time:\n{told}"
    );
    let json = stage.jeden().run(&["explain", &listing, "--json"]).done();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let turns: Vec<_> = json["life"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["turn"].clone())
        .collect();
    assert_eq!(turns, ["appeared", "gone"]);
}

#[tokio::test]
async fn a_changed_portal_raises_an_alarm_and_nothing_is_stored() {
    let stage = Stage::with(40).await;
    assert_eq!(stage.scrape("idnes", &[]).code, 0);
    let before = records(&stage.database.db).await;
    for condition in [Condition::Blocking, Condition::Redesigned, Condition::Empty] {
        stage.simulator.world().portal("idnes").condition = condition;
        let ran = stage.scrape("idnes", &[]);
        assert_eq!(ran.code, 1, "{condition:?}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("ALARM: "),
            "{condition:?}: {}",
            ran.stderr
        );
        assert!(records(&stage.database.db).await == before, "{condition:?}");
    }
    stage.simulator.world().portal("idnes").condition = Condition::Normal;
    assert_eq!(stage.scrape("idnes", &[]).code, 0, "the portal works again");
}

#[tokio::test]
async fn robots_txt_is_obeyed_without_permission_even_at_another_host() {
    let stage = Stage::with(5).await;
    stage.settings("");
    let ran = stage.scrape("sreality", &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("robots.txt says Disallow: /"),
        "{}",
        ran.stderr
    );
    assert_eq!(stage.asked(), 1, "robots.txt alone");
}

#[tokio::test]
async fn max_listings_limits_a_scrape() {
    let stage = Stage::with(40).await;
    let ran = stage.scrape("sreality", &["--max-listings", "7"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("7 listings seen; 7 new") && ran.stderr.contains("partial"),
        "{}",
        ran.stderr
    );
    assert_eq!(listings::count(&stage.database.db).await.unwrap(), 7);
}

#[test]
fn a_scrape_without_required_settings_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("jeden.db").display());
    let refused = |arguments: &[&str]| {
        let mut command = program();
        // The base URL of our API must not be taken for a portal's.
        command
            .args(["scrape"])
            .args(arguments)
            .env("JEDEN_BASE_URL", "http://127.0.0.1:9");
        let ran = ran(command.args(["--database-url", &url]));
        (ran.code, ran.stderr)
    };
    let (code, said) = refused(&["sreality"]);
    assert!(code == 1 && said.contains("JEDEN_CONTACT"), "{said}");
    let (code, said) = refused(&["sreality", "--contact", "crawler@example.org"]);
    assert!(
        code == 1
            && said.contains("does not allow programs")
            && said.contains("[portals.sreality]"),
        "{said}"
    );
    let (code, said) = refused(&["nowhere"]);
    assert!(code == 2 && said.contains("bezrealitky"), "{said}");
    let dump = folder.path().join("dump.csv");
    let (code, said) = refused(&["sreality", "--dump", dump.to_str().unwrap()]);
    assert!(code == 1 && said.contains(".jsonl.zst"), "{said}");
    let config = folder.path().join("wrong.toml");
    for (settings, words) in [
        ("[portals.nowhere]\n", "names an unknown portal"),
        (
            "[portals.sreality]\npace = \"soon\"\n",
            "portals.sreality.pace",
        ),
        ("[portals.sreality]\npermision = \"mine\"\n", "permision"),
    ] {
        std::fs::write(&config, settings).unwrap();
        let (code, said) = refused(&["sreality", "--config", config.to_str().unwrap()]);
        assert!(code == 1 && said.contains(words), "{said}");
    }
}

#[test]
fn every_command_refuses_settings_of_an_unknown_portal() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("jeden.toml");
    std::fs::write(&config, "[portals.idnse]\npace = \"2s\"\n").unwrap();
    let url = format!("sqlite://{}", folder.path().join("a.db").display());
    for command in [&["status"][..], &["work"], &["schedule", "list"]] {
        let ran = Jeden::on(&url).run(&[command, &["--config", config.to_str().unwrap()]].concat());
        assert_eq!(ran.code, 1, "{command:?}");
        assert!(
            ran.stderr
                .contains("[portals.idnse] names an unknown portal; the portals are sreality"),
            "{}",
            ran.stderr
        );
    }
}

#[tokio::test]
async fn a_dry_run_says_what_it_found_and_stores_nothing() {
    let stage = Stage::with(12).await;
    let trial = stage.scrape("bezrealitky", &["--dry-run", "--max-listings", "5"]);
    assert_eq!(trial.code, 0, "{}", trial.stderr);
    for said in ["5 listings seen; 5 new", "Nothing was stored."] {
        assert!(trial.stderr.contains(said), "{}", trial.stderr);
    }
    let db = &stage.database.db;
    assert_eq!(crawl_runs::list(db, None, 10).await.unwrap(), []);
    assert!(listings::page(db, None, 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_dump_is_continued_after_a_stop() {
    let stage = Stage::with(12).await;
    let dump = stage.file("dump.jsonl");
    let dump_option = ["--dump", dump.to_str().unwrap()];
    let parts = [&["--max-listings", "5"][..], &[]];
    for part in parts {
        assert_eq!(
            stage
                .scrape("bezrealitky", &[&dump_option[..], part].concat())
                .code,
            0
        );
    }
    let fresh = sqlite().await;
    Jeden::on(&fresh.url).replay(&[&dump]);
    assert_eq!(records(&fresh.db).await, records(&stage.database.db).await);
}
