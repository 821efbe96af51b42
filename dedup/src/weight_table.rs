//! The weights that matching uses: those of the program, or an operator's own.

use crate::hash;
use crate::weights::{LEVELS, Level, PRIOR};

/// How many weights there are: one for each level, and the prior.
const COUNT: usize = LEVELS.len() + 1;

/// The weight of every level, and the prior. The default has the weights of [`LEVELS`].
#[derive(Debug, Clone, PartialEq)]
pub struct WeightTable([f32; COUNT]);

/// A level that an operator's weights name and the program does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the comparison {comparison:?} has no level {level:?}; `jeden weights` lists the levels of each comparison"
)]
pub struct UnknownLevel {
    /// The comparison.
    pub comparison: String,
    /// The level in plain words.
    pub level: String,
}

impl Default for WeightTable {
    fn default() -> Self {
        let mut weights = [PRIOR.weight; COUNT];
        for (weight, (_, level)) in weights.iter_mut().zip(LEVELS) {
            *weight = level.weight;
        }
        Self(weights)
    }
}

impl WeightTable {
    /// The weight of a level, or the prior.
    pub fn weight(&self, level: Level) -> f32 {
        self.0[level.number]
    }

    /// The weight of a pair before anything is compared.
    pub fn prior(&self) -> f32 {
        self.weight(PRIOR)
    }

    /// Changes the prior. Half a bit more has the same effect as a threshold that is half a bit lower.
    #[must_use]
    pub fn with_prior(mut self, prior: f32) -> Self {
        self.0[PRIOR.number] = prior;
        self
    }

    /// Changes the weight of a level.
    pub(crate) fn set_weight(&mut self, level: Level, weight: f32) {
        self.0[level.number] = weight;
    }

    /// Changes the weight of a level that is given by its words.
    ///
    /// # Errors
    /// [`UnknownLevel`] when the program has no such level.
    pub fn set(&mut self, comparison: &str, words: &str, weight: f32) -> Result<(), UnknownLevel> {
        let known = |(of, level): &&(&str, Level)| *of == comparison && level.words == words;
        let Some((_, level)) = LEVELS.iter().find(known) else {
            return Err(UnknownLevel {
                comparison: comparison.to_owned(),
                level: words.to_owned(),
            });
        };
        self.set_weight(*level, weight);
        Ok(())
    }

    /// The levels whose weight is not that of the program: comparison, words and weight.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, &'static str, f32)> {
        let differs =
            |(_, level): &&(&str, Level)| self.weight(*level).total_cmp(&level.weight).is_ne();
        let shown = |(comparison, level): &(&'static str, Level)| {
            (*comparison, level.words, self.weight(*level))
        };
        LEVELS.iter().filter(differs).map(shown)
    }

    /// A number that differs for tables with different weights; 0 for those of the program.
    pub fn version(&self) -> i64 {
        if *self == Self::default() {
            return 0;
        }
        let weights: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        let weights: Vec<&str> = weights.iter().map(String::as_str).collect();
        hash::hash(&weights).cast_signed()
    }
}
