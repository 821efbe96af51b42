//! What of a street map is drawn, and how.

use super::tile::Shape;

/// A kind of thing, in the order in which it is painted. The colours suit a light and a dark page, because a picture cannot
/// follow the page's theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Green,
    Water,
    Waterway,
    Building,
    Path,
    Road,
    MainRoad,
}

impl Paint {
    pub(super) const ALL: [Self; 7] = [
        Self::Green,
        Self::Water,
        Self::Waterway,
        Self::Building,
        Self::Path,
        Self::Road,
        Self::MainRoad,
    ];

    /// The same, the most needed first: a picture that would be too large does without the last.
    pub(super) const MOST_NEEDED_FIRST: [Self; 7] = [
        Self::MainRoad,
        Self::Water,
        Self::Road,
        Self::Green,
        Self::Waterway,
        Self::Path,
        Self::Building,
    ];

    /// The attributes of the path. Widths are in the units of the picture.
    pub(super) fn attributes(self) -> &'static str {
        match self {
            Self::Green => "fill=\"#5f9e5f\" fill-opacity=\".22\"",
            Self::Water => "fill=\"#4f8fc4\" fill-opacity=\".4\"",
            Self::Waterway => {
                "fill=\"none\" stroke=\"#4f8fc4\" stroke-width=\"10\" stroke-opacity=\".6\""
            }
            Self::Building => "fill=\"#8a94a0\" fill-opacity=\".35\"",
            Self::Path => {
                "fill=\"none\" stroke=\"#8a94a0\" stroke-width=\"5\" stroke-opacity=\".6\""
            }
            Self::Road => {
                "fill=\"none\" stroke=\"#8a94a0\" stroke-width=\"10\" stroke-opacity=\".7\""
            }
            Self::MainRoad => {
                "fill=\"none\" stroke=\"#c9963c\" stroke-width=\"22\" stroke-opacity=\".8\""
            }
        }
    }

    /// How a shape is drawn, by the names that OpenMapTiles, Protomaps and Shortbread use.
    pub(super) fn of_shape(layer: &str, shape: &Shape<'_>) -> Option<Self> {
        Some(match (layer, shape.is_area) {
            ("water" | "ocean" | "water_polygons", true) => Self::Water,
            ("water" | "waterway" | "water_lines", false) => Self::Waterway,
            ("building" | "buildings", true) => Self::Building,
            ("transportation" | "roads" | "streets", false) => road(shape.class),
            ("park", true) => Self::Green,
            ("landcover" | "landuse" | "land", true) if is_green(shape.class) => Self::Green,
            _ => return None,
        })
    }
}

fn road(class: &str) -> Paint {
    match class {
        "motorway" | "trunk" | "primary" | "secondary" | "highway" | "major_road" => {
            Paint::MainRoad
        }
        "path" | "track" | "footway" | "cycleway" | "steps" | "bridleway" | "service" | "other"
        | "ferry" => Paint::Path,
        _ => Paint::Road,
    }
}

fn is_green(class: &str) -> bool {
    matches!(
        class,
        "wood"
            | "forest"
            | "grass"
            | "grassland"
            | "park"
            | "meadow"
            | "scrub"
            | "garden"
            | "cemetery"
            | "orchard"
            | "nature_reserve"
    )
}
