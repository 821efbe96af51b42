//! Offers for tests: live flats in Prague by default.

use schema::store::offers::{self, OfferRow};
use schema::store::{Db, listings};
use schema::{
    Attributes, Listing, ListingKey, ListingState, Location, Offer, OfferId, OfferType, PortalLink,
    PricePoint, PriceSeries, PropertyType, StoredListing, Timestamp,
};

use super::description::resolved;

/// An instant.
pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An offer to store.
#[derive(Debug, Clone)]
pub struct TestOffer {
    pub id: String,
    pub first_seen_at: Timestamp,
    pub last_changed_at: Timestamp,
    pub expired_at: Option<Timestamp>,
    pub attributes: Attributes,
}

impl TestOffer {
    /// A live flat for sale in Prague, changed on the first of July.
    pub fn new(id: &str) -> Self {
        let attributes = Attributes {
            location: Some(Location {
                lat: 50.0755,
                lng: 14.4378,
            }),
            title: Some("Prodej bytu 2+kk".to_owned()),
            city: Some("Praha".to_owned()),
            district: Some("Praha".to_owned()),
            offer_type: Some(OfferType::Sale),
            property_type: Some(PropertyType::Apartment),
            price_total: Some(5_000_000.0),
            ..Attributes::default()
        };
        Self {
            id: id.to_owned(),
            first_seen_at: at("2026-05-01T06:00:00Z"),
            last_changed_at: at("2026-07-01T06:00:00Z"),
            expired_at: None,
            attributes,
        }
    }

    pub fn with(mut self, change: impl FnOnce(&mut Attributes)) -> Self {
        change(&mut self.attributes);
        self
    }

    pub fn changed_at(mut self, text: &str) -> Self {
        self.last_changed_at = at(text);
        self
    }

    pub fn expired_at(mut self, text: &str) -> Self {
        self.expired_at = Some(at(text));
        self
    }

    fn row(&self) -> OfferRow {
        let offer = Offer {
            id: OfferId::parse(&self.id).unwrap(),
            first_seen_at: self.first_seen_at,
            last_changed_at: self.last_changed_at,
            is_live: self.expired_at.is_none(),
            attributes: self.attributes.clone(),
        };
        OfferRow {
            offer,
            portal_links: Vec::new(),
            price_history: Vec::new(),
            expired_at: self.expired_at,
            issued_at: self.first_seen_at,
            municipality: None,
        }
    }
}

/// Stores an offer as one change.
pub async fn save(db: &Db, offer: TestOffer) {
    save_all(db, &[offer]).await;
}

/// Stores offers in one transaction, each as one change.
pub async fn save_all(db: &Db, all: &[TestOffer]) {
    let mut tx = db.begin().await.unwrap();
    let first = offers::next_change(&mut tx, all.len() as u64)
        .await
        .unwrap();
    for (offer, change) in all.iter().zip(first..) {
        offers::save(&mut tx, &offer.row(), change).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Merges one offer into another.
pub async fn retire(db: &Db, retired: &str, into: &str) {
    let mut tx = db.begin().await.unwrap();
    let change = offers::next_change(&mut tx, 1).await.unwrap();
    let (retired, into) = (
        OfferId::parse(retired).unwrap(),
        OfferId::parse(into).unwrap(),
    );
    offers::retire(&mut tx, &retired, &into, change)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Stores a portal listing of an offer, with the prices it asked. Its page is made of its number, or is the number if that
/// has a scheme.
pub async fn save_listing(
    db: &Db,
    offer: &str,
    key: (&str, &str),
    life: (&str, Option<&str>),
    prices: &[(&str, f64)],
) {
    let (first_seen_at, gone_at) = (at(life.0), life.1.map(at));
    let state = ListingState {
        listing: Listing::default(),
        url: (key.0 != "unlinked").then(|| page(key)),
        first_seen_at,
        last_seen_at: first_seen_at,
        last_changed_at: first_seen_at,
        gone_at,
        prices: prices
            .iter()
            .map(|(text, price)| PricePoint {
                at: at(text),
                price_total: *price,
            })
            .collect(),
    };
    let key = ListingKey::new(key.0, key.1);
    let id = OfferId::parse(offer).unwrap();
    let mut tx = db.begin().await.unwrap();
    let listing = listings::save(&mut tx, &key, &state, true).await.unwrap();
    listings::assign(&mut tx, &[(listing, &id)]).await.unwrap();
    tx.commit().await.unwrap();
    let listing = StoredListing {
        id: listing,
        key,
        state,
        version: 1,
        offer_id: Some(id.clone()),
    };
    put_behind(db, &id, &listing).await;
}

fn page((site, number): (&str, &str)) -> String {
    if number.contains(':') {
        number.to_owned()
    } else {
        format!("https://{site}.example/{number}")
    }
}

/// Adds a listing to those of an offer, oldest first as deduplication does.
async fn put_behind(db: &Db, id: &OfferId, listing: &StoredListing) {
    let found = offers::detail(db, id).await.unwrap().unwrap();
    let mut detail = found.detail;
    detail.portal_links.push(PortalLink::from_listing(listing));
    detail
        .price_history
        .push(PriceSeries::from_listing(listing));
    let first_seen: Vec<(Timestamp, String, String)> = detail
        .portal_links
        .iter()
        .map(|link| {
            (
                link.first_seen_at,
                link.site_id.clone(),
                link.offer_id.clone(),
            )
        })
        .collect();
    let place = |site: &str, number: &str| {
        first_seen
            .iter()
            .find(|(_, other, there)| other == site && there == number)
            .cloned()
    };
    detail
        .portal_links
        .sort_by_key(|link| place(&link.site_id, &link.offer_id));
    detail
        .price_history
        .sort_by_key(|series| place(&series.site_id, &series.offer_id));
    let row = OfferRow {
        issued_at: detail.offer.first_seen_at,
        offer: detail.offer,
        portal_links: detail.portal_links,
        price_history: detail.price_history,
        expired_at: found.expired_at,
        municipality: None,
    };
    let mut tx = db.begin().await.unwrap();
    let change = offers::next_change(&mut tx, 1).await.unwrap();
    offers::save(&mut tx, &row, change).await.unwrap();
    tx.commit().await.unwrap();
}

/// An offer with every field known.
pub fn fully_known() -> schema::OfferDetail {
    let mut facts = serde_json::Map::new();
    let shapes = api::openapi::document("");
    for (name, property) in shapes["components"]["schemas"]["OfferSummary"]["properties"]
        .as_object()
        .unwrap()
    {
        let property = resolved(&shapes, property);
        let value = match (property["enum"].get(0), property["type"].as_str()) {
            (Some(first), _) => first.clone(),
            (None, Some("boolean")) => true.into(),
            (None, Some("number")) => 3.into(),
            (None, Some("string")) if property["format"] == "date-time" => {
                "2026-05-01T06:00:00Z".into()
            }
            (None, Some("string")) => "x".into(),
            _ => serde_json::json!({ "lat": 50.0, "lng": 14.0 }),
        };
        facts.insert(name.clone(), value);
    }
    facts.insert("portalLinks".to_owned(), serde_json::json!([]));
    facts.insert("priceHistory".to_owned(), serde_json::json!([]));
    serde_json::from_value(facts.into()).unwrap()
}
