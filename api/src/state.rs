//! What all requests of one process share.

use std::sync::Arc;

use axum::body::Bytes;
use futures::future::BoxFuture;
use schema::store::{Db, StoreError, secrets};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::auth::{FailedAuthLimiter, TokenDirectory, token_key};
use crate::concurrency::ConcurrencyLimit;
use crate::config::ApiConfig;
use crate::cursor::CursorKey;
use crate::database_health::DatabaseHealth;
use crate::documents::Documents;
use crate::encoded_bodies::EncodedBodies;
use crate::geocode::Geocoder;
use crate::index::OfferIndex;
use crate::openapi;
use crate::page_buffers::PageBuffers;
use crate::quota::{Reservations, UsageReader};
use crate::request_id::RequestIds;

/// The name under which the store keeps the key that authenticates cursors.
const CURSOR_KEY: &str = "cursor-key";

/// The API of one process: cheap to clone. When the last clone is dropped, the background tasks end: the ones that
/// update the search index, its documents and the gazetteer, and the one that counts requests.
#[derive(Clone)]
pub struct ApiState(Arc<Shared>);

struct Shared {
    config: ApiConfig,
    db: Db,
    request_ids: RequestIds,
    directory: TokenDirectory,
    failed_auth: FailedAuthLimiter,
    reservations: Reservations,
    usage: UsageReader,
    index: Arc<OfferIndex>,
    concurrency: ConcurrencyLimit,
    health: DatabaseHealth,
    scans: Semaphore,
    geocoder: Arc<Geocoder>,
    cursor_key: CursorKey,
    page_buffers: PageBuffers,
    encoded_bodies: EncodedBodies,
    openapi: Bytes,
    _background: DropGuard,
}

impl ApiState {
    /// Builds the search index and the gazetteer from `db`, and starts the tasks that keep them up to date. `entropy`
    /// must be random and secret: keys that are missing from the database are derived from it.
    ///
    /// # Errors
    /// The error of the store, if reading or writing it fails.
    pub fn start(
        db: Db,
        config: ApiConfig,
        entropy: [u8; 32],
    ) -> BoxFuture<'static, Result<Self, StoreError>> {
        Box::pin(async move {
            let derive =
                |purpose: &str| blake3::derive_key(&format!("jeden 2026 {purpose}"), &entropy);
            let token_key = token_key(&db, derive("token key")).await?;
            let cursor_key = secrets::get_or_create(&db, CURSOR_KEY, derive("cursor key")).await?;
            let documents = Documents::new(config.documents.clone());
            let index = Arc::new(OfferIndex::load(db.clone(), documents).await?);
            let geocoder = Arc::new(Geocoder::new(db.clone(), &config));
            let stop = CancellationToken::new();
            tokio::spawn(Arc::clone(&index).follow(config.index_poll, stop.clone()));
            tokio::spawn(Arc::clone(&index).store_documents(stop.clone()));
            tokio::spawn(Arc::clone(&geocoder).follow(stop.clone()));
            let cores = std::thread::available_parallelism().map_or(2, usize::from);
            Ok(Self(Arc::new(Shared {
                request_ids: RequestIds::new(derive("request ids")),
                directory: TokenDirectory::new(db.clone(), token_key, config.token_ttl),
                failed_auth: FailedAuthLimiter::new(config.failed_attempts),
                reservations: Reservations::start(db.clone()),
                usage: UsageReader::start(db.clone()),
                concurrency: ConcurrencyLimit::new(&config.work),
                health: DatabaseHealth::new(db.clone(), &config),
                index,
                scans: Semaphore::new(cores.max(2)),
                geocoder,
                cursor_key: CursorKey::new(cursor_key),
                page_buffers: PageBuffers::default(),
                encoded_bodies: EncodedBodies::new(config.encoded_bodies),
                openapi: openapi::rendered(&config.base_url, config.contact.as_deref()).into(),
                config,
                db,
                _background: stop.drop_guard(),
            })))
        })
    }

    pub(crate) fn config(&self) -> &ApiConfig {
        &self.0.config
    }

    pub(crate) fn db(&self) -> &Db {
        &self.0.db
    }

    pub(crate) fn request_ids(&self) -> &RequestIds {
        &self.0.request_ids
    }

    pub(crate) fn directory(&self) -> &TokenDirectory {
        &self.0.directory
    }

    pub(crate) fn failed_auth(&self) -> &FailedAuthLimiter {
        &self.0.failed_auth
    }

    pub(crate) fn reservations(&self) -> &Reservations {
        &self.0.reservations
    }

    pub(crate) fn usage(&self) -> &UsageReader {
        &self.0.usage
    }

    pub(crate) fn index(&self) -> &OfferIndex {
        &self.0.index
    }

    pub(crate) fn concurrency(&self) -> &ConcurrencyLimit {
        &self.0.concurrency
    }

    pub(crate) fn health(&self) -> &DatabaseHealth {
        &self.0.health
    }

    /// Limits the searches that run at once to the number of cores.
    pub(crate) fn scans(&self) -> &Semaphore {
        &self.0.scans
    }

    pub(crate) fn geocoder(&self) -> &Geocoder {
        &self.0.geocoder
    }

    pub(crate) fn cursor_key(&self) -> &CursorKey {
        &self.0.cursor_key
    }

    pub(crate) fn page_buffers(&self) -> &PageBuffers {
        &self.0.page_buffers
    }

    pub(crate) fn encoded_bodies(&self) -> &EncodedBodies {
        &self.0.encoded_bodies
    }

    pub(crate) fn openapi(&self) -> Bytes {
        self.0.openapi.clone()
    }
}
