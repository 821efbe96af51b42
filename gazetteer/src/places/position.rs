//! One position from many pins, of which some are wrong.

use std::collections::HashMap;

use schema::Location;

/// Kilometres in a degree of latitude, for the size of a square. Changing it moves all squares, and with them the
/// positions that were learned.
const KM_PER_DEGREE: f64 = 111.2;

/// A pin, with the number of listings that have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pin {
    pub location: Location,
    pub count: f64,
}

/// The middle of the largest group of pins that agree, with the number of listings in the group.
///
/// The group is the pins in the square of `radius_km` with the most listings and in its neighbours; the middle is their
/// median in each direction. So a minority of wrong pins does not move it, however wrong they are.
pub(super) fn robust(pins: &[Pin], radius_km: f64) -> Option<(Location, f64)> {
    let lat_step = radius_km / KM_PER_DEGREE;
    // Across the country the width of a degree of longitude is nearly constant.
    let lng_step = lat_step / 49.8_f64.to_radians().cos();
    let square = |pin: &Pin| {
        (
            (pin.location.lat / lat_step).floor() as i32,
            (pin.location.lng / lng_step).floor() as i32,
        )
    };
    let mut squares: HashMap<(i32, i32), f64> = HashMap::new();
    for pin in pins {
        *squares.entry(square(pin)).or_default() += pin.count;
    }
    let around = |(row, column): (i32, i32)| -> f64 {
        let cells = (row - 1..=row + 1)
            .flat_map(|row| (column - 1..=column + 1).map(move |column| (row, column)));
        cells.filter_map(|cell| squares.get(&cell)).sum()
    };
    let (_, centre) = squares
        .iter()
        .map(|(cell, count)| ((around(*cell), *count), *cell))
        .max_by(|(a, cell_a), (b, cell_b)| {
            a.0.total_cmp(&b.0)
                .then(a.1.total_cmp(&b.1))
                .then(cell_b.cmp(cell_a))
        })?;
    let agreeing: Vec<Pin> = pins
        .iter()
        .filter(|pin| {
            let (row, column) = square(pin);
            (row - centre.0).abs() <= 1 && (column - centre.1).abs() <= 1
        })
        .copied()
        .collect();
    Some((
        middle(&agreeing)?,
        agreeing.iter().map(|pin| pin.count).sum(),
    ))
}

/// The median in each direction.
pub(super) fn middle(pins: &[Pin]) -> Option<Location> {
    let lat = weighted_median(pins, |pin| pin.location.lat)?;
    let lng = weighted_median(pins, |pin| pin.location.lng)?;
    Some(Location { lat, lng })
}

fn weighted_median(pins: &[Pin], coordinate: impl Fn(&Pin) -> f64) -> Option<f64> {
    let mut values: Vec<(f64, f64)> = pins
        .iter()
        .map(|pin| (coordinate(pin), pin.count))
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = values.iter().map(|(_, count)| count).sum::<f64>() / 2.0;
    let mut passed = 0.0;
    values.into_iter().find_map(|(value, count)| {
        passed += count;
        (passed >= half).then_some(value)
    })
}
