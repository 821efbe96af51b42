//! The directories of a PMTiles file, which say where each tile is.

use super::protobuf::varint;

/// Below this zoom every tile has a number that fits.
pub(super) const DEEPEST: u8 = 26;

/// A range of tiles with one content, or a directory of the tiles from a number on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) first: u64,
    /// How many tiles have this content; 0 for a directory.
    pub(super) tiles: u64,
    pub(super) at: u64,
    pub(super) length: u64,
}

/// The entries of a directory: their number, then the steps between first tiles, the counts of tiles, the lengths and the
/// places, each of all entries.
pub(super) fn entries(mut bytes: &[u8]) -> Option<Vec<Entry>> {
    let rest = &mut bytes;
    let count = usize::try_from(varint(rest)?).ok()?;
    // Each entry takes at least four bytes.
    if count > rest.len() / 4 {
        return None;
    }
    let mut columns = [const { Vec::new() }; 4];
    for column in &mut columns {
        for _ in 0..count {
            column.push(varint(rest)?);
        }
    }
    let [steps, tiles, lengths, places] = &columns;
    let mut found: Vec<Entry> = Vec::with_capacity(count);
    let mut first = 0_u64;
    for number in 0..count {
        first = first.checked_add(*steps.get(number)?)?;
        let at = match places.get(number)? {
            // Right behind the entry before.
            0 => found
                .last()
                .map(|last| last.at.checked_add(last.length))??,
            place => place - 1,
        };
        found.push(Entry {
            first,
            tiles: *tiles.get(number)?,
            at,
            length: *lengths.get(number)?,
        });
    }
    Some(found)
}

/// The number of a tile: those of lower zooms come first, and those of one zoom follow a Hilbert curve.
pub(super) fn tile_number(zoom: u8, x: u32, y: u32) -> u64 {
    let zoom = zoom.min(DEEPEST);
    let side = 1_u64 << zoom;
    let mut number = (side * side - 1) / 3;
    let (mut x, mut y) = (u64::from(x), u64::from(y));
    let mut half = side / 2;
    while half > 0 {
        let (right, down) = (u64::from(x & half > 0), u64::from(y & half > 0));
        number += half * half * ((3 * right) ^ down);
        if down == 0 {
            if right == 1 {
                (x, y) = (side - 1 - x, side - 1 - y);
            }
            std::mem::swap(&mut x, &mut y);
        }
        half /= 2;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_numbered_as_the_specification_says() {
        let numbers = [
            (0, 0, 0),
            (1, 0, 0),
            (1, 0, 1),
            (1, 1, 1),
            (1, 1, 0),
            (2, 0, 0),
        ];
        for (expected, (zoom, x, y)) in numbers.into_iter().enumerate() {
            assert_eq!(tile_number(zoom, x, y), expected as u64, "{zoom} {x} {y}");
        }
        assert_eq!(tile_number(12, 3423, 1763), 19_078_479);
    }

    #[test]
    fn a_directory_that_is_cut_off_is_none() {
        // Two entries: tile 5 for three tiles at 0, and tile 9 behind it.
        let bytes = [2, 5, 4, 3, 1, 10, 20, 1, 0];
        let found = entries(&bytes).unwrap();
        let expected = [
            Entry {
                first: 5,
                tiles: 3,
                at: 0,
                length: 10,
            },
            Entry {
                first: 9,
                tiles: 1,
                at: 10,
                length: 20,
            },
        ];
        assert_eq!(found, expected);
        for cut in 0..bytes.len() {
            assert_eq!(entries(&bytes[..cut]), None);
        }
        assert_eq!(entries(&[0xff, 0xff, 0xff, 0xff, 0x0f]), None);
    }
}
