//! What all requests of one process share.

use std::sync::Arc;

use axum::body::Bytes;
use schema::store::{Db, StoreError, secrets};
use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::auth::{Attempts, TokenDirectory, token_key};
use crate::config::ApiConfig;
use crate::cursor::CursorKey;
use crate::geocode::Geocoder;
use crate::health::Health;
use crate::index::OfferIndex;
use crate::middleware::request_id::RequestIds;
use crate::middleware::turns::Turns;
use crate::openapi;
use crate::quota::Reservations;

/// Under this name the store keeps the key that cursors are authenticated with.
const CURSOR_KEY: &str = "cursor-key";

/// The API of one process: cheap to clone. Its background tasks (following the store's changes, renewing the
/// gazetteer, counting requests) end when the last clone is dropped.
#[derive(Clone)]
pub struct ApiState(Arc<Shared>);

struct Shared {
    config: ApiConfig,
    db: Db,
    request_ids: RequestIds,
    directory: TokenDirectory,
    attempts: Attempts,
    reservations: Reservations,
    index: Arc<OfferIndex>,
    turns: Turns,
    health: Health,
    scans: Semaphore,
    geocoder: Arc<Geocoder>,
    cursor_key: CursorKey,
    openapi: Bytes,
    _background: DropGuard,
}

impl ApiState {
    /// Builds the search index and the gazetteer from `db`, and starts what keeps them current. `entropy` must be
    /// random and secret: keys that the database lacks are derived from it.
    ///
    /// # Errors
    /// Whatever the store failed with.
    pub async fn start(db: Db, config: ApiConfig, entropy: [u8; 32]) -> Result<Self, StoreError> {
        let derive = |purpose: &str| blake3::derive_key(&format!("jeden 2026 {purpose}"), &entropy);
        let token_key = token_key(&db, derive("token key")).await?;
        let cursor_key = secrets::get_or_create(&db, CURSOR_KEY, derive("cursor key")).await?;
        let index = Arc::new(OfferIndex::load(db.clone()).await?);
        let geocoder = Arc::new(Geocoder::load(db.clone(), &config).await?);
        let stop = CancellationToken::new();
        tokio::spawn(Arc::clone(&index).follow(config.index_poll, stop.clone()));
        tokio::spawn(Arc::clone(&geocoder).follow(stop.clone()));
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self(Arc::new(Shared {
            request_ids: RequestIds::new(derive("request ids")),
            directory: TokenDirectory::new(db.clone(), token_key, config.token_ttl),
            attempts: Attempts::new(config.failed_attempts),
            reservations: Reservations::start(db.clone()),
            turns: Turns::new(&config.work),
            health: Health::new(db.clone(), &config),
            index,
            scans: Semaphore::new(cores.max(2)),
            geocoder,
            cursor_key: CursorKey::new(cursor_key),
            openapi: openapi::rendered(&config.base_url).into(),
            config,
            db,
            _background: stop.drop_guard(),
        })))
    }

    /// The settings.
    pub fn config(&self) -> &ApiConfig {
        &self.0.config
    }

    /// The database.
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    pub(crate) fn request_ids(&self) -> &RequestIds {
        &self.0.request_ids
    }

    pub(crate) fn directory(&self) -> &TokenDirectory {
        &self.0.directory
    }

    pub(crate) fn attempts(&self) -> &Attempts {
        &self.0.attempts
    }

    pub(crate) fn reservations(&self) -> &Reservations {
        &self.0.reservations
    }

    /// The search index.
    pub fn index(&self) -> &OfferIndex {
        &self.0.index
    }

    pub(crate) fn turns(&self) -> &Turns {
        &self.0.turns
    }

    pub(crate) fn health(&self) -> &Health {
        &self.0.health
    }

    /// As many searches run at once as there are cores.
    pub(crate) fn scans(&self) -> &Semaphore {
        &self.0.scans
    }

    pub(crate) fn geocoder(&self) -> &Geocoder {
        &self.0.geocoder
    }

    pub(crate) fn cursor_key(&self) -> &CursorKey {
        &self.0.cursor_key
    }

    pub(crate) fn openapi(&self) -> Bytes {
        self.0.openapi.clone()
    }
}
