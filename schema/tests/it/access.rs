//! Accounts, tokens and shared keys.

use schema::store::{Db, StoreError, accounts, secrets, tokens};
use schema::{Account, AccountId, Plan, TokenRecord};

use crate::samples::day;

async fn an_account(db: &Db, name: &str) -> Account {
    accounts::create(db, name, Plan::Pro, None, day(1))
        .await
        .unwrap()
}

fn a_token(id: &str, account: &Account) -> TokenRecord {
    TokenRecord {
        id: id.to_owned(),
        account_id: account.id,
        prefix: "jdn_ab12".to_owned(),
        created_at: day(2),
        revoked_at: None,
    }
}

#[tokio::test]
async fn an_account_is_found_by_name_and_row() {
    support::on_each_database(async |db| {
        let custom = accounts::create(&db, "žába", Plan::Custom, Some(70_000), day(1))
            .await
            .unwrap();
        let pro = an_account(&db, "Acme").await;
        assert_eq!(
            (custom.requests_per_month(), pro.requests_per_month()),
            (70_000, 500)
        );
        assert_eq!(
            accounts::by_name(&db, "žába").await.unwrap(),
            Some(custom.clone())
        );
        assert_eq!(accounts::get(&db, pro.id).await.unwrap(), Some(pro.clone()));
        assert_eq!(accounts::list(&db).await.unwrap(), [pro, custom]);
        assert_eq!(accounts::by_name(&db, "acme").await.unwrap(), None);
        assert_eq!(accounts::get(&db, AccountId(404)).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_name_is_taken_once() {
    support::on_each_database(async |db| {
        let first = an_account(&db, "Acme").await;
        let second = accounts::create(&db, "Acme", Plan::Free, None, day(2)).await;
        assert!(matches!(second, Err(StoreError::AccountExists { name }) if name == "Acme"));
        assert_eq!(accounts::list(&db).await.unwrap(), [first]);
    })
    .await;
}

#[tokio::test]
async fn only_the_custom_plan_has_its_own_number_of_requests() {
    support::on_each_database(async |db| {
        let refused = accounts::create(&db, "Acme", Plan::Pro, Some(9), day(1)).await;
        assert!(matches!(
            refused,
            Err(StoreError::OverrideOutsideCustom { plan: "proV2", .. })
        ));
        accounts::create(&db, "Acme", Plan::Custom, Some(9), day(1))
            .await
            .unwrap();
        let kept = accounts::set_plan(&db, "Acme", Plan::Custom).await.unwrap();
        assert_eq!(kept.requests_override, Some(9));
        let dropped = accounts::set_plan(&db, "Acme", Plan::Investor)
            .await
            .unwrap();
        assert_eq!(
            (dropped.plan, dropped.requests_override),
            (Plan::Investor, None)
        );
        let back = accounts::set_plan(&db, "Acme", Plan::Custom).await.unwrap();
        assert_eq!(back.requests_override, None);
        let agreed = accounts::set_custom(&db, "Acme", 12).await.unwrap();
        assert_eq!(
            (agreed.plan, agreed.requests_override),
            (Plan::Custom, Some(12))
        );
        assert_eq!(accounts::by_name(&db, "Acme").await.unwrap(), Some(agreed));
        let nobody = accounts::set_custom(&db, "Nobody", 12).await;
        assert!(matches!(nobody, Err(StoreError::NoAccount { name }) if name == "Nobody"));
        let nobody = accounts::set_plan(&db, "Nobody", Plan::Free).await;
        assert!(matches!(nobody, Err(StoreError::NoAccount { name }) if name == "Nobody"));
    })
    .await;
}

#[tokio::test]
async fn a_token_is_found_by_its_hash_with_its_account() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        let token = a_token("t1", &account);
        tokens::create(&db, &token, &[7; 32]).await.unwrap();
        assert_eq!(
            tokens::by_hash(&db, &[7; 32]).await.unwrap(),
            Some((token.clone(), account.clone()))
        );
        assert_eq!(tokens::by_hash(&db, &[8; 32]).await.unwrap(), None);
        assert!(
            tokens::create(&db, &a_token("t2", &account), &[7; 32])
                .await
                .is_err(),
            "the hash is taken"
        );
        assert!(
            tokens::create(&db, &token, &[9; 32]).await.is_err(),
            "the id is taken"
        );
        let moved = accounts::set_plan(&db, "Acme", Plan::Free).await.unwrap();
        assert_eq!(
            tokens::by_hash(&db, &[7; 32]).await.unwrap(),
            Some((token, moved))
        );
    })
    .await;
}

#[tokio::test]
async fn a_revoked_token_keeps_the_time_of_its_revocation() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        tokens::create(&db, &a_token("t1", &account), &[1; 32])
            .await
            .unwrap();
        assert!(tokens::revoke(&db, "t1", day(5)).await.unwrap());
        assert!(tokens::revoke(&db, "t1", day(6)).await.unwrap());
        assert!(!tokens::revoke(&db, "t2", day(6)).await.unwrap());
        let (token, _) = tokens::by_hash(&db, &[1; 32]).await.unwrap().unwrap();
        assert_eq!(token.revoked_at, Some(day(5)));
    })
    .await;
}

#[tokio::test]
async fn the_hashes_of_valid_tokens_are_told_and_no_others() {
    support::on_each_database(async |db| {
        let account = an_account(&db, "Acme").await;
        for (number, id) in (1..).zip(["a", "b", "c"]) {
            tokens::create(&db, &a_token(id, &account), &[number; 32])
                .await
                .unwrap();
        }
        tokens::revoke(&db, "b", day(5)).await.unwrap();
        let mut hashes = tokens::valid_hashes(&db).await.unwrap();
        hashes.sort_unstable();
        assert_eq!(hashes, [[1; 32], [3; 32]]);
    })
    .await;
}

#[tokio::test]
async fn tokens_are_listed_by_account() {
    support::on_each_database(async |db| {
        let (one, other) = (an_account(&db, "One").await, an_account(&db, "Other").await);
        let tokens = [
            a_token("b", &one),
            a_token("c", &other),
            TokenRecord {
                created_at: day(1),
                ..a_token("z", &one)
            },
        ];
        for (number, token) in (0..).zip(&tokens) {
            tokens::create(&db, token, &[number; 32]).await.unwrap();
        }
        let [b, c, z] = tokens;
        assert_eq!(
            tokens::list(&db, Some(one.id)).await.unwrap(),
            [z.clone(), b.clone()]
        );
        assert_eq!(tokens::list(&db, None).await.unwrap(), [z, b, c]);
    })
    .await;
}

#[tokio::test]
async fn every_process_gets_the_same_secret() {
    support::on_each_database(async |db| {
        let tasks: Vec<_> = (1..=8_u8)
            .map(|number| {
                let db = db.clone();
                tokio::spawn(async move {
                    secrets::get_or_create(&db, "cursor", [number; 32])
                        .await
                        .unwrap()
                })
            })
            .collect();
        let mut found = Vec::new();
        for task in tasks {
            found.push(task.await.unwrap());
        }
        assert!(found.iter().all(|secret| *secret == found[0]));
        assert_eq!(
            secrets::get_or_create(&db, "cursor", [99; 32])
                .await
                .unwrap(),
            found[0]
        );
        assert_eq!(
            secrets::get_or_create(&db, "token", [99; 32])
                .await
                .unwrap(),
            [99; 32]
        );
    })
    .await;
}
