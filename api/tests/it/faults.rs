//! The database is down, slow, full, read-only or restarted: answers are well-formed and not counted, `/health` reports
//! it, and the service recovers without a restart.

use std::time::Duration;

use api::ApiConfig;
use reqwest::Method;
use schema::Plan;
use schema::store::{DatabaseSettings, Db};
use support::{PostgresCluster, SmallDisk, databases, execute, hold, sqlite};
use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;

use crate::support::{Account, TestApi, TestOffer, save};

const PATHS: [&str; 3] = ["/v1/offers", "/v1/offers/a", "/v1/me"];

/// Short for a test, and long enough for a healthy database.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);

fn short_timeouts(config: &mut ApiConfig) {
    config.store_timeout = STORE_TIMEOUT;
    config.health_timeout = STORE_TIMEOUT;
    config.health_busy = Duration::ZERO;
    config.index_poll = Duration::from_millis(50);
}

/// An API with an offer, and an account with one counted request.
async fn in_use(db: Db, configure: impl FnOnce(&mut ApiConfig)) -> (TestApi, Account) {
    save(&db, TestOffer::new("a")).await;
    let api = TestApi::start(db, |config| {
        short_timeouts(config);
        configure(config);
    })
    .await;
    let account = api.account(Plan::Pro).await;
    assert_eq!(api.get_as(&account, "/v1/offers").await.ids(), ["a"]);
    (api, account)
}

async fn own_database(cluster: &PostgresCluster) -> Db {
    let url = cluster.create_database("faults").await;
    let db = Db::connect(&DatabaseSettings::new(&url)).await.unwrap();
    db.migrate().await.unwrap();
    db
}

/// Waits until the condition holds; fails if it never does.
async fn eventually(what: &str, holds: impl AsyncFn() -> bool) {
    for _ in 0..400 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("timed out waiting until {what}");
}

async fn assert_is_out_of_order(api: &TestApi, account: &Account) {
    let answers = PATHS.map(async |path| (path, api.get_as(account, path).await));
    for (path, answer) in futures::future::join_all(answers).await {
        assert_eq!(
            (answer.status, answer.code()),
            (500, "internal-error"),
            "{path}: {}",
            answer.body
        );
    }
    eventually("the health check fails", async || {
        api.get("/health").await.status == 503
    })
    .await;
}

/// Makes every request wait for the table `offers`, which must be locked: the index looks for the change of this number.
async fn pretend_a_change(url: &str) {
    execute(url, "UPDATE change_counter SET value = value + 1").await;
}

/// The service has recovered without a restart: requests that failed are not counted, and new changes are found.
async fn assert_is_well_again(api: &TestApi, account: &Account) {
    eventually("the health check succeeds", async || {
        api.get("/health").await.status == 200
    })
    .await;
    eventually("the account is asked for", async || {
        api.get_as(account, "/v1/me").await.status == 200
    })
    .await;
    eventually("only what was answered is counted", async || {
        api.used(account).await == 1
    })
    .await;
    save(
        &api.db,
        TestOffer {
            last_changed_at: api.now(),
            ..TestOffer::new("b")
        },
    )
    .await;
    assert_eq!(api.get_as(account, "/v1/offers").await.ids(), ["b", "a"]);
    // A late count may arrive only now; it is given back.
    eventually("only what was answered is counted", async || {
        api.used(account).await == 2
    })
    .await;
}

/// Spec, health 3: 503 while a backing database is unreachable.
#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn the_service_notices_when_the_server_is_down_and_when_it_is_back() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let (api, account) = in_use(own_database(&cluster).await, |_| ()).await;
    cluster.stop();
    assert_is_out_of_order(&api, &account).await;
    cluster.restart();
    assert_is_well_again(&api, &account).await;
}

/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn requests_time_out_while_the_server_hangs() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let (api, account) = in_use(own_database(&cluster).await, |_| ()).await;
    let paused = cluster.pause();
    for _ in 0..4 {
        // More requests than the pool has connections.
        assert_is_out_of_order(&api, &account).await;
    }
    drop(paused);
    assert_is_well_again(&api, &account).await;
}

/// A proxy to a server on which all open connections can fall silent, as if a machine lost its power: none is closed, and
/// new ones work.
struct Wire {
    folder: TempDir,
    silence: watch::Sender<u64>,
}

/// The name of PostgreSQL's socket.
const SOCKET: &str = ".s.PGSQL.5432";

impl Wire {
    fn to(cluster: &PostgresCluster) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let server = cluster.folder().join(SOCKET);
        let (silence, _) = watch::channel(0);
        let silenced = silence.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut server = UnixStream::connect(&server).await.unwrap();
                let mut silenced = silenced.subscribe();
                tokio::spawn(async move {
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        // Both ends stay open, but no data passes.
                        _ = silenced.changed() => std::future::pending().await,
                    }
                });
            }
        });
        Self { folder, silence }
    }

    fn fall_silent(&self) {
        self.silence.send_modify(|times| *times += 1);
    }
}

#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn the_service_reconnects_after_the_server_vanished_silently() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    own_database(&cluster).await.close().await;
    let wire = Wire::to(&cluster);
    let url = format!(
        "postgres://postgres@localhost/faults?host={}",
        wire.folder.path().display()
    );
    let (api, account) = in_use(
        Db::open(&DatabaseSettings::new(&url)).await.unwrap(),
        |_| (),
    )
    .await;
    // More requests than there are connections wait for an answer that never comes.
    let held = hold(&cluster.url("faults"), "offers").await;
    pretend_a_change(&cluster.url("faults")).await;
    let requests = futures::future::join_all((0..12).map(|_| api.get_as(&account, "/v1/offers/a")));
    let silence = async {
        tokio::time::sleep(STORE_TIMEOUT / 3).await;
        wire.fall_silent();
    };
    let (answers, ()) = tokio::join!(requests, silence);
    for answer in answers {
        assert_eq!(
            (answer.status, answer.code()),
            (500, "internal-error"),
            "{}",
            answer.body
        );
    }
    held.release().await;
    assert_is_well_again(&api, &account).await;
}

#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_read_only_server_is_unhealthy() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let (api, account) = in_use(own_database(&cluster).await, |_| ()).await;
    let set = async |value: &str| {
        let setting = format!("ALTER SYSTEM SET default_transaction_read_only = {value}");
        cluster.execute("postgres", &setting).await;
        cluster.execute("postgres", "SELECT pg_reload_conf()").await;
    };
    set("on").await;
    eventually("the health check fails", async || {
        api.get("/health").await.status == 503
    })
    .await;
    for path in ["/v1/offers", "/v1/offers/a"] {
        let answer = api.get_as(&account, path).await;
        assert_eq!(
            (answer.status, answer.code()),
            (500, "internal-error"),
            "{path}"
        );
    }
    let admin = format!(
        "{}&options=-c%20default_transaction_read_only%3Doff",
        cluster.url("postgres")
    );
    execute(&admin, "ALTER SYSTEM RESET default_transaction_read_only").await;
    execute(&admin, "SELECT pg_reload_conf()").await;
    assert_is_well_again(&api, &account).await;
}

/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_search_is_given_back_after_the_server_crashed_during_it() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let (api, account) = in_use(own_database(&cluster).await, |_| ()).await;
    let held = hold(&cluster.url("faults"), "offers").await;
    pretend_a_change(&cluster.url("faults")).await;
    let request = api
        .request(Method::GET, "/v1/offers")
        .bearer_auth(&account.token);
    let search = tokio::spawn(request.send());
    eventually("the search is counted", async || {
        api.used(&account).await == 2
    })
    .await;
    cluster.stop();
    assert_eq!(search.await.unwrap().unwrap().status().as_u16(), 500);
    drop(held);
    cluster.restart();
    assert_is_well_again(&api, &account).await;
}

/// Spec, Limits 8: a search is stopped after 10 seconds.
#[tokio::test]
async fn a_search_delayed_by_the_database_is_504_and_given_back() {
    for database in databases().await.into_iter().skip(1) {
        let (api, account) = in_use(database.db.clone(), |config| {
            config.search_timeout = STORE_TIMEOUT;
        })
        .await;
        let held = hold(&database.url, "offers").await;
        pretend_a_change(&database.url).await;
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!((answer.status, answer.code()), (504, "query-timeout"));
        held.release().await;
        assert_is_well_again(&api, &account).await;
    }
}

#[tokio::test]
async fn a_request_not_counted_in_time_is_500_and_a_late_count_is_given_back() {
    for database in databases().await {
        let (api, account) = in_use(database.db.clone(), |_| ()).await;
        let held = hold(&database.url, "usage").await;
        for path in ["/v1/offers", "/v1/offers/a"] {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (500, "internal-error"),
                "{path} on {}",
                database.name
            );
        }
        if database.name == "SQLite" {
            // Lock the database against writes.
            eventually("the health check fails", async || {
                api.get("/health").await.status == 503
            })
            .await;
        }
        held.release().await;
        assert_is_well_again(&api, &account).await;
    }
}

/// A server with a full disk fails every write that enlarges a table; a single full tablespace is enough for the test.
#[tokio::test]
async fn a_server_with_a_full_disk_is_unhealthy_until_there_is_space() {
    for database in databases().await.into_iter().skip(1) {
        let (api, account) = in_use(database.db.clone(), |_| ()).await;
        let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
                      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$";
        execute(&database.url, refuse).await;
        for table in ["usage", "secrets"] {
            let trigger = format!(
                "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
            );
            execute(&database.url, &trigger).await;
        }
        eventually("the health check fails", async || {
            api.get("/health").await.status == 503
        })
        .await;
        for path in ["/v1/offers", "/v1/offers/a"] {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (500, "internal-error"),
                "{path}"
            );
        }
        execute(&database.url, "DROP FUNCTION refuse CASCADE").await;
        assert_is_well_again(&api, &account).await;
    }
}

#[tokio::test]
async fn the_service_recovers_from_a_full_disk_under_the_embedded_database() {
    let Some(disk) = SmallDisk::mount(8) else {
        return;
    };
    let url = format!("sqlite://{}", disk.folder().join("full.db").display());
    let db = Db::open(&DatabaseSettings::new(&url)).await.unwrap();
    let (api, account) = in_use(db, |_| ()).await;
    disk.fill();
    for _ in 0..3 {
        for path in ["/v1/offers", "/v1/offers/a"] {
            let answer = api.get_as(&account, path).await;
            assert_eq!(
                (answer.status, answer.code()),
                (500, "internal-error"),
                "{path}"
            );
        }
    }
    assert_eq!(api.get("/health").await.status, 503);
    disk.free();
    assert_is_well_again(&api, &account).await;
    api.db.close().await;
}

#[tokio::test]
async fn a_read_only_embedded_database_is_unhealthy() {
    let database = sqlite().await;
    let (api, account) = in_use(database.db.clone(), |_| ()).await;
    let settings = DatabaseSettings::new(format!("{}?mode=ro", database.url));
    let read_only = TestApi::start(Db::connect(&settings).await.unwrap(), short_timeouts).await;
    assert_eq!(read_only.get("/health").await.status, 503);
    for path in ["/v1/offers", "/v1/offers/a"] {
        let answer = read_only.get_as(&account, path).await;
        assert_eq!(
            (answer.status, answer.code()),
            (500, "internal-error"),
            "{path}"
        );
    }
    assert_eq!(api.used(&account).await, 1);
}

#[tokio::test]
async fn the_service_is_unhealthy_while_the_database_file_is_moved_away() {
    let database = sqlite().await;
    let (api, _) = in_use(database.db.clone(), |_| ()).await;
    let file = database.url.trim_start_matches("sqlite://");
    let away = format!("{file}.away");
    std::fs::rename(file, &away).unwrap();
    assert_eq!(api.get("/health").await.status, 503);
    std::fs::rename(&away, file).unwrap();
    assert_eq!(api.get("/health").await.status, 200);
}
