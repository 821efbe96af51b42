//! What is sent to the operator's webhook.

use std::time::Duration;

use schema::Timestamp;
use schema::store::notices::{self, Notice};

use crate::samples::day;

fn notice(about: &str, occasion: &str) -> Notice {
    Notice {
        about: about.to_owned(),
        occasion: occasion.to_owned(),
        what: "a crawl was stopped by an alarm".to_owned(),
        todo: "look at the portal".to_owned(),
    }
}

const MINUTE: i64 = 60_000;

#[tokio::test]
async fn an_occasion_is_due_once_and_after_growing_waits_until_it_is_delivered() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let now = day(1);
        for (about, occasion, new) in [
            ("idnes", "alarm 1", true),
            ("idnes", "alarm 1", false),
            ("idnes", "alarm 2", true),
        ] {
            let noted = notices::note(&mut tx, &notice(about, occasion), now).await;
            assert_eq!(noted.unwrap(), new, "{occasion}");
        }
        let policy = (Duration::from_mins(1), 4);
        let due = notices::take_due(&mut tx, now, policy).await.unwrap();
        let occasions: Vec<&str> = due.iter().map(|due| due.notice.occasion.as_str()).collect();
        assert_eq!(occasions, ["alarm 1", "alarm 2"]);
        notices::delivered(&mut tx, due[0].id, now).await.unwrap();

        let mut tried = Vec::new();
        for minute in 0..20 {
            let at = Timestamp(now.millis() + minute * MINUTE);
            let due = notices::take_due(&mut tx, at, policy).await.unwrap();
            tried.extend(due.iter().map(|due| (minute, due.attempts)));
        }
        assert_eq!(
            tried,
            [(1, 2), (3, 3), (7, 4)],
            "four attempts, then no more"
        );
        tx.rollback().await.unwrap();
    })
    .await;
}
