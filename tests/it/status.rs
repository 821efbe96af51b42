//! `jeden status` and the metrics.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use support::{databases, sqlite};

use super::jeden::{Jeden, program, project, ran};
use super::working::{SITE, Works, is_complete};

const QUICK: Duration = Duration::from_millis(1);

#[tokio::test]
async fn an_unused_database_reports_no_problem() {
    for database in databases().await {
        let status = Jeden::on(&database.url).run(&["status"]);
        assert_eq!(status.code, 0, "{}{}", status.stdout, status.stderr);
        assert!(
            status.stdout.contains("Nothing needs attention."),
            "{}",
            status.stdout
        );
        let json: Value =
            serde_json::from_str(&Jeden::on(&database.url).run(&["status", "--json"]).done())
                .unwrap();
        assert_eq!(
            (&json["ok"], &json["concerns"]),
            (&true.into(), &Value::Array(Vec::new()))
        );
        assert_eq!(json["found"]["liveListings"], 0);
    }
}

#[tokio::test]
async fn a_schedule_without_a_worker_is_reported() {
    for database in databases().await {
        let works = Works::on(&database, 2, QUICK);
        works.run(&["schedule", "set", SITE, "* * * * * *"]).done();
        let status = works.run(&["status"]);
        assert_eq!(status.code, 1);
        assert!(
            status.stdout.contains("no worker is running"),
            "{}",
            status.stdout
        );
        assert!(
            status.stdout.contains("jeden work"),
            "and what to do: {}",
            status.stdout
        );
        let worker = works.work();
        works.until(is_complete).await;
        let status = works.run(&["status"]);
        assert_eq!(
            status.code, 0,
            "{}: {}{}",
            database.name, status.stdout, status.stderr
        );
        let json: Value = serde_json::from_str(&works.run(&["status", "--json"]).done()).unwrap();
        assert_eq!(
            json["found"]["workers"], 2,
            "one for portals, one for housekeeping: {json}"
        );
        assert_eq!(
            json["found"]["portals"][0]["lastRun"]["outcome"]
                .as_str()
                .map(str::is_empty),
            Some(false)
        );
        assert_eq!(worker.stop(), Some(0));
        assert_eq!(works.run(&["status"]).code, 1, "the worker is gone again");
    }
}

#[test]
fn a_missing_database_is_reported_and_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mistyped.db");
    let status = ran(program().args([
        "status",
        "--database-url",
        &format!("sqlite://{}", file.display()),
    ]));
    assert_eq!(status.code, 1, "{}", status.stdout);
    assert!(
        status.stdout.contains("mistyped.db does not exist"),
        "{}",
        status.stdout
    );
    assert!(
        status.stdout.contains("--database-url"),
        "and what to do: {}",
        status.stdout
    );
    assert!(!file.exists());
}

#[test]
fn an_unreachable_database_is_reported() {
    let mut command = program();
    command.args([
        "status",
        "--json",
        "--database-url",
        "postgres://somebody:hunter2@127.0.0.1:1/none",
    ]);
    let status = ran(&mut command);
    assert_eq!(status.code, 1);
    let json: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(
        (&json["ok"], &json["concerns"][0]["about"]),
        (&false.into(), &"database".into())
    );
    assert!(
        json["concerns"][0]["todo"]
            .as_str()
            .unwrap()
            .contains("JEDEN_DATABASE_URL"),
        "{json}"
    );
    assert!(!status.stdout.contains("hunter2") && !status.stderr.contains("hunter2"));
}

#[tokio::test]
async fn an_outdated_schema_needs_a_migration() {
    let Some(database) = databases()
        .await
        .into_iter()
        .find(|database| database.name == "PostgreSQL")
    else {
        return;
    };
    // The cluster's own database, which was never migrated.
    let (address, rest) = database.url.split_once('?').unwrap_or((&database.url, ""));
    let (server, _) = address.rsplit_once('/').unwrap();
    let status = Jeden::on(&format!("{server}/postgres?{rest}")).run(&["status"]);
    assert_eq!(status.code, 1);
    assert!(
        status.stdout.contains("run `jeden migrate`"),
        "{}{}",
        status.stdout,
        status.stderr
    );
}

/// Starts a command with metrics. Returns its process, the address of the metrics, and its last line before it starts work.
fn with_metrics(works: &Works, arguments: &[&str]) -> (super::working::Process, String, String) {
    let mut command = works.command(&[arguments, &["--metrics-listen", "127.0.0.1:0"]].concat());
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let mut said = |word: &str| {
        lines
            .find(|line| line.contains(word))
            .expect("the program prints the line")
    };
    let address = said("Metrics on ")
        .trim_start_matches("Metrics on ")
        .trim_end_matches('.')
        .to_owned();
    // From now on it can be asked to stop.
    let began = said("until Ctrl-C");
    // Its further output is read, so that it does not fill the pipe.
    std::thread::spawn(move || lines.for_each(drop));
    (super::working::Process::new(child), address, began)
}

/// The names of metrics in a text.
fn metric_names(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let words = text.split(|letter: char| !is_part(letter));
    words
        .filter(|word| word.starts_with("jeden_"))
        .map(str::to_owned)
        .collect()
}

#[expect(clippy::too_many_lines, reason = "one scenario with two processes")]
#[tokio::test]
async fn workers_and_servers_record_metrics() {
    let database = sqlite().await;
    let works = Works::on(&database, 3, QUICK);
    let client = support::http_client();
    works.run(&["schedule", "run", SITE]).done();
    let (worker, address, _) = with_metrics(&works, &["work", "--poll", "50ms"]);
    works.until(is_complete).await;
    works.until_idle().await;
    let measured = client
        .get(&address)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for said in [
        "jeden_build_info{version=",
        "jeden_database_up 1",
        "jeden_crawls_total{portal=\"sreality\",outcome=\"complete\"} 1",
        "jeden_crawl_listings_total{portal=\"sreality\",what=\"new\"} 3",
        "jeden_crawl_listings_total{portal=\"sreality\",what=\"read\"} 3",
        "jeden_jobs_total{kind=\"crawl\",ended=\"done\"} 1",
        "jeden_listings{portal=\"sreality\",state=\"live\"} 3",
        "jeden_field_filled_ratio{portal=\"sreality\",field=\"title\"} 1",
        "jeden_dedup_pending 0",
        "jeden_workers{lane=\"upkeep\"} 1",
        "jeden_queue_jobs{kind=\"crawl\",state=\"waiting\"} 0",
        "# HELP jeden_dedup_lag_seconds ",
    ] {
        assert!(measured.contains(said), "{said}: {measured}");
    }
    assert_eq!(worker.stop(), Some(0));
    let account = "Acme Ltd";
    works
        .run(&["account", "create", account, "--plan", "free"])
        .done();
    let token = works.run(&["token", "create", account]).done();
    let (server, address, began) = with_metrics(&works, &["serve", "--listen", "127.0.0.1:0"]);
    let base = began
        .split(' ')
        .find(|word| word.starts_with("http://"))
        .unwrap();
    for path in ["/health", "/v1/offers/jdn_pasted", "/nowhere/at/all"] {
        client.get(format!("{base}{path}")).send().await.unwrap();
    }
    client
        .get(format!("{base}/v1/offers?token={}", token.trim()))
        .send()
        .await
        .unwrap();
    let measured = client
        .get(&address)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for said in [
        "jeden_quota_limit{plan=\"free\"} 10",
        "jeden_http_request_seconds_count{endpoint=\"/health\",method=\"read\",status=\"200\"} 1",
        "jeden_http_request_seconds_count{endpoint=\"/v1/offers/{offerId}\",method=\"read\",status=\"401\"} 1",
        "jeden_http_request_seconds_count{endpoint=\"/v1/offers\",method=\"read\",status=\"200\"} 1",
        "jeden_http_request_seconds_count{endpoint=\"other\",method=\"read\",status=\"404\"} 1",
        "jeden_http_request_seconds_bucket{endpoint=\"/health\",method=\"read\",status=\"200\",le=\"10\"} 1",
    ] {
        assert!(measured.contains(said), "{said}: {measured}");
    }
    assert!(
        !measured.contains(account) && !measured.contains(token.trim()),
        "{measured}"
    );
    assert!(
        !measured.contains("jdn_") && !measured.contains("nowhere"),
        "{measured}"
    );
    assert_eq!(server.stop(), Some(0));
    let status = works.run(&["status"]).done();
    assert!(
        status.contains("free: 1 of 10 requests by 1 accounts"),
        "{status}"
    );
    let row = status
        .lines()
        .find(|line| line.trim_start().starts_with("sreality  3"))
        .unwrap_or_default();
    assert!(row.contains("100 %"), "{status}");
    let json: Value = serde_json::from_str(&works.run(&["status", "--json"]).done()).unwrap();
    assert_eq!(json["found"]["quota"]["free"]["used"], 1);
    assert_eq!(json["found"]["fields"]["sreality"]["filled"]["title"], 1.0);
}

#[test]
fn every_metric_is_documented_and_no_other_is() {
    let documented = metric_names(&std::fs::read_to_string(project("docs/OPERATING.md")).unwrap());
    let sources = [
        "src/metrics/mod.rs",
        "src/metrics/work.rs",
        "src/metrics/database.rs",
        "api/src/middleware/metrics.rs",
    ];
    let sources = sources.map(|file| std::fs::read_to_string(project(file)).unwrap());
    let recorded: BTreeSet<String> = sources
        .iter()
        .flat_map(|source| metric_names(source))
        .collect();
    assert!(recorded.len() > 20, "{recorded:?}");
    assert_eq!(
        documented.difference(&recorded).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "no longer recorded"
    );
    assert_eq!(
        recorded.difference(&documented).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "not documented"
    );
    let rules = std::fs::read_to_string(project("deploy/alerts.yaml")).unwrap();
    // Prometheus adds suffixes to the name of a histogram.
    let known = |name: &&String| {
        let base = ["_bucket", "_count", "_sum"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending));
        !recorded.contains(*name) && !base.is_some_and(|base| recorded.contains(base))
    };
    assert_eq!(
        metric_names(&rules)
            .iter()
            .filter(known)
            .collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "alerts on metrics that do not exist"
    );
}
