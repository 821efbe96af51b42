//! Ids outlive merges and splits.

use schema::store::offers;
use support::{clusters, on_each_database};

use super::feeding::{deduplicate, deduplicate_at, detail, hour, record_of, seen, take_in};
use super::market::{flat, other_flat};

#[tokio::test]
async fn a_merge_keeps_the_older_id_and_the_other_becomes_its_alias() {
    on_each_database(async |db| {
        take_in(&db, &[seen("sreality", "1", 5, &flat())]).await;
        deduplicate_at(&db, hour(10)).await;
        // First seen earlier, but its id is issued later.
        take_in(&db, &[seen("idnes", "2", 1, &other_flat())]).await;
        deduplicate_at(&db, hour(20)).await;
        let (older, younger) = (
            record_of(&db, "sreality", "1").await,
            record_of(&db, "idnes", "2").await,
        );
        assert_ne!(older, younger);
        take_in(&db, &[seen("idnes", "2", 21, &flat())]).await;
        let report = deduplicate_at(&db, hour(30)).await;
        assert_eq!(report.retired, 1);
        assert!(clusters(&db).await.keys().eq([&older]));
        assert_eq!(
            offers::resolve(&db, &younger).await.unwrap(),
            Some(older.clone())
        );
        assert_eq!(detail(&db, &younger).await, detail(&db, &older).await);
        assert_eq!(detail(&db, &older).await.detail.portal_links.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_split_leaves_the_id_with_the_part_that_holds_its_first_listing() {
    on_each_database(async |db| {
        let lines = ["sreality", "idnes", "bezrealitky"];
        let lines: Vec<String> = lines
            .iter()
            .map(|site| seen(site, "1", 5, &flat()))
            .collect();
        take_in(&db, &lines).await;
        take_in(&db, &[seen("bazos", "1", 2, &flat())]).await;
        deduplicate(&db).await;
        let id = record_of(&db, "bazos", "1").await;
        assert_eq!(clusters(&db).await.len(), 1, "four adverts of one flat");
        take_in(&db, &[seen("bazos", "1", 8, &other_flat())]).await;
        deduplicate(&db).await;
        let rest = record_of(&db, "sreality", "1").await;
        assert_eq!(
            record_of(&db, "bazos", "1").await,
            id,
            "the first listing keeps the id, even alone"
        );
        assert_ne!(rest, id);
        assert_eq!(detail(&db, &rest).await.detail.portal_links.len(), 3);
        assert_eq!(detail(&db, &id).await.detail.portal_links.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_id_comes_back_with_its_listing() {
    on_each_database(async |db| {
        let first = [
            seen("sreality", "1", 1, &flat()),
            seen("idnes", "2", 2, &flat()),
        ];
        take_in(&db, &first).await;
        deduplicate(&db).await;
        let id = record_of(&db, "sreality", "1").await;
        take_in(&db, &[seen("idnes", "2", 3, &other_flat())]).await;
        deduplicate(&db).await;
        let apart = record_of(&db, "idnes", "2").await;
        take_in(&db, &[seen("idnes", "2", 4, &flat())]).await;
        deduplicate(&db).await;
        assert_eq!(record_of(&db, "idnes", "2").await, id);
        assert_eq!(
            detail(&db, &apart).await.detail.offer.id,
            id,
            "an issued id stays valid"
        );
    })
    .await;
}
