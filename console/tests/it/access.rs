//! Logins, sessions, hosts, origins.

use reqwest::header::SET_COOKIE;
use schema::Role;
use schema::store::{audit_log, operators};

use crate::browser::{PASSWORD, Served};

#[tokio::test]
async fn only_who_logs_in_sees_a_page() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let stranger = console.stranger();
        for path in [
            "/",
            "/records",
            "/review",
            "/audit",
            "/country.svg",
            "/weights",
        ] {
            let shown = stranger.get(path).await;
            assert_eq!(shown.status, 303, "{path}");
            assert!(shown.location().starts_with("/login?next="), "{path}");
        }
        assert_eq!(stranger.get("/login").await.status, 200);
        let person = console.person("Jana", Role::Reviewer).await;
        assert_eq!(person.get("/").await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn a_login_has_a_protected_cookie_and_is_in_the_log() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |config| config.has_tls = true).await;
        console.person("Jana", Role::Operator).await;
        let mut again = console.stranger();
        let shown = again.log_in("Jana", PASSWORD).await;
        assert_eq!((shown.status, shown.location()), (303, "/records"));
        let cookie = shown.headers[SET_COOKIE].to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(cookie.contains(part), "{part}: {cookie}");
        }
        let wrong = console.stranger().log_in("Jana", "another password").await;
        assert_eq!(wrong.status, 200);
        assert!(wrong.body.contains("role=\"alert\""), "{}", wrong.body);
        assert!(!wrong.headers.contains_key(SET_COOKIE));
        let log = audit_log::list(&db, None, 10).await.unwrap();
        assert_eq!(log.len(), 2);
        assert_eq!(
            (log[0].1.person.as_str(), log[0].1.action.as_str()),
            ("Jana", "log in")
        );
    })
    .await;
}

#[tokio::test]
async fn a_session_ends_by_logging_out_by_time_and_by_another_password() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let mut person = console.person("Jana", Role::Reviewer).await;
        assert_eq!(person.post("/logout", &[]).await.status, 303);
        assert_eq!(person.get("/records").await.status, 303, "logged out");

        person.log_in("Jana", PASSWORD).await;
        console.advance(11 * 3600);
        assert_eq!(person.get("/weights").await.status, 200);
        console.advance(11 * 3600);
        assert_eq!(person.get("/weights").await.status, 200, "used meanwhile");
        console.advance(13 * 3600);
        assert_eq!(person.get("/weights").await.status, 303, "idle");

        person.log_in("Jana", PASSWORD).await;
        let mut tx = db.begin().await.unwrap();
        let hash = console::hash_password("another password", [4; 16]).unwrap();
        assert!(
            operators::set_password(&mut tx, "Jana", &hash)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        assert_eq!(person.get("/weights").await.status, 303, "another password");
        assert_eq!(person.log_in("Jana", PASSWORD).await.status, 200);
        assert_eq!(person.log_in("Jana", "another password").await.status, 303);

        let mut tx = db.begin().await.unwrap();
        operators::remove(&mut tx, "Jana", schema::Timestamp(0))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(person.get("/weights").await.status, 303, "removed");
    })
    .await;
}

#[tokio::test]
async fn too_many_wrong_passwords_make_a_name_wait() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let mut person = console.person("Jana", Role::Reviewer).await;
        for _ in 0..8 {
            assert_eq!(person.log_in("Jana", "wrong password").await.status, 200);
        }
        assert_eq!(person.log_in("Jana", PASSWORD).await.status, 429);
        console.advance(16 * 60);
        assert_eq!(person.log_in("Jana", PASSWORD).await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn a_form_from_another_site_is_refused() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        let sent = person
            .post_from(
                "https://evil.example",
                "cross-site",
                "/portals/sreality/run",
                &[],
            )
            .await;
        assert_eq!(sent.status, 403);
        assert!(sent.body.contains("another site"), "{}", sent.body);
        let sibling = person
            .post_from(
                "http://127.0.0.1:1",
                "same-site",
                "/portals/sreality/run",
                &[],
            )
            .await;
        assert_eq!(sibling.status, 403);
        let own = person.post("/portals/sreality/run", &[]).await;
        assert_eq!(own.status, 303);
    })
    .await;
}

#[tokio::test]
async fn only_known_hosts_are_answered() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |config| {
            config.hosts.push("console.example.org".to_owned());
        })
        .await;
        let person = console.stranger();
        let elsewhere = person.get_from_host("/login", "evil.example").await;
        assert_eq!(elsewhere.status, 421);
        assert_eq!(
            person
                .get_from_host("/login", "console.example.org")
                .await
                .status,
            200
        );
    })
    .await;
}

#[tokio::test]
async fn a_proxy_names_the_person_only_where_the_operator_says_so() {
    support::on_each_database(async |db| {
        let trusting = Served::start(&db, |config| {
            config.person_header = Some("x-remote-user".to_owned());
        })
        .await;
        let distrusting = Served::start(&db, |_| {}).await;
        distrusting.person("Jana", Role::Reviewer).await;
        let named = ("x-remote-user", "Jana");
        assert_eq!(trusting.stranger().get_named("/", named).await.status, 200);
        let unknown = ("x-remote-user", "Nobody");
        assert_eq!(
            trusting.stranger().get_named("/", unknown).await.status,
            303
        );
        assert_eq!(
            distrusting.stranger().get_named("/", named).await.status,
            303
        );
    })
    .await;
}
