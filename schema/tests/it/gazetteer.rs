//! Which edition of the address registry is in use.

use schema::Timestamp;
use schema::store::gazetteer::{self, ImportedEdition};

fn edition(id: &str, date: i64, imported_at: i64) -> ImportedEdition {
    ImportedEdition {
        id: id.to_owned(),
        date,
        municipalities: 6258,
        places: 3_020_222,
        imported_at: Timestamp(imported_at),
    }
}

#[tokio::test]
async fn the_edition_imported_last_is_in_use() {
    support::on_each_database(async |db| {
        assert_eq!(gazetteer::current(&db).await.unwrap(), None);
        let mut tx = db.begin().await.unwrap();
        assert!(
            gazetteer::record(&mut tx, &edition("aa", 20_260_731, 1))
                .await
                .unwrap()
        );
        assert!(
            gazetteer::record(&mut tx, &edition("bb", 20_260_630, 2))
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        assert_eq!(
            gazetteer::current(&db).await.unwrap(),
            Some(edition("bb", 20_260_630, 2))
        );
    })
    .await;
}

#[tokio::test]
async fn importing_the_same_again_leaves_the_day_it_was_first_imported() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        assert!(
            gazetteer::record(&mut tx, &edition("aa", 20_260_731, 1))
                .await
                .unwrap()
        );
        assert!(
            !gazetteer::record(&mut tx, &edition("aa", 20_260_731, 9))
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        assert_eq!(
            gazetteer::current(&db).await.unwrap(),
            Some(edition("aa", 20_260_731, 1))
        );
    })
    .await;
}
