//! Streets beneath the maps, from a PMTiles file that is made here.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use console::{StreetMap, StreetMapError};
use flate2::Compression;
use flate2::write::GzEncoder;
use schema::Role;

use crate::browser::Served;

/// The Old Town Square in Prague, and the tile of zoom 14 that it is in.
const PLACE: (f64, f64) = (50.0875, 14.4213);
const TILE: (u32, u32) = (8848, 5550);
const ZOOM: u8 = 14;

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn bytes_field(number: u64, content: &[u8]) -> Vec<u8> {
    [
        &varint((number << 3) | 2),
        &varint(content.len() as u64),
        content,
    ]
    .concat()
}

fn packed(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| varint(*number)).collect()
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

/// A layer with one shape that goes through these points.
fn layer(name: &str, kind: u64, class: &str, points: &[(i64, i64)]) -> Vec<u8> {
    let mut commands = Vec::new();
    let mut before = (0, 0);
    for (place, (x, y)) in points.iter().enumerate() {
        match place {
            0 => commands.push(9),
            1 => commands.push(((points.len() as u64 - 1) << 3) | 2),
            _ => {}
        }
        commands.extend([zigzag(x - before.0), zigzag(y - before.1)]);
        before = (*x, *y);
    }
    if kind == 3 {
        commands.push(15);
    }
    let feature = [
        bytes_field(2, &packed(&[0, 0])),
        [varint(3 << 3), varint(kind)].concat(),
        bytes_field(4, &packed(&commands)),
    ];
    let layer = [
        bytes_field(1, name.as_bytes()),
        bytes_field(2, &feature.concat()),
        bytes_field(3, b"kind"),
        bytes_field(4, &bytes_field(1, class.as_bytes())),
        [varint(5 << 3), varint(4096)].concat(),
    ];
    bytes_field(3, &layer.concat())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// The number of a tile on the Hilbert curve of its zoom, as the specification computes it.
fn tile_number(zoom: u8, mut x: u32, mut y: u32) -> u64 {
    let side = 1_u32 << zoom;
    let mut number = ((1_u64 << (2 * zoom)) - 1) / 3;
    let mut half = side / 2;
    while half > 0 {
        let (right, down) = (u64::from(x & half > 0), u64::from(y & half > 0));
        number += u64::from(half) * u64::from(half) * ((3 * right) ^ down);
        if down == 0 {
            if right == 1 {
                (x, y) = (side - 1 - x, side - 1 - y);
            }
            (x, y) = (y, x);
        }
        half /= 2;
    }
    number
}

/// A file with one tile, whose directory is a leaf of the root.
fn write_map(path: &Path) {
    let tile = gzip(
        &[
            layer("roads", 2, "major_road", &[(0, 2000), (4095, 2100)]),
            layer(
                "water",
                3,
                "river",
                &[(0, 0), (4095, 0), (4095, 4095), (0, 4095)],
            ),
            // Where two areas of water overlap there is water.
            layer("water", 3, "lake", &[(0, 0), (4095, 0), (4095, 4095)]),
            layer("buildings", 3, "building", &[(0, 0), (4095, 0), (0, 4095)]),
            layer("places", 2, "city", &[(0, 0), (1, 1)]),
        ]
        .concat(),
    );
    let number = tile_number(ZOOM, TILE.0, TILE.1);
    let leaf = gzip(&packed(&[1, number, 1, tile.len() as u64, 1]));
    let root = gzip(&packed(&[1, 0, 0, leaf.len() as u64, 1]));
    let source = r#"{"attribution":"<a href='https://www.openstreetmap.org/copyright'>© OpenStreetMap</a>"}"#;
    let metadata = gzip(source.as_bytes());
    let parts = [&root, &metadata, &leaf, &tile];
    let mut header = b"PMTiles\x03".to_vec();
    let mut at = 127;
    for part in parts {
        header.extend((at as u64).to_le_bytes());
        header.extend((part.len() as u64).to_le_bytes());
        at += part.len();
    }
    header.extend([0; 24]);
    // Clustered; directories and tiles packed by gzip; vector tiles; zooms.
    header.extend([1, 2, 2, 1, ZOOM, ZOOM]);
    header.resize(127, 0);
    let all: Vec<u8> = std::iter::once(&header)
        .chain(parts)
        .flatten()
        .copied()
        .collect();
    std::fs::write(path, all).unwrap();
}

#[tokio::test]
async fn the_streets_of_a_pmtiles_file_lie_beneath_the_maps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prague.pmtiles");
    write_map(&path);
    support::on_each_database(async |db| {
        let map = Arc::new(StreetMap::open(&path).unwrap());
        let console = Served::start(&db, |config| config.street_map = Some(map)).await;
        let address = format!("/street-map.svg?lat={}&lng={}&reach=400", PLACE.0, PLACE.1);
        assert_eq!(console.stranger().get(&address).await.status, 303);
        let person = console.person("Jana", Role::Reviewer).await;
        let shown = person.get(&address).await;
        assert_eq!(shown.status, 200);
        assert_eq!(shown.headers["content-type"], "image/svg+xml");
        // The main road, the water and the building, and nothing else.
        assert_eq!(shown.body.matches("<path").count(), 3, "{}", shown.body);
        assert!(shown.body.contains("stroke=\"#c9963c\""), "{}", shown.body);
        assert!(!shown.body.contains("evenodd"), "{}", shown.body);
        let outside = "/street-map.svg?lat=49.2&lng=16.6&reach=400";
        assert_eq!(person.get(outside).await.body.matches("<path").count(), 0);
        for wrong in ["lat=1&lng=2&reach=400", "lat=50&lng=14&reach=NaN"] {
            let refused = person.get(&format!("/street-map.svg?{wrong}")).await;
            assert_eq!(refused.status, 404, "{wrong}");
        }
        let page = person.get("/addresses?text=Praha").await;
        assert!(
            page.body.contains("href=\"/street-map.svg?"),
            "{}",
            page.body
        );
        assert!(page.body.contains("© OpenStreetMap"), "{}", page.body);
    })
    .await;
}

#[tokio::test]
async fn without_a_file_there_is_no_street_map() {
    support::on_each_database(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let none = person
            .get("/street-map.svg?lat=50&lng=14.4&reach=400")
            .await;
        assert_eq!(none.status, 404);
        let page = person.get("/addresses?text=Praha").await;
        assert!(!page.body.contains("street-map"), "{}", page.body);
    })
    .await;
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_what_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prague.pmtiles");
    write_map(&path);
    let whole = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        StreetMap::open(&path).unwrap_err().to_string()
    };
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    for (bytes, said) in [
        (b"<html>".to_vec(), "not a PMTiles file"),
        (changed(7, 2), "PMTiles version 2"),
        (changed(99, 2), "images"),
        (changed(97, 4), "packed in another way"),
    ] {
        let error = refused(&bytes);
        assert!(
            error.contains(said) && error.contains("accepted: PMTiles version 3"),
            "{error}"
        );
        assert!(error.contains("prague.pmtiles"), "{error}");
    }
    let error = refused(&whole[..130]);
    assert!(error.contains("is damaged: a directory"), "{error}");
    let missing = StreetMap::open(&folder.path().join("none.pmtiles"));
    assert!(matches!(missing, Err(StreetMapError::Io { .. })));
}
