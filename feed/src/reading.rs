//! Reading for one request: a page, or the wait for one.

use std::sync::Arc;
use std::time::Duration;

use api::ApiState;
use api::beside::{self, ChangesRequest, Reader, Refusal};
use schema::store::Db;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::news::News;
use crate::page::{Page, PageError, Wanted, read_page};

/// How long the database may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What all requests of the feed share.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) db: Db,
    pub(crate) news: Arc<News>,
    /// Cancelled when the process is told to stop: no client waits any longer.
    pub(crate) stop: CancellationToken,
    /// How long a stream lasts at most.
    pub(crate) longest_stream: Duration,
    /// How often a quiet stream sends something, and how often its token is checked.
    pub(crate) heartbeat: Duration,
}

impl Feed {
    /// The page after a number.
    pub(crate) async fn page(
        &self,
        api: &ApiState,
        (request, reader): (&ChangesRequest, Reader),
        after: Option<i64>,
    ) -> Result<Page, Refusal> {
        let wanted = Wanted {
            after,
            limit: request.limit,
            filter: &request.filter,
            heard_of: reader.newest_change,
        };
        let _permit = beside::permit(api).await?;
        let page = tokio::time::timeout(TIMEOUT, read_page(&self.db, wanted)).await;
        page.map_err(Refusal::failure)?.map_err(refused)
    }

    /// The page after a number. If it would be empty, waits up to `wait` for a change.
    pub(crate) async fn page_within(
        &self,
        api: &ApiState,
        asked: (&ChangesRequest, Reader),
        (after, wait): (Option<i64>, Duration),
    ) -> Result<Page, Refusal> {
        let until = Instant::now() + wait;
        let mut after = after;
        loop {
            let page = self.page(api, asked, after).await?;
            if !page.changes.is_empty() || Instant::now() >= until || self.stop.is_cancelled() {
                return Ok(page);
            }
            after = Some(page.next_after);
            if !page.has_more {
                tokio::select! {
                    () = self.news.after(page.next_after) => {}
                    () = tokio::time::sleep_until(until) => return Ok(page),
                    () = self.stop.cancelled() => return Ok(page),
                }
            }
        }
    }
}

fn refused(error: PageError) -> Refusal {
    match error {
        PageError::Expired { after, known_after } => Refusal::changes_expired(after, known_after),
        PageError::Ahead { newest, .. } => Refusal::parameter(
            "after",
            format!(
                "is newer than the last change, which has number {newest}; if it was read here, the database was restored \
                 from a backup since: start over with an export"
            ),
        ),
        PageError::Failed(error) => Refusal::failure(error),
    }
}
