//! Pages and details are answered from the file of documents of the process, byte by byte as the database has them.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schema::store::Db;
use schema::store::offers::{self, IndexRow};
use schema::{OfferId, Plan};
use support::{SmallDisk, TestDatabase, databases, execute};

use crate::support::{Account, TestApi, TestOffer, retire, save, save_listing};

/// The body of a page of all records, made of what the database has.
async fn expected_page(db: &Db, limit: usize) -> String {
    let mut rows = offers::changes_between(db, (0, i64::MAX), 10_000)
        .await
        .unwrap();
    rows.sort_by_key(|row| std::cmp::Reverse((row.last_changed_at, row.row)));
    let rows: Vec<&IndexRow> = rows.iter().take(limit).collect();
    let numbers: Vec<i64> = rows.iter().map(|row| row.row).collect();
    let documents = offers::documents(db, &numbers).await.unwrap();
    let summaries = rows.iter().map(|row| {
        let document = documents.iter().find(|one| one.row == row.row).unwrap();
        String::from_utf8(document.summary.clone()).unwrap()
    });
    let summaries: Vec<String> = summaries.collect();
    format!("{{\"data\":[{}],", summaries.join(","))
}

async fn expected_detail(db: &Db, id: &str) -> Option<String> {
    let id = OfferId::parse(id).unwrap();
    let found = offers::detail(db, &id).await.unwrap()?;
    Some(serde_json::to_string(&found.detail).unwrap())
}

async fn assert_answers_as_the_database(api: &TestApi, account: &Account, ids: &[String]) {
    for limit in [3, 50] {
        let path = format!("/v1/offers?includeInactive=true&limit={limit}");
        let page = api.get_as(account, &path).await;
        let text = String::from_utf8(page.bytes).unwrap();
        let expected = expected_page(&api.db, limit).await;
        assert!(text.starts_with(&expected), "{path}\n{text}\n{expected}");
    }
    for id in ids {
        let detail = api.get_as(account, &format!("/v1/offers/{id}")).await;
        let text = String::from_utf8(detail.bytes).unwrap();
        match expected_detail(&api.db, id).await {
            Some(expected) => assert_eq!(text, expected),
            None => assert_eq!(detail.status, 404, "{id}"),
        }
    }
}

/// Saves, changes, ends or merges a record.
async fn change(db: &Db, ids: &mut Vec<String>, rng: &mut StdRng) {
    let known = ids.choose(rng).cloned();
    match (rng.random_range(0..6), known) {
        (0, Some(into)) => {
            let retired = ids.choose(rng).cloned().unwrap();
            let is_current = |id: &str| {
                let id = OfferId::parse(id).unwrap();
                async move { offers::resolve(db, &id).await.unwrap() == Some(id) }
            };
            if retired != into && is_current(&retired).await && is_current(&into).await {
                retire(db, &retired, &into).await;
            }
        }
        (1 | 2, Some(id)) => {
            let site = ["sreality", "idnes", "unlinked"][rng.random_range(0..3)];
            let number = rng.random_range(0..1_000_000).to_string();
            let price = f64::from(rng.random_range(1..90)) * 100_000.5;
            let prices = [("2026-05-01T06:00:00Z", price)];
            let id = OfferId::parse(&id).unwrap();
            // A listing is added to the record that an id leads to now.
            let current = offers::resolve(db, &id).await.unwrap().unwrap();
            let life = ("2026-05-01T06:00:00Z", None);
            save_listing(db, current.as_str(), (site, &number), life, &prices).await;
        }
        (3, Some(id)) => {
            let ended = TestOffer::new(&id).expired_at("2026-07-01T06:00:00Z");
            save(db, ended.changed_at("2026-07-01T06:00:00Z")).await;
        }
        _ => {
            let id = format!("record-{}", ids.len());
            let minute = rng.random_range(10..20);
            let text = "ř\"\\\u{1}x".repeat(rng.random_range(0..400));
            let offer = TestOffer::new(&id)
                .changed_at(&format!("2026-07-01T06:{minute}:00Z"))
                .with(|facts| facts.description = Some(text));
            save(db, offer).await;
            ids.push(id);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_equal_the_documents_of_the_database_over_random_changes() {
    for database in databases().await {
        let lazy = TestApi::start(database.db.clone(), |_| ()).await;
        let eager = lazy
            .beside(|config| config.index_poll = Duration::from_millis(2))
            .await;
        let account = lazy.unlimited_account().await;
        let (mut rng, mut ids) = (StdRng::seed_from_u64(5), Vec::new());
        for _ in 0..20 {
            for _ in 0..rng.random_range(1..12) {
                change(&database.db, &mut ids, &mut rng).await;
            }
            let some: Vec<String> = ids.sample(&mut rng, 3).cloned().collect();
            for api in [&lazy, &eager] {
                assert_answers_as_the_database(api, &account, &some).await;
            }
        }
        assert!(ids.len() > 20);
    }
}

async fn without_stored_documents(database: &TestDatabase) {
    execute(&database.url, "DELETE FROM offer_documents").await;
}

#[tokio::test]
async fn a_page_and_a_detail_are_answered_without_the_documents_of_the_database() {
    for database in databases().await {
        let api = TestApi::start(database.db.clone(), |_| ()).await;
        let account = api.account(Plan::Investor).await;
        for id in ["a", "b", "c"] {
            save(&api.db, TestOffer::new(id)).await;
        }
        save_listing(
            &api.db,
            "b",
            ("sreality", "1"),
            ("2026-05-01T06:00:00Z", None),
            &[("2026-05-01T06:00:00Z", 5.5)],
        )
        .await;
        let paths = ["/v1/offers", "/v1/offers/a", "/v1/offers/b", "/v1/offers/c"];
        let mut before = Vec::new();
        for path in paths {
            before.push(api.get_as(&account, path).await);
        }
        // The documents are copied within moments; until then they are read from the database.
        tokio::time::sleep(Duration::from_secs(2)).await;
        without_stored_documents(&database).await;
        for (path, before) in paths.into_iter().zip(before) {
            let after = api.get_as(&account, path).await;
            assert_eq!(after.status, 200, "{path} on {}", database.name);
            assert_eq!(after.bytes, before.bytes, "{path}");
            assert_eq!(after.header("etag"), before.header("etag"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_process_that_cannot_write_documents_reads_them_from_the_database() {
    let Some(disk) = SmallDisk::mount(1) else {
        return;
    };
    disk.fill();
    for database in databases().await {
        let folder = disk.folder().to_owned();
        let api = TestApi::start(database.db.clone(), |config| {
            config.documents = Some(folder);
        })
        .await;
        let account = api.unlimited_account().await;
        let (mut rng, mut ids) = (StdRng::seed_from_u64(6), Vec::new());
        for _ in 0..5 {
            for _ in 0..9 {
                change(&database.db, &mut ids, &mut rng).await;
            }
            assert_answers_as_the_database(&api, &account, &ids).await;
        }
    }
}
