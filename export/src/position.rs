//! Positions as `GeoParquet` 1.1 has them: well-known binary, and a description of the column in the file's metadata.

use schema::Location;
use serde_json::{Value, json};

use crate::column::{Column, ColumnType};

/// A point in well-known binary: little-endian, type 1, longitude, latitude.
pub(crate) fn well_known_binary(location: Location) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(21);
    bytes.push(1);
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(location.lng.to_le_bytes());
    bytes.extend(location.lat.to_le_bytes());
    bytes
}

/// The point of some well-known binary that [`well_known_binary`] wrote.
pub(crate) fn location(binary: &[u8]) -> Option<Location> {
    let (lng, lat) = binary.get(5..)?.split_first_chunk()?;
    let (lat, _) = lat.split_first_chunk()?;
    Some(Location {
        lat: f64::from_le_bytes(*lat),
        lng: f64::from_le_bytes(*lng),
    })
}

/// The smallest box around positions, in degrees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    south_west: Location,
    north_east: Location,
}

impl Bounds {
    /// The box that also has this position in it.
    pub fn around(bounds: Option<Self>, location: Location) -> Self {
        let Some(Self {
            south_west,
            north_east,
        }) = bounds
        else {
            return Self {
                south_west: location,
                north_east: location,
            };
        };
        Self {
            south_west: Location {
                lat: south_west.lat.min(location.lat),
                lng: south_west.lng.min(location.lng),
            },
            north_east: Location {
                lat: north_east.lat.max(location.lat),
                lng: north_east.lng.max(location.lng),
            },
        }
    }
}

/// The value of the metadata key `geo` (<https://geoparquet.org/releases/v1.1.0/>): the first column of positions.
/// Without a reference system in it, coordinates are longitude and latitude in WGS 84. `None` without such a column.
pub(crate) fn metadata(columns: &[Column], bounds: Option<Bounds>) -> Option<Value> {
    let column = columns
        .iter()
        .find(|column| column.holds == ColumnType::Position)?;
    let mut described = json!({
        "encoding": "WKB",
        "geometry_types": bounds.iter().map(|_| "Point").collect::<Vec<_>>(),
    });
    if let Some(Bounds {
        south_west,
        north_east,
    }) = bounds
    {
        described["bbox"] = json!([
            south_west.lng,
            south_west.lat,
            north_east.lng,
            north_east.lat
        ]);
    }
    Some(json!({
        "version": "1.1.0",
        "primary_column": column.name,
        "columns": { column.name: described },
    }))
}
