//! The one place that draws random numbers from the system; everything else is handed a generator.

use rand::SeedableRng;
use rand::rngs::StdRng;

/// A generator fit for secrets, seeded by the system.
pub fn rng() -> StdRng {
    StdRng::from_rng(&mut rand::rng())
}
