//! One dedup worker at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use schema::store::{DatabaseSettings, Db, lock};

/// Holds the lock for a while, and returns how many held it at once at most.
async fn work(db: Db, holders: Arc<AtomicU32>) -> u32 {
    let mut most = 0;
    for _ in 0..3 {
        let mut lock = lock::acquire(&db).await.unwrap();
        most = most.max(holders.fetch_add(1, Ordering::SeqCst) + 1);
        assert!(lock.is_held().await);
        tokio::task::yield_now().await;
        holders.fetch_sub(1, Ordering::SeqCst);
        drop(lock);
    }
    most
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_holds_the_lock_beside_another() {
    for database in support::databases().await {
        let holders = Arc::new(AtomicU32::new(0));
        let mut workers = Vec::new();
        for _ in 0..3 {
            let db = Db::open(&DatabaseSettings::new(&database.url))
                .await
                .unwrap();
            workers.push(tokio::spawn(work(db, Arc::clone(&holders))));
        }
        for worker in workers {
            assert_eq!(worker.await.unwrap(), 1, "{}", database.name);
        }
    }
}

#[tokio::test]
async fn another_database_has_another_lock() {
    let (ours, theirs) = (support::databases().await, support::databases().await);
    for (one, other) in ours.iter().zip(&theirs) {
        let _held = lock::acquire(&one.db).await.unwrap();
        let _also = lock::acquire(&other.db).await.unwrap();
    }
}

#[tokio::test]
async fn who_gives_up_waiting_leaves_nothing_behind() {
    support::on_each_database(async |db| {
        let held = lock::acquire(&db).await.unwrap();
        let mut waiting = tokio::spawn({
            let db = db.clone();
            async move { lock::acquire(&db).await.unwrap() }
        });
        tokio::select! {
            _ = &mut waiting => panic!("the lock was held"),
            () = tokio::time::sleep(std::time::Duration::from_millis(50)) => waiting.abort(),
        }
        drop(held);
        lock::acquire(&db).await.unwrap();
    })
    .await;
}
