//! Logistic regression over the levels, drawn towards the weights in force.

use std::f64::consts::LN_2;

use rayon::prelude::*;

use super::Example;
use crate::weight_table::WeightTable;
use crate::weights::LEVELS;

/// The most rounds of Newton's method.
const ROUNDS: usize = 30;

/// Rounds end when no weight changes by more than this, in bits.
const CONVERGED: f64 = 0.001;

/// The most bits that a weight moves in one round.
const LONGEST_STEP: f64 = 4.0;

/// Examples are summed up in groups of this many, so that the result does not depend on the threads.
const GROUP: usize = 4_096;

/// The fitted weights.
pub(super) struct Regression {
    /// The weights.
    pub table: WeightTable,
    /// The standard error of each weight in bits, in the order of [`LEVELS`].
    pub errors: Vec<f64>,
}

/// The first and second derivatives of the likelihood by the weights.
struct Derivatives {
    first: Vec<f64>,
    second: Vec<Vec<f64>>,
}

impl Regression {
    /// Fits the weights by Newton's method. `assumed_error` is the standard error of the weights in
    /// force, in bits.
    pub fn fit(table: &WeightTable, assumed_error: f64, examples: &[&Example]) -> Self {
        let now: Vec<f64> = LEVELS
            .iter()
            .map(|(_, level)| f64::from(table.weight(*level)))
            .collect();
        let prior = f64::from(table.prior());
        let certainty = assumed_error.powi(-2);
        let mut weights = now.clone();
        let mut factor = Vec::new();
        for _ in 0..ROUNDS {
            let mut derivatives = Derivatives::at(prior, &weights, examples);
            for (place, weight) in weights.iter().enumerate() {
                derivatives.first[place] -= (weight - now[place]) * certainty;
                derivatives.second[place][place] += certainty;
            }
            factor = cholesky(derivatives.second);
            let step = solve(&factor, &derivatives.first);
            let longest = step.iter().fold(0.0_f64, |most, by| most.max(by.abs()));
            let share = (LONGEST_STEP / longest).min(1.0);
            for (weight, by) in weights.iter_mut().zip(&step) {
                *weight += by * share;
            }
            if longest < CONVERGED {
                break;
            }
        }
        let mut fitted = table.clone();
        for ((_, level), weight) in LEVELS.iter().zip(&weights) {
            fitted.set_weight(*level, *weight as f32);
        }
        Self {
            table: fitted,
            errors: standard_errors(&factor),
        }
    }
}

impl Derivatives {
    fn zero() -> Self {
        Self {
            first: vec![0.0; LEVELS.len()],
            second: vec![vec![0.0; LEVELS.len()]; LEVELS.len()],
        }
    }

    /// The derivatives over all examples, without what draws the weights back.
    fn at(prior: f64, weights: &[f64], examples: &[&Example]) -> Self {
        let groups: Vec<Self> = examples
            .par_chunks(GROUP)
            .map(|group| {
                let mut sum = Self::zero();
                for example in group {
                    sum.add(prior, weights, example);
                }
                sum
            })
            .collect();
        let mut sum = Self::zero();
        for group in groups {
            for (into, from) in sum.first.iter_mut().zip(&group.first) {
                *into += from;
            }
            let rows = sum.second.iter_mut().zip(&group.second);
            for (into, from) in rows.flat_map(|(into, from)| into.iter_mut().zip(from)) {
                *into += from;
            }
        }
        sum
    }

    fn add(&mut self, prior: f64, weights: &[f64], example: &Example) {
        let probability = probability(prior, weights, &example.levels);
        let target = f64::from(u8::from(example.same));
        let slope = example.count * (target - probability) * LN_2;
        let bend = example.count * probability * (1.0 - probability) * LN_2 * LN_2;
        for level in &example.levels {
            self.first[usize::from(*level)] += slope;
            let row = &mut self.second[usize::from(*level)];
            for other in &example.levels {
                row[usize::from(*other)] += bend;
            }
        }
    }
}

/// The probability that a pair with these levels is one property.
fn probability(prior: f64, weights: &[f64], levels: &[u16]) -> f64 {
    let weight: f64 = levels
        .iter()
        .map(|level| weights[usize::from(*level)])
        .sum();
    1.0 / (1.0 + (-(prior + weight)).exp2())
}

/// The lower factor of a symmetric, positive definite matrix.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for row in 0..matrix.len() {
        for column in 0..=row {
            let before: f64 = (0..column)
                .map(|place| matrix[row][place] * matrix[column][place])
                .sum();
            let rest = matrix[row][column] - before;
            matrix[row][column] = if row == column {
                rest.max(f64::MIN_POSITIVE).sqrt()
            } else {
                rest / matrix[column][column]
            };
        }
    }
    matrix
}

/// Solves the equations whose matrix has this lower factor.
fn solve(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut found = right.to_vec();
    for row in 0..found.len() {
        let before: f64 = (0..row)
            .map(|place| factor[row][place] * found[place])
            .sum();
        found[row] = (found[row] - before) / factor[row][row];
    }
    for row in (0..found.len()).rev() {
        let after: f64 = (row + 1..found.len())
            .map(|place| factor[place][row] * found[place])
            .sum();
        found[row] = (found[row] - after) / factor[row][row];
    }
    found
}

/// The standard errors: the roots of the diagonal of the inverse.
fn standard_errors(factor: &[Vec<f64>]) -> Vec<f64> {
    (0..factor.len())
        .map(|place| {
            let mut unit = vec![0.0; factor.len()];
            unit[place] = 1.0;
            solve(factor, &unit)[place].sqrt()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{layout, size};

    fn examples(same: usize, different: usize) -> Vec<Example> {
        let example = |same: bool| Example {
            levels: vec![size::EQUAL.number as u16],
            same,
            count: 1.0,
            part: 0,
        };
        let mut examples = vec![example(true); same];
        examples.extend(vec![example(false); different]);
        examples
    }

    fn fitted(same: usize, different: usize) -> Regression {
        let examples = examples(same, different);
        let examples: Vec<&Example> = examples.iter().collect();
        Regression::fit(&WeightTable::default(), 2.0, &examples)
    }

    #[test]
    fn many_pairs_move_a_weight_to_what_they_show() {
        let fit = fitted(30_000, 10_000);
        let total = fit.table.prior() + fit.table.weight(size::EQUAL);
        assert!((f64::from(total) - 3.0_f64.log2()).abs() < 0.05, "{total}");
        assert!(fit.errors[size::EQUAL.number] < 0.05);
    }

    #[test]
    fn few_pairs_leave_a_weight_near_the_table_and_other_weights_alone() {
        let fit = fitted(1, 0);
        let moved = fit.table.weight(size::EQUAL) - size::EQUAL.weight;
        assert!(moved > 0.1 && moved < 3.0, "{moved}");
        let other = fit.table.weight(layout::EQUAL) - layout::EQUAL.weight;
        assert!(other.abs() < 1e-6, "{other}");
        assert!((fit.errors[layout::EQUAL.number] - 2.0).abs() < 1e-6);
    }
}
