//! A running API, offers to store, and answers that are compared with the description.

mod answer;
mod api;
mod description;
mod offers;

pub use answer::Answer;
pub use api::{Account, TestApi, cursor_key};
pub use description::{conforms, resolved};
pub use offers::{TestOffer, fully_known, retire, save, save_all, save_listing};

/// Runs a test with an API on each database.
pub async fn on_each(test: impl AsyncFn(TestApi)) {
    support::on_each_database(async |db| test(TestApi::start(db, |_| ()).await).await).await;
}
