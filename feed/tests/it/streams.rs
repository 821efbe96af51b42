//! Server-sent events.

use std::time::Duration;

use reqwest::Response;
use schema::Plan;
use schema::store::tokens;
use serde_json::Value;

use crate::running::{Account, Answer, TestFeed, at, flat, hidden, on_each, save, shown, summary};

/// The events of a stream, as they arrive.
struct Events {
    response: Response,
    text: String,
    last_id: String,
}

impl Events {
    async fn open(feed: &TestFeed, account: &Account, path: &str, last_id: Option<&str>) -> Self {
        let mut request = feed
            .request(account, path)
            .header("accept", "text/event-stream")
            .header("accept-encoding", "gzip");
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            text: String::new(),
            last_id: String::new(),
        }
    }

    /// The next event with data; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                if let Some(id) = field("id: ") {
                    id.clone_into(&mut self.last_id);
                }
                if let Some(data) = field("data: ") {
                    assert_eq!(field("event: "), Some("change"));
                    return Some(serde_json::from_str(data).unwrap());
                }
            }
            let chunk = self.response.chunk().await.unwrap()?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_carries_changes_as_they_happen_and_resumes_after_the_last() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        save(&feed.db, &[flat("a", 5e6)]).await;
        let mut events = Events::open(&feed, &account, "/changes?after=0", None).await;
        assert_eq!(
            summary(&events.next().await.unwrap()),
            shown("a", &["appeared"])
        );
        save(&feed.db, &[flat("b", 5e6)]).await;
        assert_eq!(
            summary(&events.next().await.unwrap()),
            shown("b", &["appeared"])
        );
        let seen = events.last_id.clone();
        drop(events);
        save(&feed.db, &[flat("a", 4e6), flat("c", 5e6)]).await;
        let mut events =
            Events::open(&feed, &account, "/changes?after=0&limit=2", Some(&seen)).await;
        let rest = [events.next().await.unwrap(), events.next().await.unwrap()];
        assert_eq!(
            rest.each_ref().map(summary),
            [shown("a", &["changed"]), shown("c", &["appeared"])]
        );
        assert!(
            events.next().await.is_none(),
            "a stream ends after `limit` changes"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_moves_past_what_its_filter_hides() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        save(&feed.db, &[flat("a", 5e6), flat("b", 3e6)]).await;
        let path = "/changes?after=0&priceMax=4000000&limit=2";
        let mut events = Events::open(&feed, &account, path, None).await;
        assert_eq!(
            summary(&events.next().await.unwrap()),
            shown("b", &["appeared"])
        );
        save(&feed.db, &[flat("b", 9e6)]).await;
        assert_eq!(
            summary(&events.next().await.unwrap()),
            hidden("b", &["changed"])
        );
        assert!(events.next().await.is_none());
        assert_eq!(events.last_id, "3");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_time_is_over_or_its_token_revoked() {
    support::on_each_database(async |db| {
        let short = |config: &mut feed::FeedConfig| {
            config.longest_stream = Duration::from_millis(100);
        };
        let feed = TestFeed::start(db.clone(), short).await;
        let account = feed.account(Plan::Custom).await;
        let mut events = Events::open(&feed, &account, "/changes", None).await;
        assert!(events.next().await.is_none());
        let often = |config: &mut feed::FeedConfig| config.heartbeat = Duration::from_millis(20);
        let feed = TestFeed::start(db.clone(), often).await;
        let mut events = Events::open(&feed, &account, "/changes", None).await;
        let all = tokens::list(&db, Some(account.id)).await.unwrap();
        let revoked = tokens::revoke(&db, &all[0].id, at("2026-07-15T12:00:00Z")).await;
        revoked.unwrap();
        assert!(events.next().await.is_none());
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_is_said_before_a_stream_begins() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let ask = async |path: &str, id: &str| {
            let request = feed
                .request(&account, path)
                .header("accept", "text/event-stream")
                .header("last-event-id", id);
            let answer = Answer::read(request.send().await.unwrap()).await;
            assert_eq!((answer.status, answer.code()), (400, "invalid-request"));
            answer.body["error"]["details"][0]["path"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(ask("/changes?after=0&wait=5", "0").await, "wait");
        assert_eq!(ask("/changes?after=0", "soon").await, "Last-Event-ID");
        assert_eq!(ask("/changes?after=0", "77").await, "after");
    })
    .await;
}
