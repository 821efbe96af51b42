//! Scoring: the match weight of two listings, its explanation, and the vetoes.

mod veto;

use schema::{Bar, MatchEvidence};

use crate::comparison::{COMPARISONS, Levels};
use crate::profile::Profile;
use crate::weight_table::WeightTable;
use crate::weights;

pub use veto::Veto;

pub(crate) use veto::veto_between;

/// The match weight of two listings: log₂ of the odds that they are one property. Vetoes are not
/// considered.
pub fn match_weight(table: &WeightTable, a: &Profile, b: &Profile) -> f32 {
    let mut levels = Levels::new(table);
    for comparison in COMPARISONS {
        (comparison.compare)(a, b, &mut levels);
    }
    table.prior() + levels.weight
}

/// The waterfall of two listings: the prior, one bar for each level reached, and the veto if there
/// is one.
pub fn explain_match(table: &WeightTable, a: &Profile, b: &Profile) -> MatchEvidence {
    let mut levels = Levels::kept(table);
    let mut bars = vec![Bar {
        comparison: "prior".to_owned(),
        level: weights::PRIOR.words.to_owned(),
        weight: f64::from(table.prior()),
        left: String::new(),
        right: String::new(),
    }];
    for comparison in COMPARISONS {
        (comparison.compare)(a, b, &mut levels);
        bars.extend(levels.take().into_iter().map(|level| Bar {
            comparison: comparison.name.to_owned(),
            level: level.words.to_owned(),
            weight: round_weight(level.weight),
            left: (comparison.show)(a),
            right: (comparison.show)(b),
        }));
    }
    MatchEvidence {
        weight: round_weight(table.prior() + levels.weight),
        veto: veto_between(a, b).map(|veto| veto.to_string()),
        bars,
    }
}

/// A weight rounded to two decimals for display.
pub(crate) fn round_weight(weight: f32) -> f64 {
    (f64::from(weight) * 100.0).round() / 100.0
}
