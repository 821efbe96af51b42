//! Opening and migrating.

#[tokio::test]
async fn a_fresh_database_answers() {
    support::on_each_database(async |db| db.ping().await.unwrap()).await;
}
