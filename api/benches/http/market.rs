//! Merged offers with a realistic distribution: positions clustered by population, three quarters live, about 2 KB of
//! summary each, the last changes spread over nine months.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::offers::{self, OfferRow};
use schema::store::{Db, StoreError};
use schema::{
    Arrangement, Attributes, BuildingType, Equipment, Location, Offer, OfferId, OfferType,
    Ownership, PortalLink, PricePoint, PriceSeries, PropertyState, PropertyType, SpecEnum, Subtype,
    Timestamp,
};

use super::texts::text;

/// The newest change of all offers.
pub const NOW: i64 = 1_784_116_800_000;
const DAY: i64 = 86_400_000;

/// A town: its share of the offers in thousandths, its name and district, its position, its reach in degrees of latitude.
pub type Town = (u32, &'static str, &'static str, f64, f64, f64);

/// The rest of the offers is spread over the country.
pub const TOWNS: [Town; 12] = [
    (280, "Praha", "Praha", 50.08, 14.44, 0.08),
    (110, "Brno", "Brno-město", 49.20, 16.61, 0.05),
    (60, "Ostrava", "Ostrava-město", 49.82, 18.26, 0.06),
    (40, "Plzeň", "Plzeň-město", 49.74, 13.37, 0.04),
    (30, "Olomouc", "Olomouc", 49.59, 17.25, 0.04),
    (30, "Liberec", "Liberec", 50.77, 15.06, 0.04),
    (
        25,
        "České Budějovice",
        "České Budějovice",
        48.97,
        14.47,
        0.03,
    ),
    (25, "Hradec Králové", "Hradec Králové", 50.21, 15.83, 0.03),
    (25, "Ústí nad Labem", "Ústí nad Labem", 50.66, 14.03, 0.03),
    (20, "Pardubice", "Pardubice", 50.04, 15.78, 0.03),
    (20, "Zlín", "Zlín", 49.22, 17.67, 0.03),
    (15, "Jihlava", "Jihlava", 49.40, 15.59, 0.02),
];
const COUNTRY: [&str; 8] = [
    "Tachov",
    "Kladno",
    "Beroun",
    "Znojmo",
    "Svitavy",
    "Bruntál",
    "Třebíč",
    "Klatovy",
];
const PORTALS: [&str; 4] = ["sreality", "bezrealitky", "idnes", "bazos"];

/// Stores `count` offers, each as one change.
pub async fn store(db: &Db, count: i64) -> Result<(), StoreError> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut next = 0;
    while next < count {
        let size = (count - next).min(5_000);
        let rows: Vec<OfferRow> = (next..next + size)
            .map(|number| offer(&mut rng, number))
            .collect();
        let mut tx = db.begin().await?;
        let first = offers::next_change(&mut tx, size as u64).await?;
        let changes: Vec<(&OfferRow, i64)> = rows.iter().zip(first..).collect();
        offers::save_all(&mut tx, &changes).await?;
        tx.commit().await?;
        next += size;
        if next % 100_000 == 0 {
            eprintln!("{next} of {count} offers stored");
        }
    }
    Ok(())
}

fn any<E: SpecEnum>(rng: &mut StdRng) -> E {
    // The square makes the first values frequent and the last rare.
    let place = rng.random_range(0.0..1.0_f64).powi(2) * E::ALL.len() as f64;
    E::ALL[place as usize]
}

fn maybe<T>(rng: &mut StdRng, share: f64, value: impl FnOnce(&mut StdRng) -> T) -> Option<T> {
    rng.random_bool(share).then(|| value(rng))
}

/// The place fields of an offer.
fn place(rng: &mut StdRng) -> Attributes {
    let mut share = rng.random_range(0..1000);
    let town = TOWNS.into_iter().find(|(of, ..)| {
        let found = share < *of;
        share = share.saturating_sub(*of);
        found
    });
    let (city, district, lat, lng, reach) = match town {
        Some((_, city, district, lat, lng, reach)) => (city.to_owned(), district, lat, lng, reach),
        None => (
            format!("Obec {}", rng.random_range(0..5_000)),
            COUNTRY[rng.random_range(0..COUNTRY.len())],
            49.8,
            15.4,
            0.8,
        ),
    };
    // Denser towards the centre.
    let mut offset = |reach: f64| {
        (rng.random_range(-1.0..1.0_f64) + rng.random_range(-1.0..1.0_f64)) * reach / 1.5
    };
    let location = Location {
        lat: lat + offset(reach),
        lng: lng + offset(reach * 1.6),
    };
    let street = rng.random_range(0..if town.is_some() { 3_000 } else { 30 });
    Attributes {
        location: maybe(rng, 0.95, |_| location),
        neighborhood: maybe(rng, 0.7, |rng| {
            let number = rng.random_range(0.0..1.0_f64).powi(2) * 60.0;
            format!("{city} čtvrť {}", number as u32)
        }),
        street: maybe(rng, 0.8, |_| format!("Ulice {street}")),
        region: Some("Kraj".to_owned()),
        postal_code: maybe(rng, 0.6, |_| format!("{} 00", 100 + street / 30)),
        address: Some(format!("{city}, okres {district}")),
        city: Some(city),
        district: Some(district.to_owned()),
        ..Attributes::default()
    }
}

fn attributes(rng: &mut StdRng) -> Attributes {
    let is_sale = rng.random_bool(0.7);
    let price = 10_f64.powf(rng.random_range(0.0..1.0_f64) + rng.random_range(0.0..0.9)) * 1_000.0;
    Attributes {
        title: Some(text(rng, 1)),
        description: Some(text(rng, 23)),
        property_type: Some(any::<PropertyType>(rng)),
        subtype: maybe(rng, 0.5, any::<Subtype>),
        offer_type: Some(if is_sale {
            OfferType::Sale
        } else {
            OfferType::Rent
        }),
        arrangement: maybe(rng, 0.7, |rng| {
            Arrangement::ALL[(1 + rng.random_range(0..3) + rng.random_range(0..8))
                .min(Arrangement::ALL.len() - 1)]
        }),
        property_state: maybe(rng, 0.8, any::<PropertyState>),
        ownership: maybe(rng, 0.8, any::<Ownership>),
        building_type: maybe(rng, 0.8, any::<BuildingType>),
        equipment: maybe(rng, 0.5, any::<Equipment>),
        price_total: maybe(rng, 0.93, |_| {
            (price * if is_sale { 250.0 } else { 1.0 }).round()
        }),
        living_area: maybe(rng, 0.85, |rng| f64::from(rng.random_range(15..250))),
        land_area: maybe(rng, 0.3, |rng| f64::from(rng.random_range(100..5_000))),
        floor: maybe(rng, 0.6, |rng| {
            rng.random_range(0..6) + rng.random_range(-1..4)
        }),
        floor_count: maybe(rng, 0.6, |rng| rng.random_range(1..9)),
        garden: maybe(rng, 0.3, |_| true),
        elevator: maybe(rng, 0.5, |rng| rng.random_bool(0.5)),
        energy_class: maybe(rng, 0.7, |rng| {
            ["A", "B", "C", "D", "G"][rng.random_range(0..5)].to_owned()
        }),
        ..place(rng)
    }
}

fn offer(rng: &mut StdRng, number: i64) -> OfferRow {
    let attributes = attributes(rng);
    let last_changed_at = Timestamp(NOW - rng.random_range(0..270 * DAY));
    let first_seen_at = Timestamp(last_changed_at.millis() - rng.random_range(0..90 * DAY));
    let is_live = rng.random_bool(0.75);
    let listings: Vec<(String, String)> = (0..rng.random_range(1..4_i64))
        .map(|place| {
            (
                PORTALS[place as usize].to_owned(),
                format!("{}", number * 7 + place),
            )
        })
        .collect();
    let links = listings.iter().map(|(site_id, offer_id)| PortalLink {
        offer_id: offer_id.clone(),
        site_id: site_id.clone(),
        url: Some(format!("https://{site_id}.example/detail/{offer_id}")),
        is_live,
        first_seen_at,
    });
    let prices = listings.iter().map(|(site_id, offer_id)| PriceSeries {
        offer_id: offer_id.clone(),
        site_id: site_id.clone(),
        points: attributes
            .price_total
            .map(|price_total| PricePoint {
                at: first_seen_at,
                price_total,
            })
            .into_iter()
            .collect(),
    });
    OfferRow {
        portal_links: links.collect(),
        price_history: prices.collect(),
        expired_at: (!is_live).then_some(last_changed_at),
        issued_at: first_seen_at,
        municipality: attributes.city.as_ref().map(|city| city.to_lowercase()),
        offer: Offer {
            id: OfferId::parse(&format!("bench-{number:012}")).expect("a valid id"),
            first_seen_at,
            last_changed_at,
            is_live,
            attributes,
        },
    }
}
