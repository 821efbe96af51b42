//! What PostgreSQL knows of its tables.

use schema::store::{Backend, listings, planner_statistics};
use sqlx::PgPool;

use crate::samples::{a_state, key};

#[tokio::test]
async fn collecting_statistics_tells_postgresql_how_many_listings_there_are() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        for number in 0..100 {
            let key = key(&number.to_string());
            listings::save(&mut tx, &key, &a_state(), true)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        planner_statistics::collect(&database.db).await.unwrap();
        if database.db.backend() == Backend::Postgres {
            let pool = PgPool::connect(&database.url).await.unwrap();
            let rows: i64 = sqlx::query_scalar(
                "SELECT reltuples::bigint FROM pg_class WHERE oid = 'listings'::regclass",
            )
            .fetch_one(&pool)
            .await
            .unwrap();
            assert_eq!(rows, 100);
        }
    }
}
