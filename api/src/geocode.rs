//! Finds the position of an address. The gazetteer of this process is built from the address registry and from the
//! places that offers name; it is rebuilt when either changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use futures::TryStreamExt;
use futures::future::BoxFuture;
use gazetteer::places::Reason;
use gazetteer::registry::{self, OpenError, Registry};
use gazetteer::{Gazetteer, GazetteerBuilder, Located, NotLocated, PlaceRow};
use schema::Location;
use schema::store::offers::{self, AddressRow};
use schema::store::{Db, StoreError, gazetteer as editions, with_timeout};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use crate::config::{ApiConfig, OutsideGeocoder};

/// How often the gazetteer is checked for changes. With the time that rebuilding takes, a new edition is in use within a
/// minute.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(45);

/// How soon the first building is tried again if it failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// How long a renewal may take: it reads every address of every offer.
const RENEWAL_TIMEOUT: Duration = Duration::from_mins(5);

/// While offers change, the gazetteer is rebuilt in one part of the time out of this number.
const SHARE_OF_TIME: u32 = 20;

/// The number of municipalities whose addresses are read with one statement.
const TOGETHER: usize = 200;
/// The number of addresses that are learned together. It bounds the memory that reading them takes.
const BATCH: usize = 4096;

/// Finds the positions of addresses.
pub(crate) struct Geocoder {
    db: Db,
    /// File of the compiled registry.
    file: Option<PathBuf>,
    /// `None` until the gazetteer is built for the first time.
    known: watch::Sender<Option<Arc<Known>>>,
    /// The edition that the log last reported as missing here.
    reported: ArcSwapOption<String>,
    outside: Option<OutsideGeocoder>,
}

/// The gazetteer of one change number of the store and one edition of the registry.
struct Known {
    gazetteer: Gazetteer,
    change: i64,
    registry: Option<Arc<Registry>>,
    /// When it was built, and how long that took.
    built: (Instant, Duration),
}

impl Known {
    /// Whether it may be rebuilt for changed offers: not too soon, because that takes long if there are many offers.
    fn may_follow_offers(&self) -> bool {
        let (at, took) = self.built;
        took <= RENEWAL_INTERVAL / SHARE_OF_TIME || at.elapsed() >= took * SHARE_OF_TIME
    }
}

/// The position of an address.
#[derive(Debug, Clone)]
pub(crate) struct LocatedAddress {
    /// The centre of the search.
    pub location: Location,
    /// The place; `None` if a geocoder outside knew the position.
    pub place: Option<Located>,
}

/// Why the position of an address is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LocateError {
    /// The address was not found. The error says which parts were understood.
    #[error(transparent)]
    NotFound(NotLocated),
    /// The search for it failed.
    #[error("the search for the address failed")]
    Failed(#[from] JoinError),
}

impl Geocoder {
    /// A geocoder without a gazetteer. [`Geocoder::follow`] builds it; until then, requests with an address wait.
    pub(crate) fn new(db: Db, config: &ApiConfig) -> Self {
        Self {
            db,
            file: config.gazetteer.clone(),
            known: watch::Sender::new(None),
            reported: ArcSwapOption::empty(),
            outside: config.outside_geocoder.clone(),
        }
    }

    /// The position of `text`, from the gazetteer or else from the geocoder outside, if one is configured. It is not asked
    /// if the text fits several places, because it would choose one of them silently.
    ///
    /// # Errors
    /// [`LocateError::NotFound`] if neither knows it.
    pub(crate) async fn locate(&self, text: &str) -> Result<LocatedAddress, LocateError> {
        let unknown = match self.find(text).await? {
            Ok(place) => {
                return Ok(LocatedAddress {
                    location: place.location,
                    place: Some(place),
                });
            }
            Err(unknown) => unknown,
        };
        let is_undecided = matches!(
            unknown.reason,
            Reason::Ambiguous | Reason::Contradictory | Reason::Number
        );
        let found = match self.outside.as_ref().filter(|_| !is_undecided) {
            Some(outside) => outside(text.to_owned()).await,
            None => None,
        };
        let place = None;
        found
            .map(|location| LocatedAddress { location, place })
            .ok_or(LocateError::NotFound(unknown))
    }

    /// The position that an address had on the first page of a search, with its place if the address still leads there.
    ///
    /// # Errors
    /// [`LocateError::Failed`]
    pub(crate) async fn relocate(
        &self,
        text: &str,
        location: Location,
    ) -> Result<LocatedAddress, LocateError> {
        let place = self.find(text).await?.ok();
        let place = place.filter(|place| place.location == location);
        Ok(LocatedAddress { location, place })
    }

    /// The place of `text` according to the gazetteer.
    ///
    /// # Errors
    /// If looking failed.
    pub(crate) async fn find_place(
        &self,
        text: &str,
    ) -> Result<Result<Located, NotLocated>, JoinError> {
        self.find(text).await
    }

    async fn find(&self, text: &str) -> Result<Result<Located, NotLocated>, JoinError> {
        let known = self.known().await;
        let address = text.to_owned();
        tokio::task::spawn_blocking(move || known.gazetteer.find(&address)).await
    }

    /// The gazetteer, once there is one.
    async fn known(&self) -> Arc<Known> {
        let mut known = self.known.subscribe();
        loop {
            if let Some(known) = known.borrow_and_update().as_ref() {
                return Arc::clone(known);
            }
            // The sender lives as long as the geocoder.
            let _ = known.changed().await;
        }
    }

    /// Builds the gazetteer, and rebuilds it whenever the offers or the registry have changed, until `stop` is cancelled. A
    /// failure is logged, and the next check tries again.
    pub(crate) async fn follow(self: Arc<Self>, stop: CancellationToken) {
        let work = async {
            loop {
                if let Err(error) = with_timeout(RENEWAL_TIMEOUT, self.renew()).await {
                    tracing::warn!(%error, "updating the gazetteer failed");
                }
                let is_built = self.known.borrow().is_some();
                tokio::time::sleep(if is_built {
                    RENEWAL_INTERVAL
                } else {
                    RETRY_INTERVAL
                })
                .await;
            }
        };
        stop.run_until_cancelled(work).await;
    }

    async fn renew(&self) -> Result<(), StoreError> {
        let known = self.known.borrow().clone();
        let in_use = known.as_ref().and_then(|known| known.registry.clone());
        let registry = match check_file(self.file.as_deref(), in_use.as_deref()).await {
            RegistryFile::Unchanged => in_use.clone(),
            RegistryFile::Missing => None,
            RegistryFile::Changed(registry) => Some(registry),
        };
        let id = |registry: &Option<Arc<Registry>>| {
            registry.as_ref().map(|registry| registry.edition().id)
        };
        let is_due = match &known {
            None => true,
            Some(_) if id(&registry) != id(&in_use) => true,
            Some(known) => {
                known.may_follow_offers() && offers::last_change(&self.db).await? != known.change
            }
        };
        if is_due {
            let known = build_known(&self.db, registry).await?;
            self.known.send_replace(Some(Arc::new(known)));
        }
        self.compare_edition().await
    }

    /// Warns if the registry file of this machine is not the edition imported last. Each edition is reported once.
    async fn compare_edition(&self) -> Result<(), StoreError> {
        let Some(edition) = editions::current(&self.db).await? else {
            return Ok(());
        };
        let known = self.known.borrow().clone();
        let local = known.and_then(|known| Some(known.registry.as_ref()?.edition().id_text()));
        let is_reported = self.reported.load().as_deref() == Some(&edition.id);
        if local.as_ref() == Some(&edition.id) {
            self.reported.store(None);
        } else if !is_reported {
            tracing::warn!(
                file = ?self.file,
                local = local.as_deref().unwrap_or("none"),
                imported = edition.id,
                "the address registry of this machine is not the edition imported last: copy the file of that edition here"
            );
            self.reported.store(Some(Arc::new(edition.id)));
        }
        Ok(())
    }
}

/// The state of the registry file.
enum RegistryFile {
    /// The edition in use, or a file that cannot be read.
    Unchanged,
    /// There is no file.
    Missing,
    /// Another edition.
    Changed(Arc<Registry>),
}

/// Reads the file if its edition is not `known`. A file that cannot be read is logged and counts as unchanged.
async fn check_file(file: Option<&Path>, known: Option<&Registry>) -> RegistryFile {
    let Some(file) = file.map(Path::to_owned) else {
        return RegistryFile::Missing;
    };
    let known = known.map(|registry| registry.edition().id);
    match tokio::task::spawn_blocking(move || read_if_changed(&file, known)).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "reading the address registry failed"
            );
            RegistryFile::Unchanged
        }
        // The task only fails if the process is ending.
        Err(_) => RegistryFile::Unchanged,
    }
}

fn read_if_changed(file: &Path, known: Option<[u8; 32]>) -> Result<RegistryFile, OpenError> {
    if !file.exists() {
        return Ok(RegistryFile::Missing);
    }
    if known == Some(registry::edition_id(file)?) {
        return Ok(RegistryFile::Unchanged);
    }
    let registry = Registry::open(file)?;
    tracing::info!(edition = %registry.edition(), "loaded the address registry");
    Ok(RegistryFile::Changed(Arc::new(registry)))
}

async fn build_known(db: &Db, registry: Option<Arc<Registry>>) -> Result<Known, StoreError> {
    let began = Instant::now();
    let change = offers::last_change(db).await?;
    let gazetteer = learned_gazetteer(db, registry.clone()).await?;
    Ok(Known {
        gazetteer,
        change,
        registry,
        built: (Instant::now(), began.elapsed()),
    })
}

/// The gazetteer that the API uses for `address`: the places of the registry, those that offers name, and the authored
/// ones.
///
/// # Errors
/// The error of the store.
pub fn learned_gazetteer(
    db: &Db,
    registry: Option<Arc<Registry>>,
) -> BoxFuture<'_, Result<Gazetteer, StoreError>> {
    Box::pin(async move {
        let (sender, learned) = mpsc::channel(1);
        let building = tokio::task::spawn_blocking(move || build(registry, learned));
        let municipalities = offers::municipalities(db).await?;
        for part in municipalities.chunks(TOGETHER) {
            let mut batches = offers::addresses(db, part).try_chunks(BATCH);
            while let Some(rows) = batches.try_next().await.map_err(|failed| failed.1)? {
                // It fails only if the process is ending.
                drop(sender.send(Learned::Rows(rows)).await);
            }
        }
        drop(sender.send(Learned::All).await);
        let built = building.await.ok().flatten();
        Ok(built.unwrap_or_else(Gazetteer::authored))
    })
}

/// What a gazetteer is built from.
enum Learned {
    /// Some of the addresses.
    Rows(Vec<AddressRow>),
    /// There are no others.
    All,
}

/// Builds a gazetteer on one thread from the first row on: the allocator gives memory that is freed on a thread only to the
/// one that allocated it. `None` if reading the addresses failed.
fn build(
    registry: Option<Arc<Registry>>,
    mut learned: mpsc::Receiver<Learned>,
) -> Option<Gazetteer> {
    let mut builder = GazetteerBuilder::new();
    if let Some(registry) = registry {
        builder = builder.registry(registry);
    }
    while let Learned::Rows(rows) = learned.blocking_recv()? {
        for row in &rows {
            builder.row(&place(row));
        }
    }
    Some(builder.build())
}

fn place(row: &AddressRow) -> PlaceRow<'_> {
    PlaceRow {
        city: row.city.as_deref(),
        district: row.district.as_deref(),
        region: row.region.as_deref(),
        neighborhood: row.neighborhood.as_deref(),
        street: row.street.as_deref(),
        postal_code: row.postal_code.as_deref(),
        location: row.lat.zip(row.lng).map(|(lat, lng)| Location { lat, lng }),
        count: u32::try_from(row.count).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use schema::store::offers::OfferRow;
    use schema::{Attributes, Offer, OfferId, Timestamp};

    use super::*;

    const PLACE: Location = Location {
        lat: 49.75,
        lng: 15.5,
    };

    async fn an_offer_in(db: &Db, city: &str) {
        let offer = Offer {
            id: OfferId::parse("a").unwrap(),
            first_seen_at: Timestamp(0),
            last_changed_at: Timestamp(0),
            is_live: true,
            attributes: Attributes {
                city: Some(city.to_owned()),
                location: Some(PLACE),
                ..Attributes::default()
            },
        };
        let row = OfferRow {
            offer,
            portal_links: Vec::new(),
            price_history: Vec::new(),
            expired_at: None,
            issued_at: Timestamp(0),
            municipality: None,
        };
        let mut tx = db.begin().await.unwrap();
        let change = offers::next_change(&mut tx, 1).await.unwrap();
        offers::save(&mut tx, &row, change).await.unwrap();
        tx.commit().await.unwrap();
    }

    fn config(gazetteer: Option<PathBuf>) -> ApiConfig {
        let clock: crate::Clock = Arc::new(|| Timestamp(0));
        ApiConfig {
            gazetteer,
            ..ApiConfig::new("http://localhost", clock)
        }
    }

    #[tokio::test]
    async fn a_place_named_by_a_new_offer_is_found_after_a_renewal() {
        support::on_each_database(async |db| {
            let geocoder = Geocoder::new(db.clone(), &config(None));
            geocoder.renew().await.unwrap();
            an_offer_in(&db, "Kvíčalov").await;
            assert!(matches!(
                geocoder.locate("Kvíčalov").await,
                Err(LocateError::NotFound(_))
            ));
            geocoder.renew().await.unwrap();
            let located = geocoder.locate("Kvíčalov").await.unwrap();
            assert_eq!(located.location, PLACE);
        })
        .await;
    }

    fn fixture(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fixtures/ruian")
            .join(name)
    }

    fn edition_of(geocoder: &Geocoder) -> Option<u32> {
        let known = geocoder.known.borrow().clone();
        known.and_then(|known| Some(known.registry.as_ref()?.edition().date))
    }

    #[tokio::test]
    async fn a_new_or_changed_registry_file_is_loaded() {
        support::on_each_database(async |db| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("jeden.gazetteer");
            let geocoder = Geocoder::new(db.clone(), &config(Some(file.clone())));
            geocoder.renew().await.unwrap();
            assert_eq!(edition_of(&geocoder), None);
            for (table, date) in [
                ("20171130_OB_599901_ADR.csv", 20_171_130),
                ("20260630_ST_UZSZ.xml", 20_171_130),
                ("20260630_OB_599901_ADR.csv", 20_260_630),
            ] {
                registry::import(&[fixture(table)], &file, &|_| ()).unwrap();
                geocoder.renew().await.unwrap();
                assert_eq!(edition_of(&geocoder), Some(date));
            }
            std::fs::write(&file, "damaged").unwrap();
            geocoder.renew().await.unwrap();
            assert_eq!(
                edition_of(&geocoder),
                Some(20_260_630),
                "an unreadable file changes nothing"
            );
            std::fs::remove_file(&file).unwrap();
            geocoder.renew().await.unwrap();
            assert_eq!(edition_of(&geocoder), None);
        })
        .await;
    }
}
