//! Figures of records that are made up.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use schema::store::market::{MarketAdvert, MarketRecord};
use schema::{OfferType, PricePoint, PropertyType, Timestamp};
use statistics::{Cell, Market, Table};

const DAY: i64 = 86_400_000;

fn day(number: i64) -> Timestamp {
    Timestamp(number * DAY)
}

fn advert(site: &str, life: (i64, Option<i64>), prices: &[(i64, f64)]) -> MarketAdvert {
    MarketAdvert {
        site_id: site.to_owned(),
        first_seen_at: day(life.0),
        gone_at: life.1.map(day),
        prices: prices
            .iter()
            .map(|(at, price_total)| PricePoint {
                at: day(*at),
                price_total: *price_total,
            })
            .collect(),
    }
}

/// A live flat of 50 m² in Kladno with the adverts, which asks this price.
fn flat(price: f64, adverts: Vec<MarketAdvert>) -> MarketRecord {
    MarketRecord {
        row: 1,
        offer_type: Some(OfferType::Sale),
        property_type: Some(PropertyType::Apartment),
        district: Some("Kladno".to_owned()),
        city: Some("Kladno".to_owned()),
        neighborhood: Some("Kročehlavy".to_owned()),
        price_total: Some(price),
        living_area: Some(50.0),
        land_area: None,
        first_seen_at: day(0),
        expired_at: None,
        is_live: true,
        adverts,
    }
}

/// The tables of these records on day 100.
fn tables(records: &[MarketRecord]) -> Vec<Table> {
    let mut market = Market::default();
    for record in records {
        market.add(record, day(100));
    }
    market.tables()
}

fn rows(tables: &[Table], name: &str) -> Vec<Vec<String>> {
    let table = tables.iter().find(|table| table.name == name).unwrap();
    for row in &table.rows {
        assert_eq!(row.len(), table.columns.len(), "{name}");
    }
    let cells = |row: &Vec<Cell>| row.iter().map(ToString::to_string).collect();
    table.rows.iter().map(cells).collect()
}

#[test]
fn a_property_counts_once_and_the_difference_to_counting_adverts_is_told() {
    // Seven cheap flats with one advert each, and one dear flat that ten portals advertise.
    let mut records: Vec<MarketRecord> = (0..7)
        .map(|_| {
            flat(
                2_000_000.0,
                vec![advert("one", (0, None), &[(0, 2_000_000.0)])],
            )
        })
        .collect();
    let portals =
        (0..10).map(|number| advert(&format!("site{number}"), (0, None), &[(0, 5_000_000.0)]));
    records.push(flat(5_000_000.0, portals.collect()));
    let tables = tables(&records);
    assert_eq!(
        rows(&tables, "prices"),
        [["apartment sale", "8", "40000", "40000", "40000"]]
    );
    assert_eq!(
        rows(&tables, "distortion"),
        [
            [
                "apartment sale",
                "all",
                "8",
                "17",
                "40000",
                "100000",
                "150.0"
            ],
            [
                "apartment sale",
                "Kladno",
                "8",
                "17",
                "40000",
                "100000",
                "150.0"
            ],
        ]
    );
    assert_eq!(
        rows(&tables, "duplicates"),
        [["apartment sale", "8", "8", "17", "2.12", "0.0"]]
    );
    assert_eq!(
        rows(&tables, "prices_by_quarter")[0][1],
        "Kročehlavy, Kladno"
    );
    assert_eq!(rows(&tables, "prices_by_month")[0][1], "1970-01");
}

#[test]
fn a_property_that_a_portal_shows_again_under_a_new_number_is_re_listed() {
    let again = || {
        vec![
            advert("one", (0, Some(10)), &[]),
            advert("one", (12, None), &[]),
        ]
    };
    let at_once = || vec![advert("one", (0, None), &[]), advert("one", (1, None), &[])];
    let elsewhere = || {
        vec![
            advert("one", (0, Some(10)), &[]),
            advert("two", (12, None), &[]),
        ]
    };
    let mut records: Vec<MarketRecord> = (0..2).map(|_| flat(1.0, again())).collect();
    records.extend((0..3).map(|_| flat(1.0, at_once())));
    records.extend((0..3).map(|_| flat(1.0, elsewhere())));
    assert_eq!(rows(&tables(&records), "duplicates")[0][5], "25.0");
}

#[test]
fn a_drop_that_several_portals_show_is_one_and_is_measured_from_the_first_price() {
    let dropped = || {
        let portals =
            ["one", "two"].map(|site| advert(site, (0, None), &[(0, 100.0), (5, 90.0), (9, 80.0)]));
        flat(80.0, portals.into())
    };
    let same = || flat(100.0, vec![advert("one", (0, None), &[(0, 100.0)])]);
    let dearer = || {
        flat(
            110.0,
            vec![advert("one", (0, None), &[(0, 100.0), (3, 110.0)])],
        )
    };
    let mut records: Vec<MarketRecord> = (0..8).map(|_| dropped()).collect();
    records.extend((0..4).map(|_| same()));
    records.extend((0..4).map(|_| dearer()));
    assert_eq!(
        rows(&tables(&records), "price_changes"),
        [[
            "apartment sale",
            "16",
            "50.0",
            "25.0",
            "20.0",
            "20.0",
            "20.0"
        ]]
    );
}

#[test]
fn times_on_the_market_are_told_apart_for_gone_and_live_ones() {
    let mut records: Vec<MarketRecord> = (0..8).map(|_| flat(1.0, Vec::new())).collect();
    records.extend((0..8).map(|number| MarketRecord {
        is_live: false,
        expired_at: Some(day(10 + number)),
        ..flat(1.0, Vec::new())
    }));
    assert_eq!(
        rows(&tables(&records), "time_on_market"),
        [
            ["apartment sale", "gone", "8", "12", "14", "15"],
            ["apartment sale", "live", "8", "100", "100", "100"],
        ]
    );
}

#[test]
fn a_page_has_a_chart_for_each_kind_and_no_script() {
    let records: Vec<MarketRecord> = (0..8).map(|_| flat(3_000_000.0, Vec::new())).collect();
    let page = statistics::page(&tables(&records), day(100));
    assert!(page.contains("<svg") && page.contains("60\u{a0}000"));
    assert!(!page.contains("<script") && !page.contains("http"));
}
