//! How certain a weight is, as a probability.

/// The log₂ odds that two sides with a given weight are one property: two straight lines over the
/// weight. A bit of weight of what was joined counts less than a bit of odds, because the levels of a
/// pair depend on one another: who copies a text copies the price as well.
struct Line {
    at_zero: f64,
    slope: f64,
}

/// For a weight of 0 or more: the sides were joined.
const JOINED: Line = Line {
    at_zero: 1.1,
    slope: 0.75,
};

/// For a weight below 0: the sides were not joined.
const APART: Line = Line {
    at_zero: 0.3,
    slope: 1.0,
};

/// The probability that two sides with this weight are one property: 1 for an infinite weight, which
/// is a person's decision.
///
/// The function is the same for all databases; `docs/MATCHING.md` says how it was fitted and how well
/// it holds.
pub fn probability(weight: f32) -> f64 {
    let weight = f64::from(weight);
    let line = if weight < 0.0 { APART } else { JOINED };
    1.0 / (1.0 + (-(line.at_zero + line.slope * weight)).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_weight_is_never_less_probable() {
        let weights: Vec<f32> = (-60_i16..=400)
            .map(|tenth| f32::from(tenth) / 10.0)
            .collect();
        for pair in weights.windows(2) {
            assert!(probability(pair[0]) < probability(pair[1]), "{pair:?}");
        }
        assert!((probability(f32::INFINITY) - 1.0).abs() < 1e-12);
        assert!(probability(0.0) > 0.5 && probability(-1.0) < 0.5);
    }
}
