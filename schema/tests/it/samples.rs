//! Listings and offers to store.

use schema::store::offers::OfferRow;
use schema::store::{Tx, listings, raw_listings};
use schema::{
    Arrangement, Attributes, BuildingType, Equipment, Evidence, Listing, ListingId, ListingKey,
    ListingState, Location, Offer, OfferId, OfferType, Ownership, PinPrecision, PricePoint,
    PropertyState, PropertyType, RawForm, RawListing, Subtype, Taken, Timestamp,
};

/// An instant, in days since the epoch.
pub fn day(number: i64) -> Timestamp {
    Timestamp(number * 86_400_000)
}

pub fn key(number: &str) -> ListingKey {
    ListingKey::new("sreality", number)
}

pub fn offer_id(text: &str) -> OfferId {
    OfferId::parse(text).unwrap()
}

/// A listing that fills every kind of field, with figures that need all their bits.
pub fn a_listing() -> Listing {
    Listing {
        attributes: Attributes {
            location: Some(Location {
                lat: 50.087_654_321_012_34,
                lng: 0.1 + 0.2,
            }),
            title: Some("Prodej bytu 2+kk, \u{201e}slunný\u{201c} \u{0}".to_owned()),
            city: Some("Český Krumlov".to_owned()),
            district: Some("Český Krumlov".to_owned()),
            offer_type: Some(OfferType::Sale),
            property_type: Some(PropertyType::Apartment),
            price_total: Some(4_693_000.0),
            living_area: Some(54.3),
            floor: Some(-1),
            elevator: Some(false),
            ..Attributes::default()
        },
        evidence: Evidence {
            pin: Some(PinPrecision::Street),
            order_code: Some("N-1234".to_owned()),
            taken: Some(Taken::Reserved),
            same_as: Some(ListingKey::new("idnes", "6aa76330029d35b117e34c4f")),
            ..Evidence::default()
        },
    }
}

/// A listing first seen on day 10, last on day 12, at one price.
pub fn a_state() -> ListingState {
    ListingState {
        listing: a_listing(),
        url: Some("https://portal.example/1".to_owned()),
        first_seen_at: day(10),
        last_seen_at: day(12),
        last_changed_at: day(10),
        gone_at: None,
        prices: vec![PricePoint {
            at: day(10),
            price_total: 4_693_000.0,
        }],
    }
}

pub fn a_raw(body: &str) -> RawListing {
    RawListing {
        form: RawForm::Payload,
        url: None,
        body: body.to_owned(),
    }
}

/// Stores [`a_state`] under a number.
pub async fn stored(tx: &mut Tx, number: &str) -> ListingId {
    listings::save(tx, &key(number), &a_state(), true)
        .await
        .unwrap()
}

/// Stores a content of a listing of [`stored`]. Returns its id and whether it is new.
pub async fn insert_raw(
    tx: &mut Tx,
    listing: ListingId,
    raw: &RawListing,
) -> schema::store::Result<(raw_listings::RawId, bool)> {
    let content = raw_listings::NewContent {
        listing,
        site_id: "sreality",
        raw,
        hash: raw.content_hash(),
        ahead: None,
    };
    Ok(raw_listings::insert_all(tx, &[content]).await?[0])
}

/// Stores a content of a listing, seen on day 10.
pub async fn stored_raw(tx: &mut Tx, listing: ListingId, body: &str) -> raw_listings::RawId {
    insert_raw(tx, listing, &a_raw(body)).await.unwrap().0
}

/// An offer that fills every column.
pub fn an_offer(id: &str) -> OfferRow {
    OfferRow {
        offer: Offer {
            id: offer_id(id),
            first_seen_at: day(10),
            last_changed_at: day(20),
            is_live: true,
            attributes: Attributes {
                subtype: Some(Subtype::Family),
                arrangement: Some(Arrangement::R2Kk),
                equipment: Some(Equipment::Partial),
                ownership: Some(Ownership::Private),
                property_state: Some(PropertyState::Good),
                building_type: Some(BuildingType::Brick),
                region: Some("Jihočeský kraj".to_owned()),
                neighborhood: Some("Plešivec".to_owned()),
                street: Some("Za Nádražím".to_owned()),
                postal_code: Some("381 01".to_owned()),
                land_area: Some(0.5),
                floor_count: Some(3),
                ..a_listing().attributes
            },
        },
        portal_links: Vec::new(),
        price_history: Vec::new(),
        expired_at: None,
        issued_at: day(11),
        municipality: Some("cesky krumlov".to_owned()),
    }
}
