//! The map of a detail page: `{"mtMapOptions": {"center": [lon, lat], …}, "geojson": {"features": […]}}`.
//!
//! The script is not strict JSON, so features are read one by one. A neighbour's broken entry must not hide the listing.

use schema::Location;
use serde_json::Value;

use super::record::value_after_colon;

/// What the map shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Map {
    centre: Option<Location>,
    features: Vec<Feature>,
}

/// One thing on the map.
#[derive(Debug, Clone, PartialEq)]
struct Feature {
    /// The listing's id. A highlighted street or area has none.
    id: Option<String>,
    /// Whether it is another listing.
    is_similar: bool,
    /// What the map draws.
    shape: Shape,
    /// The position of a point.
    point: Option<Location>,
}

/// What the map draws for the listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A pin at the exact place.
    Point,
    /// A street.
    Street,
    /// An area.
    Area,
}

/// Where the map shows the listing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pin {
    /// The position of the point, or else the map's centre.
    pub at: Location,
    /// What is drawn there, or `None` if the map draws nothing for the listing.
    pub shape: Option<Shape>,
}

impl Map {
    /// Parses the map in a script's text.
    pub(crate) fn parse(script: &str) -> Self {
        let centre = script
            .split_once("\"center\"")
            .and_then(|(_, rest)| position(&value_after_colon(rest)?));
        let features = script
            .split("\"geometry\"")
            .skip(1)
            .filter_map(Feature::parse)
            .collect();
        Self { centre, features }
    }

    /// Finds where the listing `id` lies. If the id is not known, the first feature that is not a neighbour counts.
    pub(crate) fn pin(&self, id: Option<&str>) -> Option<Pin> {
        let subject = self.features.iter().find(|feature| {
            !feature.is_similar
                && (feature.id.is_none() || id.is_none() || feature.id.as_deref() == id)
        });
        let shape = subject.map(|feature| feature.shape);
        let at = subject.and_then(|feature| feature.point).or(self.centre)?;
        Some(Pin { at, shape })
    }
}

impl Feature {
    /// Parses the feature whose geometry the text begins with.
    fn parse(piece: &str) -> Option<Self> {
        let entry = |name: &str| {
            piece
                .split_once(&format!("\"{name}\""))
                .and_then(|(_, rest)| value_after_colon(rest))
        };
        let text = |name: &str| entry(name).and_then(|value| value.as_str().map(str::to_owned));
        let title = text("title");
        let kind = text("type")?;
        let is_street = title
            .as_deref()
            .is_some_and(|title| title.contains("ulice"));
        let shape = match kind.as_str() {
            "Point" => Shape::Point,
            "LineString" | "MultiLineString" => Shape::Street,
            _ if is_street => Shape::Street,
            _ => Shape::Area,
        };
        let point = value_after_colon(piece)
            .filter(|_| shape == Shape::Point)
            .and_then(|geometry| position(geometry.get("coordinates")?));
        let is_similar = entry("isSimilar")
            .and_then(|value| value.as_bool())
            .unwrap_or(false);
        Some(Self {
            id: text("id"),
            is_similar,
            shape,
            point,
        })
    }
}

/// Reads a position of the form `[longitude, latitude]`.
fn position(value: &Value) -> Option<Location> {
    match value.as_array()?.as_slice() {
        [lng, lat, ..] => Some(Location {
            lat: lat.as_f64()?,
            lng: lng.as_f64()?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: &str = r#"{"mtMapOptions": {"center": [15.5, 50.5], "zoom": 16,},
        "geojson": {"features": [
          {"type": "Feature", "geometry" : {"type": "Point", "coordinates": [15.+420 XXX, 50.1]},
           "properties": {"id": "aaa", "isSimilar": true}},
          {"type": "Feature", "geometry": {"type":"Point","coordinates":[15.31, 50.74]},
           "properties": {"id": "bbb", "title": "Prodej domu", "isSimilar": false,}},
        ]}}"#;

    #[test]
    fn the_listing_is_found_by_its_id_among_broken_neighbours() {
        let pin = Map::parse(POINTS).pin(Some("bbb")).unwrap();
        assert_eq!(
            pin,
            Pin {
                at: Location {
                    lat: 50.74,
                    lng: 15.31
                },
                shape: Some(Shape::Point)
            }
        );
    }

    #[test]
    fn a_map_with_only_other_listings_has_a_centre() {
        let pin = Map::parse(POINTS).pin(Some("ccc")).unwrap();
        assert_eq!(
            pin,
            Pin {
                at: Location {
                    lat: 50.5,
                    lng: 15.5
                },
                shape: None
            }
        );
    }

    #[test]
    fn a_highlighted_street_marks_the_centre() {
        let map = Map::parse(
            r#"{"center": [14.0, 50.0], "features": [{"geometry": {"type": "MultiLineString", "coordinates": [[[1,2]]]},
                "properties": {"title": "Zvýrazněná ulice Polní"}}]}"#,
        );
        assert_eq!(map.pin(Some("x")).unwrap().shape, Some(Shape::Street));
    }

    #[test]
    fn a_map_without_a_position_has_no_pin() {
        assert_eq!(Map::parse("").pin(None), None);
        assert_eq!(
            Map::parse(r#"{"center": null, "features": []}"#).pin(None),
            None
        );
    }
}
