//! From comparisons to a match weight, and from a match weight to its explanation.

pub mod veto;
pub mod weights;

use schema::{Bar, MatchEvidence};

use crate::comparison::{COMPARISONS, Levels};
use crate::profile::Profile;

pub use veto::Veto;

/// The match weight of two listings: log₂ of the odds that they are one property, before vetoes.
pub fn weight(a: &Profile, b: &Profile) -> f32 {
    let mut levels = Levels::default();
    for comparison in COMPARISONS {
        (comparison.compare)(a, b, &mut levels);
    }
    weights::PRIOR.weight + levels.weight
}

/// The waterfall of two listings: prior, one bar per level reached, the veto if there is one.
pub fn explain(a: &Profile, b: &Profile) -> MatchEvidence {
    let mut levels = Levels::kept();
    let mut bars = vec![Bar {
        comparison: "prior".to_owned(),
        level: weights::PRIOR.words.to_owned(),
        weight: f64::from(weights::PRIOR.weight),
        left: String::new(),
        right: String::new(),
    }];
    for comparison in COMPARISONS {
        (comparison.compare)(a, b, &mut levels);
        bars.extend(levels.take().into_iter().map(|level| Bar {
            comparison: comparison.name.to_owned(),
            level: level.words.to_owned(),
            weight: round(level.weight),
            left: (comparison.show)(a),
            right: (comparison.show)(b),
        }));
    }
    MatchEvidence {
        weight: round(weights::PRIOR.weight + levels.weight),
        veto: veto::of(a, b).map(|veto| veto.to_string()),
        bars,
    }
}

/// Two decimals: what a reader compares, without the noise of binary fractions.
pub fn round(weight: f32) -> f64 {
    (f64::from(weight) * 100.0).round() / 100.0
}
