//! What all requests of the console share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use api::ApiState;
use dedup::addresses::Addresses;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::Timestamp;
use schema::store::Db;
use tokio::sync::{OnceCell, Semaphore};

use crate::config::ConsoleConfig;
use crate::error::ConsoleError;
use crate::questions::Questions;
use crate::reached_levels::ReachedLevels;
use crate::snapshot::Snapshots;

/// The drawing of the country, with the edition of the registry that it was made from.
type Country = (Option<[u8; 32]>, Arc<str>);

/// The console of one process: cheap to clone.
#[derive(Clone)]
pub struct Console(Arc<Shared>);

struct Shared {
    config: ConsoleConfig,
    db: Db,
    rng: Mutex<StdRng>,
    search: OnceCell<ApiState>,
    country: RwLock<Option<Country>>,
    snapshots: Snapshots,
    questions: Questions,
    reached_levels: ReachedLevels,
    failed_logins: Mutex<HashMap<String, (u32, Timestamp)>>,
    /// A password takes 20 MB and a tenth of a second of a core: two at a time.
    hashing: Semaphore,
}

impl std::fmt::Debug for Console {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Console").field(&self.0.config).finish()
    }
}

impl Console {
    /// The console over `db`. `entropy` must be random and secret: tokens of sessions are drawn from it.
    pub fn new(db: Db, config: ConsoleConfig, entropy: [u8; 32]) -> Self {
        Self(Arc::new(Shared {
            snapshots: Snapshots::new(db.clone(), config.program.clone()),
            questions: Questions::new(db.clone(), config.program.clone()),
            reached_levels: ReachedLevels::default(),
            config,
            db,
            rng: Mutex::new(StdRng::from_seed(entropy)),
            search: OnceCell::new(),
            country: RwLock::default(),
            failed_logins: Mutex::default(),
            hashing: Semaphore::new(2),
        }))
    }

    pub(crate) fn config(&self) -> &ConsoleConfig {
        &self.0.config
    }

    pub(crate) fn db(&self) -> &Db {
        &self.0.db
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.config.now()
    }

    pub(crate) fn snapshots(&self) -> &Snapshots {
        &self.0.snapshots
    }

    pub(crate) fn reached_levels(&self) -> &ReachedLevels {
        &self.0.reached_levels
    }

    pub(crate) fn questions(&self) -> &Questions {
        &self.0.questions
    }

    /// The drawing of the country for this edition of the registry, if it is kept.
    pub(crate) fn country(&self, edition: Option<[u8; 32]>) -> Option<Arc<str>> {
        let kept = self.0.country.read();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let (drawn_from, svg) = kept.as_ref()?;
        (*drawn_from == edition).then(|| Arc::clone(svg))
    }

    /// Keeps the drawing of the country.
    pub(crate) fn keep_country(&self, edition: Option<[u8; 32]>, svg: Arc<str>) {
        let kept = self.0.country.write();
        *kept.unwrap_or_else(PoisonError::into_inner) = Some((edition, svg));
    }

    pub(crate) fn hashing(&self) -> &Semaphore {
        &self.0.hashing
    }

    /// The failed logins by name: how many, and since when.
    pub(crate) fn failed_logins(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<String, (u32, Timestamp)>> {
        let logins = self.0.failed_logins.lock();
        logins.unwrap_or_else(PoisonError::into_inner)
    }

    /// Random bytes for a token or a salt.
    pub(crate) fn random<const N: usize>(&self) -> [u8; N] {
        let rng = self.0.rng.lock();
        let mut rng = rng.unwrap_or_else(PoisonError::into_inner);
        std::array::from_fn(|_| rng.random())
    }

    /// The search engine.
    pub(crate) async fn search(&self) -> Result<&ApiState, ConsoleError> {
        let load = || (self.0.config.program.search)();
        let search = self.0.search.get_or_try_init(load).await;
        search.map_err(ConsoleError::Failed)
    }

    /// What reads addresses.
    pub(crate) async fn addresses(&self) -> Result<Addresses, ConsoleError> {
        let addresses = (self.0.config.program.addresses)().await;
        addresses.map_err(ConsoleError::Failed)
    }
}
