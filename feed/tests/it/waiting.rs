//! Long polling: the answer comes with the change.

use std::time::{Duration, Instant};

use schema::Plan;

use crate::running::{TestFeed, flat, on_each, save, shown};

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_reader_is_answered_with_the_change() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let began = Instant::now();
        let waiting = feed.get(&account, "/changes?after=0&wait=300");
        let change = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            save(&feed.db, &[flat("a", 5e6)]).await;
        };
        let (answer, ()) = tokio::join!(waiting, change);
        assert_eq!(answer.changes(), [shown("a", &["appeared"])]);
        assert!(
            began.elapsed() < Duration::from_mins(4),
            "not at the end of the wait"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_the_filter_does_not_show_ends_no_wait() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let waiting = feed.get(&account, "/changes?after=0&wait=300&priceMax=4000000");
        let change = async {
            let other = save(&feed.db, &[flat("a", 5e6)]).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
            (other, save(&feed.db, &[flat("b", 3e6)]).await)
        };
        let (answer, (other, last)) = tokio::join!(waiting, change);
        assert_eq!(answer.changes(), [shown("b", &["appeared"])]);
        assert!(other < last && answer.next_after() == last);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_that_wait_do_not_count_as_connections_without_a_token() {
    support::on_each_database(async |db| {
        // Connections without a token may be four.
        let feed = TestFeed::start(db, |config| config.connections.open = 8).await;
        let account = feed.account(Plan::Custom).await;
        let mut readers = Vec::new();
        for number in 1..=6 {
            let request = feed.request(&account, "/changes?after=0&wait=300");
            readers.push(tokio::spawn(request.send()));
            while feed.used(&account).await < number {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        assert_eq!(feed.get_public("/health").await.status, 200);
        save(&feed.db, &[flat("a", 5e6)]).await;
        for reader in readers {
            let answer = reader.await.unwrap().expect("its connection is kept");
            assert_eq!(answer.status().as_u16(), 200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shutdown_answers_who_waits() {
    support::on_each_database(async |db| {
        let mut feed = TestFeed::start(db, |_| ()).await;
        let account = feed.account(Plan::Custom).await;
        let request = feed.request(&account, "/changes?after=0&wait=300");
        let waiting = tokio::spawn(request.send());
        while feed.used(&account).await == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        feed.stop();
        let answer = waiting.await.unwrap().unwrap();
        assert_eq!(answer.status().as_u16(), 200);
        let TestFeed { serving, .. } = feed;
        serving.await.unwrap().unwrap();
    })
    .await;
}
