//! Where an address lies: the gazetteer of this process, of the address registry and what the offers name, and renewed
//! as these change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use gazetteer::registry::{self, OpenError, Registry};
use gazetteer::{Gazetteer, GazetteerBuilder, NotLocated, PlaceRow};
use schema::Location;
use schema::store::offers::{self, AddressRow};
use schema::store::{Db, StoreError, gazetteer as editions};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use crate::config::{ApiConfig, OutsideGeocoder};
use crate::patience::in_time;

/// How often the gazetteer is renewed at most: with the time it takes, a new edition is in use within a minute.
const RENEWED_EVERY: Duration = Duration::from_secs(45);

/// How long that may take: every address of every offer is read.
const PATIENCE: Duration = Duration::from_mins(5);

/// Finds addresses.
pub struct Geocoder {
    db: Db,
    /// File of the compiled registry.
    file: Option<PathBuf>,
    known: ArcSwap<Known>,
    /// The edition that was last said to be missing here.
    missed: ArcSwapOption<String>,
    outside: Option<OutsideGeocoder>,
}

/// The places known at one change number of the store, and with one edition of the registry.
struct Known {
    gazetteer: Gazetteer,
    change: i64,
    registry: Option<Arc<Registry>>,
}

/// Why an address has no position.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// It leads nowhere; this says what was understood.
    #[error(transparent)]
    Nowhere(NotLocated),
    /// Looking for it failed.
    #[error("the address could not be looked for")]
    Failed(#[from] JoinError),
}

impl Geocoder {
    /// Reads the compiled registry, where there is one, and learns the places that the offers in `db` name.
    ///
    /// # Errors
    /// Whatever reading the addresses failed with. A registry that cannot be read is logged, and done without.
    pub async fn load(db: Db, config: &ApiConfig) -> Result<Self, StoreError> {
        let (file, outside) = (config.gazetteer.clone(), config.outside_geocoder.clone());
        let registry = match look(file.as_deref(), None).await {
            OnDisk::Other(registry) => Some(registry),
            OnDisk::Known | OnDisk::Missing => None,
        };
        let known = ArcSwap::from_pointee(learn(&db, registry).await?);
        let geocoder = Self {
            db,
            file,
            known,
            missed: ArcSwapOption::empty(),
            outside,
        };
        geocoder.compare_edition().await?;
        Ok(geocoder)
    }

    /// Where `text` lies: the gazetteer's answer, else that of the geocoder outside, where there is one.
    ///
    /// # Errors
    /// [`LocateError::Nowhere`] where neither knows it.
    pub async fn locate(&self, text: &str) -> Result<Location, LocateError> {
        let known = self.known.load_full();
        let asked = text.to_owned();
        let found = tokio::task::spawn_blocking(move || known.gazetteer.locate(&asked)).await?;
        let unknown = match found {
            Ok(located) => return Ok(located.location),
            Err(unknown) => unknown,
        };
        match &self.outside {
            Some(outside) => outside(text.to_owned())
                .await
                .ok_or(LocateError::Nowhere(unknown)),
            None => Err(LocateError::Nowhere(unknown)),
        }
    }

    /// Learns the places anew every so often, if the offers changed, until told to stop. A failure is logged, and tried
    /// again at the next turn.
    pub async fn follow(self: Arc<Self>, stop: CancellationToken) {
        while stop
            .run_until_cancelled(tokio::time::sleep(RENEWED_EVERY))
            .await
            .is_some()
        {
            if let Err(error) = in_time(PATIENCE, self.renew()).await {
                tracing::warn!(%error, "the gazetteer could not be renewed");
            }
        }
    }

    async fn renew(&self) -> Result<(), StoreError> {
        let known = self.known.load_full();
        let registry = match look(self.file.as_deref(), known.registry.as_deref()).await {
            OnDisk::Known => known.registry.clone(),
            OnDisk::Missing => None,
            OnDisk::Other(registry) => Some(registry),
        };
        let id = |registry: &Option<Arc<Registry>>| {
            registry.as_ref().map(|registry| registry.edition().id)
        };
        let is_other = id(&registry) != id(&known.registry);
        if is_other || offers::last_change(&self.db).await? != known.change {
            self.known.store(Arc::new(learn(&self.db, registry).await?));
        }
        self.compare_edition().await
    }

    /// Warns, once an edition, where this machine's registry is not the one that was imported last.
    async fn compare_edition(&self) -> Result<(), StoreError> {
        let Some(edition) = editions::current(&self.db).await? else {
            return Ok(());
        };
        let known = self.known.load();
        let here = known
            .registry
            .as_ref()
            .map(|registry| registry.edition().id_text());
        let is_said = self.missed.load().as_deref() == Some(&edition.id);
        if here.as_ref() == Some(&edition.id) {
            self.missed.store(None);
        } else if !is_said {
            tracing::warn!(
                file = ?self.file,
                here = here.as_deref().unwrap_or("none"),
                imported = edition.id,
                "the address registry of this machine is not the one imported last: copy its file here"
            );
            self.missed.store(Some(Arc::new(edition.id)));
        }
        Ok(())
    }
}

/// What the file of the registry holds now.
enum OnDisk {
    /// The edition that is known, or nothing that can be read.
    Known,
    /// There is no file.
    Missing,
    /// Another edition.
    Other(Arc<Registry>),
}

/// Looks at the file. One that cannot be read is logged, and changes nothing.
async fn look(file: Option<&Path>, known: Option<&Registry>) -> OnDisk {
    let Some(file) = file.map(Path::to_owned) else {
        return OnDisk::Missing;
    };
    let known = known.map(|registry| registry.edition().id);
    match tokio::task::spawn_blocking(move || read_other(&file, known)).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the address registry was not read"
            );
            OnDisk::Known
        }
        // Reading ends early only where the process does.
        Err(_) => OnDisk::Known,
    }
}

fn read_other(file: &Path, known: Option<[u8; 32]>) -> Result<OnDisk, OpenError> {
    if !file.exists() {
        return Ok(OnDisk::Missing);
    }
    if known == Some(registry::edition_id(file)?) {
        return Ok(OnDisk::Known);
    }
    let registry = Registry::open(file)?;
    tracing::info!(edition = %registry.edition(), "the address registry is read");
    Ok(OnDisk::Other(Arc::new(registry)))
}

async fn learn(db: &Db, registry: Option<Arc<Registry>>) -> Result<Known, StoreError> {
    let change = offers::last_change(db).await?;
    let gazetteer = learned_gazetteer(db, registry.clone()).await?;
    Ok(Known {
        gazetteer,
        change,
        registry,
    })
}

/// The gazetteer that answers the API's `address`: the places of the registry, those that the offers name, and the
/// authored ones.
///
/// # Errors
/// Whatever reading the addresses failed with.
pub async fn learned_gazetteer(
    db: &Db,
    registry: Option<Arc<Registry>>,
) -> Result<Gazetteer, StoreError> {
    let rows = offers::addresses(db).await?;
    let built = tokio::task::spawn_blocking(move || build(registry, &rows)).await;
    // Building is pure: it ends early only where the process does.
    Ok(built.unwrap_or_else(|_| Gazetteer::authored()))
}

fn build(registry: Option<Arc<Registry>>, rows: &[AddressRow]) -> Gazetteer {
    let mut builder = GazetteerBuilder::new();
    if let Some(registry) = registry {
        builder = builder.registry(registry);
    }
    for row in rows {
        builder.row(&place(row));
    }
    builder.build()
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
    async fn a_place_that_a_later_offer_names_is_found_after_a_renewal() {
        support::on_each_database(async |db| {
            let geocoder = Geocoder::load(db.clone(), &config(None)).await.unwrap();
            an_offer_in(&db, "Kvíčalov").await;
            assert!(matches!(
                geocoder.locate("Kvíčalov").await,
                Err(LocateError::Nowhere(_))
            ));
            geocoder.renew().await.unwrap();
            assert_eq!(geocoder.locate("Kvíčalov").await.unwrap(), PLACE);
        })
        .await;
    }

    fn fixture(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../fixtures/ruian")
            .join(name)
    }

    fn edition_of(geocoder: &Geocoder) -> Option<u32> {
        geocoder
            .known
            .load()
            .registry
            .as_ref()
            .map(|registry| registry.edition().date)
    }

    #[tokio::test]
    async fn an_edition_of_the_registry_is_taken_when_it_comes_and_changes() {
        support::on_each_database(async |db| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("jeden.gazetteer");
            let geocoder = Geocoder::load(db.clone(), &config(Some(file.clone())))
                .await
                .unwrap();
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
                "what cannot be read changes nothing"
            );
            std::fs::remove_file(&file).unwrap();
            geocoder.renew().await.unwrap();
            assert_eq!(edition_of(&geocoder), None);
        })
        .await;
    }
}
