//! What the log contains, and what it never contains.

use std::io::Write;
use std::sync::{Arc, Mutex};

use schema::Plan;
use tracing_subscriber::fmt::MakeWriter;

use crate::support::TestApi;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// On one thread, because the subscriber belongs to this thread.
/// Spec, Silent 28: no token is in a log, however it is sent.
#[tokio::test(flavor = "current_thread")]
async fn requests_are_logged_without_query_or_token() {
    let lines = Lines::default();
    // With a single subscriber, `tracing` would cache that no one is interested in an event that another test's thread,
    // which has no subscriber, logs first.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(lines.clone())
        .with_ansi(false)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let database = support::databases().await.remove(0);
    let api = TestApi::start(database.db.clone(), |_| ()).await;
    let account = api.account(Plan::Pro).await;
    api.get(&format!(
        "/v1/offers?district=Tachov&token={}",
        account.token
    ))
    .await;
    api.get_as(&account, &format!("/v1/offers/{}", account.token))
        .await;
    let answer = api.get_as(&account, "/v1/me").await;
    let log = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let requests: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("answered"))
        .collect();
    assert_eq!(requests.len(), 3, "{log}");
    for part in [
        "method=GET",
        "path=\"/v1/me\"",
        "status=200",
        "duration_ms=",
        answer.header("x-request-id"),
    ] {
        assert!(requests[2].contains(part), "{part}: {}", requests[2]);
    }
    assert!(requests[2].contains(&format!("account={}", account.id.0)));
    let secret = &account.token[10..];
    assert!(
        !requests
            .iter()
            .any(|line| line.contains(secret) || line.contains("Tachov")),
        "{requests:?}"
    );
}
