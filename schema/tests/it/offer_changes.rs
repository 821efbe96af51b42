//! The sequence of changes, as a search index follows it.

use schema::store::{Db, Tx, offers};

use crate::samples::an_offer;

async fn save(tx: &mut Tx, id: &str) -> i64 {
    let change = offers::next_change(tx, 1).await.unwrap();
    offers::save(tx, &an_offer(id), change).await.unwrap();
    change
}

#[tokio::test]
async fn numbers_are_taken_in_spans() {
    support::on_each_database(async |db| {
        assert_eq!(offers::last_change(&db).await.unwrap(), 0);
        let mut tx = db.begin().await.unwrap();
        assert_eq!(offers::next_change(&mut tx, 3).await.unwrap(), 1);
        assert_eq!(offers::next_change(&mut tx, 1).await.unwrap(), 4);
        tx.commit().await.unwrap();
        assert_eq!(offers::last_change(&db).await.unwrap(), 4);
        let mut tx = db.begin().await.unwrap();
        offers::next_change(&mut tx, 10).await.unwrap();
        tx.rollback().await.unwrap();
        assert_eq!(
            offers::last_change(&db).await.unwrap(),
            4,
            "what is rolled back was never given"
        );
    })
    .await;
}

#[tokio::test]
async fn changes_are_read_in_pages() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for id in ["a", "b", "c", "a"] {
            save(&mut tx, id).await;
        }
        tx.commit().await.unwrap();
        let page = offers::changes_between(&db, (0, i64::MAX), 2)
            .await
            .unwrap();
        let read = |rows: &[offers::IndexRow]| {
            rows.iter()
                .map(|row| (row.change, row.id.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(read(&page), [(2, "b".to_owned()), (3, "c".to_owned())]);
        let rest = offers::changes_between(&db, (3, i64::MAX), 2)
            .await
            .unwrap();
        assert_eq!(read(&rest), [(4, "a".to_owned())]);
        assert_eq!(
            offers::changes_between(&db, (4, i64::MAX), 2)
                .await
                .unwrap(),
            []
        );
        let part = offers::changes_between(&db, (2, 3), 9).await.unwrap();
        assert_eq!(read(&part), [(3, "c".to_owned())]);
    })
    .await;
}

#[tokio::test]
async fn a_transaction_reads_all_records_of_one_state_with_its_number() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for id in ["a", "b", "c"] {
            save(&mut tx, id).await;
        }
        tx.commit().await.unwrap();
        let mut reading = db.begin_read().await.unwrap();
        assert_eq!(offers::last_change_in(&mut reading).await.unwrap(), 3);
        let first = offers::changes_in(&mut reading, 0, 2).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        for id in ["c", "d"] {
            save(&mut tx, id).await;
        }
        tx.commit().await.unwrap();
        let rest = offers::changes_in(&mut reading, first[1].change, 2)
            .await
            .unwrap();
        let read: Vec<(&str, i64)> = first
            .iter()
            .chain(&rest)
            .map(|row| (row.id.as_str(), row.change))
            .collect();
        assert_eq!(read, [("a", 1), ("b", 2), ("c", 3)]);
        let rows: Vec<i64> = rest.iter().map(|row| row.row).collect();
        let documents = offers::documents_in(&mut reading, &rows).await.unwrap();
        assert_eq!(documents[0].change, 3);
        assert_eq!(offers::last_change_in(&mut reading).await.unwrap(), 3);
        assert_eq!(offers::last_change(&db).await.unwrap(), 5);
    })
    .await;
}

#[tokio::test]
async fn documents_are_the_ready_json_with_the_number_of_the_change_that_wrote_it() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        save(&mut tx, "a").await;
        let second = save(&mut tx, "b").await;
        tx.commit().await.unwrap();
        let rows = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap();
        let (a, b) = (rows[0].row, rows[1].row);
        let mut found = offers::documents(&db, &[b, 404, a, b]).await.unwrap();
        found.sort_by_key(|document| document.row);
        assert_eq!(
            found.iter().map(|one| one.row).collect::<Vec<_>>(),
            [a, b],
            "each once, and none for a row that does not exist"
        );
        assert_eq!(
            found[0].summary,
            serde_json::to_vec(&an_offer("a").offer).unwrap()
        );
        assert_eq!(
            found[1].detail_only,
            br#"{"portalLinks":[],"priceHistory":[]}"#
        );
        assert_eq!(found[1].change, second);
        assert_eq!(offers::documents(&db, &[]).await.unwrap(), []);
    })
    .await;
}

/// Several writers and a reader that follows them: it must meet every number, in order, and none below one it has.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_follows_misses_nothing() {
    const WRITERS: usize = 4;
    const EACH: usize = 15;
    async fn write(db: Db, writer: usize) {
        for number in 0..EACH {
            let mut tx = db.begin().await.unwrap();
            save(&mut tx, &format!("o-{writer}-{number}")).await;
            tokio::task::yield_now().await;
            tx.commit().await.unwrap();
        }
    }
    support::on_each_database(async |db| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| tokio::spawn(write(db.clone(), writer)))
            .collect();
        let mut met: Vec<i64> = Vec::new();
        while met.len() < WRITERS * EACH {
            let rows =
                offers::changes_between(&db, (met.last().copied().unwrap_or(0), i64::MAX), 7)
                    .await
                    .unwrap();
            let last = offers::last_change(&db).await.unwrap();
            assert!(rows.iter().all(|row| row.change <= last));
            met.extend(rows.iter().map(|row| row.change));
            // A number that is skipped would never be met again: the count would not be reached.
            assert!(met.is_sorted());
            assert_eq!(
                met.last().copied().unwrap_or(0),
                i64::try_from(met.len()).unwrap()
            );
        }
        for writer in writers {
            writer.await.unwrap();
        }
    })
    .await;
}
