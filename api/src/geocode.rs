//! Where an address lies: the gazetteer of this process, learnt from the offers, and renewed as they change.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use gazetteer::{Gazetteer, NotLocated, PlaceRow};
use schema::Location;
use schema::store::offers::{self, AddressRow};
use schema::store::{Db, StoreError};
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use crate::config::OutsideGeocoder;

/// How often the gazetteer is renewed at most.
const RENEWED_EVERY: Duration = Duration::from_mins(1);

/// Finds addresses.
pub struct Geocoder {
    db: Db,
    known: ArcSwap<Known>,
    outside: Option<OutsideGeocoder>,
}

/// The places known at one change number of the store.
struct Known {
    gazetteer: Gazetteer,
    change: i64,
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
    /// Learns the places that the offers in `db` name.
    ///
    /// # Errors
    /// Whatever reading the addresses failed with.
    pub async fn load(db: Db, outside: Option<OutsideGeocoder>) -> Result<Self, StoreError> {
        let known = ArcSwap::from_pointee(learn(&db).await?);
        Ok(Self { db, known, outside })
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
            Some(outside) => outside(text.to_owned()).await.ok_or(LocateError::Nowhere(unknown)),
            None => Err(LocateError::Nowhere(unknown)),
        }
    }

    /// Learns the places anew every so often, if the offers changed, until told to stop. A failure is logged, and tried
    /// again at the next turn.
    pub async fn follow(self: Arc<Self>, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(RENEWED_EVERY)).await.is_some() {
            if let Err(error) = self.renew().await {
                tracing::warn!(%error, "the gazetteer could not be renewed");
            }
        }
    }

    async fn renew(&self) -> Result<(), StoreError> {
        if offers::last_change(&self.db).await? != self.known.load().change {
            self.known.store(Arc::new(learn(&self.db).await?));
        }
        Ok(())
    }
}

async fn learn(db: &Db) -> Result<Known, StoreError> {
    let change = offers::last_change(db).await?;
    let gazetteer = learned_gazetteer(db).await?;
    Ok(Known { gazetteer, change })
}

/// The gazetteer that answers the API's `address`: the places that the offers name, and the authored ones.
///
/// # Errors
/// Whatever reading the addresses failed with.
pub async fn learned_gazetteer(db: &Db) -> Result<Gazetteer, StoreError> {
    let rows = offers::addresses(db).await?;
    let built = tokio::task::spawn_blocking(move || Gazetteer::from_rows(rows.iter().map(place))).await;
    // Building is pure: it ends early only where the process does.
    Ok(built.unwrap_or_else(|_| Gazetteer::authored()))
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

    const PLACE: Location = Location { lat: 49.75, lng: 15.5 };

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

    #[tokio::test]
    async fn a_place_that_a_later_offer_names_is_found_after_a_renewal() {
        support::on_each_database(async |db| {
            let geocoder = Geocoder::load(db.clone(), None).await.unwrap();
            an_offer_in(&db, "Kvíčalov").await;
            assert!(matches!(geocoder.locate("Kvíčalov").await, Err(LocateError::Nowhere(_))));
            geocoder.renew().await.unwrap();
            assert_eq!(geocoder.locate("Kvíčalov").await.unwrap(), PLACE);
        })
        .await;
    }
}
