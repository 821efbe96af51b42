//! Randomness. Only this file asks the system for it; all other code is given a generator.

use rand::SeedableRng;
use rand::rngs::StdRng;

/// A generator for secrets, seeded by the system.
pub fn rng() -> StdRng {
    StdRng::from_rng(&mut rand::rng())
}
