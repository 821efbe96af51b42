//! Energy classes: `C`, `G - Mimořádně nehospodárná`, `B (vyhl. č. 264/2020 Sb.)`.

use czech::text::present;

/// The class as published, without the decree by which it was determined. `None` unless the value begins with a single
/// letter from A to G.
///
/// ```
/// use ingest::notation::energy_class::energy_class;
/// assert_eq!(energy_class("C (vyhl. č. 264/2020 Sb.)").as_deref(), Some("C"));
/// assert_eq!(energy_class("G - Mimořádně nehospodárná").as_deref(), Some("G - Mimořádně nehospodárná"));
/// assert_eq!(energy_class("Exkluzivní"), None);
/// ```
pub fn energy_class(value: &str) -> Option<String> {
    let class = value.split('(').next().and_then(present)?;
    let mut letters = class.chars();
    let is_class = letters
        .next()
        .is_some_and(|letter| ('A'..='G').contains(&letter))
        && letters.next().is_none_or(|next| !next.is_alphabetic());
    is_class.then_some(class)
}
