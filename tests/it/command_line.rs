//! Exit codes, and the output on stdout and stderr.

use std::path::Path;
use std::process::Stdio;

use support::sqlite;

use super::jeden::{Jeden, Server, program, ran};

async fn on_sqlite(test: impl Fn(&Jeden)) {
    let database = sqlite().await;
    test(&Jeden::on(&database.url));
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
#[tokio::test]
async fn wrong_usage_exits_with_2_and_a_failure_with_1() {
    on_sqlite(|jeden| {
        let usages: [&[&str]; 13] = [
            &[],
            &["replay"],
            &["nonsense"],
            &["clusters", "--nonsense"],
            &["account", "create", "a", "--plan", "gold"],
            &[
                "account",
                "create",
                "a",
                "--plan",
                "customV2",
                "--requests-per-month",
                "0",
            ],
            &[
                "account",
                "create",
                "a",
                "--plan",
                "free",
                "--requests-per-month",
                "5",
            ],
            &[
                "account",
                "set-plan",
                "a",
                "free",
                "--requests-per-month",
                "5",
            ],
            &["account", "create", "", "--plan", "free"],
            &["account", "create", " a", "--plan", "free"],
            &["account", "create", "a\nb", "--plan", "free"],
            &["serve", "--search-timeout", "soon"],
            &["serve", "--listen", "nonsense"],
        ];
        for usage in usages {
            let run = jeden.run(usage);
            assert_eq!(
                (run.code, run.stdout.as_str()),
                (2, ""),
                "{usage:?}: {}",
                run.stderr
            );
            assert!(
                run.stderr.contains("Usage") || run.stderr.contains("--help"),
                "{}",
                run.stderr
            );
        }
        let failures: [(&[&str], &str); 6] = [
            (
                &["replay", "/nowhere/at/all.jsonl"],
                "/nowhere/at/all.jsonl",
            ),
            (&["explain", "no-such-record"], "no-such-record"),
            (&["explain", "sreality/none"], "sreality/none"),
            (&["token", "create", "nobody"], "nobody"),
            (&["token", "revoke", "tok_none"], "tok_none"),
            (&["account", "set-plan", "nobody", "free"], "nobody"),
        ];
        for (command, named) in failures {
            let run = jeden.run(command);
            assert_eq!(
                (run.code, run.stdout.as_str()),
                (1, ""),
                "{command:?}: {}",
                run.stderr
            );
            assert!(
                run.stderr.contains(named),
                "{command:?} names what is missing: {}",
                run.stderr
            );
            let causes: Vec<&str> = run.stderr.trim().split(": ").collect();
            let said_twice = causes.windows(2).any(|pair| pair[0] == pair[1]);
            assert!(!said_twice, "a cause is printed once: {}", run.stderr);
        }
    })
    .await;
}

#[test]
fn every_command_has_help() {
    let commands: [&[&str]; 42] = [
        &[],
        &["demo"],
        &["serve"],
        &["console"],
        &["mcp"],
        &["stats"],
        &["operator"],
        &["operator", "create"],
        &["replay"],
        &["feed"],
        &["account"],
        &["account", "create"],
        &["account", "list"],
        &["account", "set-plan"],
        &["token"],
        &["token", "create"],
        &["token", "revoke"],
        &["webhook"],
        &["webhook", "add"],
        &["webhook", "list"],
        &["webhook", "retry"],
        &["explain"],
        &["evaluate"],
        &["weights"],
        &["review"],
        &["review", "same"],
        &["review", "list"],
        &["places"],
        &["clusters"],
        &["export"],
        &["sync"],
        &["rejects"],
        &["rejects", "retry"],
        &["gazetteer"],
        &["gazetteer", "import"],
        &["gazetteer", "locate"],
        &["migrate"],
        &["work"],
        &["schedule"],
        &["schedule", "set"],
        &["schedule", "run"],
        &["status"],
    ];
    for command in commands {
        let help = ran(program().args(command).arg("--help"));
        assert_eq!(help.code, 0, "{command:?}: {}", help.stderr);
        assert!(help.stdout.contains("--database-url"), "{command:?}");
    }
}

#[test]
fn the_help_of_a_command_lists_the_settings_that_it_uses() {
    let uses: [(&[&str], &[&str], &[&str]); 6] = [
        (&[], &[], &["--listen", "--contact", "--gazetteer"]),
        (
            &["clusters"],
            &[],
            &["--listen", "--cors-origins", "--contact", "--gazetteer"],
        ),
        (
            &["review", "same"],
            &["--gazetteer"],
            &["--cors-origins", "--geocoder-url", "--contact"],
        ),
        (
            &["serve"],
            &["--listen", "--cors-origins", "--gazetteer", "--contact"],
            &["--keep-contents"],
        ),
        (
            &["scrape"],
            &["--contact", "--base-url", "--gazetteer"],
            &["--listen", "--cors-origins"],
        ),
        (
            &["work"],
            &["--contact", "--metrics-listen"],
            &["--listen ", "--search-timeout"],
        ),
    ];
    for (command, listed, left_out) in uses {
        let help = ran(program().args(command).arg("--help")).done();
        for setting in listed {
            assert!(
                help.contains(setting),
                "{command:?} lists {setting}:\n{help}"
            );
        }
        for setting in left_out {
            let lists = help.contains(&format!(" {setting}"));
            assert!(!lists, "{command:?} does not use {setting}:\n{help}");
        }
    }
}

#[test]
fn a_setting_that_a_command_does_not_use_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("jeden.db").display());
    let run = ran(program().args([
        "clusters",
        "--database-url",
        &url,
        "--listen",
        "127.0.0.1:0",
    ]));
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_database_that_cannot_be_opened_is_named_without_its_password() {
    for url in [
        "postgres://somebody:hunter2@127.0.0.1:1/none",
        "mysql://somebody:hunter2@localhost/none",
    ] {
        let run = ran(program().args(["clusters", "--database-url", url]));
        assert_eq!((run.code, run.stdout.as_str()), (1, ""));
        assert!(
            run.stderr.contains("127.0.0.1") || run.stderr.contains("localhost"),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
    }
}

#[test]
fn a_database_that_cannot_be_opened_is_refused_with_the_cause() {
    let refusals = [
        (
            ["--database-url", "postgres://127.0.0.1:1/none"].as_slice(),
            "refused",
        ),
        (
            &["--database-url", "sqlite://"],
            "path of the file is missing",
        ),
        (
            &[
                "--database-url",
                "sqlite://none.db",
                "--database-read-url",
                "postgres://127.0.0.1/none",
            ],
            "no read replica",
        ),
        (
            &[
                "--database-url",
                "postgres://127.0.0.1:1/none",
                "--database-read-url",
                "sqlite://none.db",
            ],
            "a read replica is a PostgreSQL server",
        ),
    ];
    for (options, cause) in refusals {
        let run = ran(program().arg("clusters").args(options));
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{options:?}");
        assert!(run.stderr.contains(cause), "{options:?}: {}", run.stderr);
    }
}

#[tokio::test]
async fn a_setting_that_would_never_work_is_refused_at_the_start() {
    on_sqlite(|jeden| {
        let refusals: [(&[&str], &str); 5] = [
            (
                &["--cors-origins", "https://one.example,https://two.example/"],
                "but browsers send https://two.example\n",
            ),
            (
                &["--cors-origins", "https://App.example"],
                "but browsers send https://app.example\n",
            ),
            (
                &["--cors-origins", "app.example"],
                "an origin looks like https://app.example.org",
            ),
            (
                &["--base-url", "api.example.org"],
                "must be a URL such as https://api.example.org",
            ),
            (
                &["--geocoder-url", "nominatim"],
                "must be an http:// or https:// URL",
            ),
        ];
        for (options, cause) in refusals {
            let run = jeden.run(&[&["serve", "--listen", "127.0.0.1:0"], options].concat());
            assert_eq!(run.code, 1, "{options:?}: {}", run.stderr);
            assert!(run.stderr.contains(cause), "{options:?}: {}", run.stderr);
        }
    })
    .await;
}

#[tokio::test]
async fn an_empty_variable_counts_as_not_set() {
    on_sqlite(|jeden| {
        let mut command = jeden.command(&["serve", "--listen", "127.0.0.1:0"]);
        for variable in [
            "JEDEN_DATABASE_READ_URL",
            "JEDEN_GAZETTEER",
            "JEDEN_BASE_URL",
            "JEDEN_GEOCODER_URL",
            "JEDEN_CORS_ORIGINS",
            "JEDEN_CONTACT",
            "JEDEN_METRICS_LISTEN",
            "JEDEN_CONSOLE_LISTEN",
            "JEDEN_CONSOLE_URL",
            "JEDEN_CONSOLE_HOSTS",
            "JEDEN_CONSOLE_PERSON_HEADER",
            "JEDEN_CONSOLE_STREET_MAP",
        ] {
            command.env(variable, "");
        }
        let server = Server::start(&mut command);
        assert!(
            server.base.starts_with("http://127.0.0.1:"),
            "{}",
            server.base
        );
    })
    .await;
}

#[tokio::test]
async fn flags_override_the_environment_which_overrides_the_file() {
    let databases = [sqlite().await, sqlite().await];
    let folder = tempfile::tempdir().unwrap();
    let [named, empty] = &databases;
    Jeden::on(&named.url)
        .run(&["account", "create", "here", "--plan", "free"])
        .done();
    std::fs::write(
        folder.path().join("jeden.toml"),
        format!("database_url = {:?}\n", named.url),
    )
    .unwrap();
    let list = |environment: Option<&str>, flag: Option<&str>| {
        let mut command = program();
        command.current_dir(folder.path()).args(["account", "list"]);
        if let Some(url) = environment {
            command.env("JEDEN_DATABASE_URL", url);
        }
        if let Some(url) = flag {
            command.args(["--database-url", url]);
        }
        ran(&mut command).done().contains("here")
    };
    assert!(list(None, None), "the file names the database");
    assert!(
        !list(Some(&empty.url), None),
        "the environment beats the file"
    );
    assert!(
        list(Some(&empty.url), Some(&named.url)),
        "a flag beats the environment"
    );
}

#[test]
fn a_settings_file_with_an_unknown_setting_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    std::fs::write(&file, "databse_url = \"sqlite://x.db\"\n").unwrap();
    let run = ran(program().args(["clusters", "--config"]).arg(&file));
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("databse_url"), "{}", run.stderr);
    assert!(!Path::new("x.db").exists());
    let absent = ran(program().args(["clusters", "--config", "/nowhere/settings.toml"]));
    assert_eq!(absent.code, 1);
    assert!(
        absent.stderr.contains("/nowhere/settings.toml"),
        "{}",
        absent.stderr
    );
}

#[tokio::test]
async fn an_address_is_located_among_the_places_of_the_listings() {
    let database = super::dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let run = jeden.run(&["gazetteer", "locate", "Udolni, Brno", "--json"]);
    let located: serde_json::Value = serde_json::from_str(&run.done()).unwrap();
    assert_eq!(located["municipality"], "Brno", "{located}");
    assert!(
        (located["location"]["lat"].as_f64().unwrap() - 49.2).abs() < 0.1,
        "{located}"
    );
    let house = jeden
        .run(&["gazetteer", "locate", "Udolni 4711, Brno"])
        .done();
    assert!(
        house.contains("\"4711\" is a house number that is not known there"),
        "{house}"
    );
    let two = jeden.run(&["gazetteer", "locate", "Brno Praha", "--json"]);
    let refused: serde_json::Value = serde_json::from_str(&two.stdout).unwrap();
    let candidates = refused["candidates"].to_string();
    assert_eq!(two.code, 1, "{}", two.stderr);
    assert!(
        candidates.contains("Brno-město") && candidates.contains("okres Praha"),
        "{refused}"
    );
    let nowhere = jeden.run(&["gazetteer", "locate", "Qwxyzzt Vvbrrk"]);
    assert_eq!(
        (nowhere.code, nowhere.stdout.as_str()),
        (1, ""),
        "{}",
        nowhere.stderr
    );
}

#[tokio::test]
async fn a_reader_that_closes_the_pipe_is_not_an_error() {
    on_sqlite(|jeden| {
        let mut command = jeden.command(&["clusters"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (
                output.status.code(),
                String::from_utf8(output.stderr).unwrap().as_str()
            ),
            (Some(0), "")
        );
    })
    .await;
}
