//! Vector tiles: layers of features with a shape and a class (Mapbox Vector Tile Specification 2.1).

use super::protobuf::{Fields, Value, packed, signed};

/// The width of a tile in its own units, if the layer does not state it.
const EXTENT: u64 = 4096;

/// The names under which schemas of tiles keep the class of a feature: OpenMapTiles, Protomaps and Shortbread.
const CLASS_KEYS: [&str; 3] = ["class", "kind", "pmap:kind"];

/// A layer of a tile.
#[derive(Debug)]
pub(super) struct Layer<'a> {
    pub(super) name: &'a str,
    /// The width of the tile in the units of the points.
    pub(super) extent: f64,
    pub(super) shapes: Vec<Shape<'a>>,
}

/// A line or an area.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    pub(super) is_area: bool,
    /// Its class, such as `primary` or `forest`; empty if it has none.
    pub(super) class: &'a str,
    /// Lines, or the rings of areas.
    pub(super) parts: Vec<Vec<(f64, f64)>>,
}

/// The layers of a tile. What cannot be read is left out.
pub(super) fn layers(tile: &[u8]) -> Vec<Layer<'_>> {
    let layers = Fields(tile).filter_map(|field| match field {
        (3, Value::Bytes(layer)) => read_layer(layer),
        _ => None,
    });
    layers.collect()
}

fn read_layer(message: &[u8]) -> Option<Layer<'_>> {
    let (mut name, mut extent) = ("", EXTENT);
    let (mut features, mut keys, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for field in Fields(message) {
        match field {
            (1, Value::Bytes(text)) => name = std::str::from_utf8(text).ok()?,
            (2, Value::Bytes(feature)) => features.push(feature),
            (3, Value::Bytes(key)) => keys.push(std::str::from_utf8(key).unwrap_or_default()),
            (4, Value::Bytes(value)) => values.push(text_of(value)),
            (5, Value::Number(number)) => extent = number.max(1),
            _ => {}
        }
    }
    let shapes = features.into_iter();
    let shapes = shapes.filter_map(|feature| read_shape(feature, &keys, &values));
    Some(Layer {
        name,
        extent: extent as f64,
        shapes: shapes.collect(),
    })
}

/// A value that is a text; others are empty.
fn text_of(value: &[u8]) -> &str {
    let mut texts = Fields(value).filter_map(|field| match field {
        (1, Value::Bytes(text)) => std::str::from_utf8(text).ok(),
        _ => None,
    });
    texts.next().unwrap_or_default()
}

fn read_shape<'a>(feature: &'a [u8], keys: &[&str], values: &[&'a str]) -> Option<Shape<'a>> {
    let (mut class, mut kind, mut geometry) = ("", 0, &[][..]);
    for field in Fields(feature) {
        match field {
            (2, Value::Bytes(tags)) => class = class_of(tags, keys, values),
            (3, Value::Number(number)) => kind = number,
            (4, Value::Bytes(commands)) => geometry = commands,
            _ => {}
        }
    }
    // 1 is a point, 2 a line and 3 an area.
    matches!(kind, 2 | 3).then(|| Shape {
        is_area: kind == 3,
        class,
        parts: parts_of(geometry),
    })
}

fn class_of<'a>(tags: &[u8], keys: &[&str], values: &[&'a str]) -> &'a str {
    let numbers: Vec<u64> = packed(tags).collect();
    let (pairs, _) = numbers.as_chunks::<2>();
    let found = pairs.iter().find_map(|[key, value]| {
        let key = keys.get(usize::try_from(*key).ok()?)?;
        let value = values.get(usize::try_from(*value).ok()?)?;
        CLASS_KEYS.contains(key).then_some(*value)
    });
    found.unwrap_or_default()
}

/// The lines or rings that drawing commands describe: 1 moves, 2 draws, 7 closes.
fn parts_of(commands: &[u8]) -> Vec<Vec<(f64, f64)>> {
    let mut numbers = packed(commands);
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    let (mut x, mut y) = (0_i64, 0_i64);
    while let Some(command) = numbers.next() {
        match command & 7 {
            7 => {
                if let Some(part) = parts.last_mut() {
                    part.extend(part.first().copied());
                }
            }
            kind @ (1 | 2) => {
                for _ in 0..command >> 3 {
                    let Some((right, down)) = numbers.next().zip(numbers.next()) else {
                        return parts;
                    };
                    x = x.saturating_add(signed(right));
                    y = y.saturating_add(signed(down));
                    let point = (x as f64, y as f64);
                    match parts.last_mut() {
                        Some(part) if kind == 2 => part.push(point),
                        _ => parts.push(vec![point]),
                    }
                }
            }
            _ => return parts,
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_the_specification_make_its_shapes() {
        // Example 4.3.5 of the specification: a polygon, and a line of two parts.
        let polygon = [9, 6, 12, 18, 10, 12, 24, 44, 15];
        assert_eq!(
            parts_of(&polygon),
            [[(3.0, 6.0), (8.0, 12.0), (20.0, 34.0), (3.0, 6.0)]]
        );
        let lines = [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8];
        assert_eq!(
            parts_of(&lines),
            [
                vec![(2.0, 2.0), (2.0, 10.0), (10.0, 10.0)],
                vec![(1.0, 1.0), (3.0, 5.0)]
            ]
        );
        // A cut command ends the shape.
        assert_eq!(parts_of(&[9, 4]), Vec::<Vec<(f64, f64)>>::new());
    }
}
