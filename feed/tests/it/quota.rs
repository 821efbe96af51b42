//! Every request is counted once, whatever its form and however long it takes.

use schema::Plan;

use crate::running::{flat, on_each, save};

#[tokio::test]
async fn each_request_counts_once_and_none_beyond_the_quota_is_answered() {
    on_each(async |feed| {
        let account = feed.account(Plan::Free).await;
        let other = feed.account(Plan::Custom).await;
        save(&feed.db, &[flat("a", 5e6), flat("b", 5e6)]).await;
        // Two answers, an error, a wait in vain, and a stream that ends after its two changes.
        for path in ["/changes", "/changes?after=0", "/changes?after=x"] {
            feed.get(&account, path).await;
        }
        let last = feed.get(&account, "/changes?after=2&wait=1").await;
        assert_eq!(last.next_after(), 2);
        let stream = feed
            .request(&account, "/changes?after=0&limit=2")
            .header("accept", "text/event-stream");
        let stream = stream.send().await.unwrap().text().await.unwrap();
        assert_eq!(stream.matches("data: ").count(), 2);
        assert_eq!(feed.used(&account).await, 5);
        for _ in 0..5 {
            let answer = feed.get(&account, "/changes").await;
            assert_eq!(answer.status, 200);
        }
        for form in ["application/json", "text/event-stream"] {
            let refused = feed
                .request(&account, "/changes?after=0")
                .header("accept", form);
            assert_eq!(refused.send().await.unwrap().status().as_u16(), 429);
        }
        assert_eq!(
            (feed.used(&account).await, feed.used(&other).await),
            (10, 0)
        );
        feed.get_public("/health").await;
        feed.get_public("/openapi.json").await;
        assert_eq!(feed.used(&account).await, 10);
    })
    .await;
}
