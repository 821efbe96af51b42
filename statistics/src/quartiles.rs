//! The quartiles of a set of numbers.

use serde::Serialize;

/// The smallest number of values that anything is told about.
pub const LEAST: usize = 8;

/// How numbers are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    /// How many there are.
    pub n: usize,
    /// A quarter is smaller.
    pub lower: f64,
    /// Half are smaller.
    pub median: f64,
    /// A quarter is larger.
    pub upper: f64,
}

impl Quartiles {
    /// The quartiles of these numbers, whose order changes; `None` for fewer than [`LEAST`]. Between two numbers they are
    /// interpolated, as spreadsheets do it (Hyndman and Fan, type 7).
    pub fn of_numbers(numbers: &mut [f64]) -> Option<Self> {
        if numbers.len() < LEAST {
            return None;
        }
        Some(Self {
            n: numbers.len(),
            lower: quantile(numbers, 0.25),
            median: quantile(numbers, 0.5),
            upper: quantile(numbers, 0.75),
        })
    }
}

/// The number below which this share lies. `numbers` must not be empty.
fn quantile(numbers: &mut [f64], share: f64) -> f64 {
    let position = share * (numbers.len() - 1) as f64;
    let (below, rest) = (position.floor() as usize, position.fract());
    let (_, value, above) = numbers.select_nth_unstable_by(below, f64::total_cmp);
    let value = *value;
    let next = above.iter().copied().min_by(f64::total_cmp);
    next.map_or(value, |next| value + (next - value) * rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quartiles_are_interpolated_as_in_a_spreadsheet() {
        let mut numbers = [9.0, 1.0, 2.0, 8.0, 3.0, 7.0, 4.0, 6.0];
        let found = Quartiles::of_numbers(&mut numbers).unwrap();
        assert_eq!((found.lower, found.median, found.upper), (2.75, 5.0, 7.25));
    }

    #[test]
    fn nothing_is_told_about_seven() {
        assert_eq!(Quartiles::of_numbers(&mut [1.0; 7]), None);
        assert!(Quartiles::of_numbers(&mut [1.0; 8]).is_some());
    }

    proptest! {
        #[test]
        fn quartiles_are_in_order_and_within_the_numbers(mut numbers in prop::collection::vec(-1e9..1e9, LEAST..60)) {
            let found = Quartiles::of_numbers(&mut numbers).unwrap();
            let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(least, most), it| (it.min(least), it.max(most)));
            prop_assert!(least <= found.lower && found.lower <= found.median);
            prop_assert!(found.median <= found.upper && found.upper <= most);
        }
    }
}
