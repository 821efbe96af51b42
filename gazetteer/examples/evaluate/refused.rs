//! Texts that must not be found.

use std::collections::{BTreeMap, HashSet};

use czech::fold_name;
use gazetteer::Gazetteer;
use gazetteer::registry::Registry;

use super::absent;

/// Looks all texts up, and prints those that are found and their share by kind.
pub fn check(gazetteer: &Gazetteer, registry: &Registry) {
    let names = names(registry);
    let texts = absent::texts(|name| names.contains(&fold_name(name)));
    println!("\ntexts that must not be found: {}", texts.len());
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (kind, text) in &texts {
        let found = gazetteer.find(text);
        let (all, wrong) = counts.entry(kind).or_default();
        *all += 1;
        if let Ok(found) = found {
            *wrong += 1;
            println!("{kind}: {text}  =>  {found}");
        }
    }
    let wrong: usize = counts.values().map(|(_, wrong)| wrong).sum();
    for (kind, (all, wrong)) in counts {
        println!("{kind:32} {wrong:4} of {all:4} found");
    }
    let share = 100.0 * wrong as f64 / texts.len() as f64;
    println!(
        "{:32} {wrong:4} of {:4} found: {share:.2} %",
        "all",
        texts.len()
    );
}

/// The folded names of all municipalities, quarters, city parts and streets.
fn names(registry: &Registry) -> HashSet<String> {
    let places = registry.municipalities().iter().map(|place| place.name);
    let quarters = registry.quarters().iter().map(|place| place.name);
    let parts = registry.city_parts().iter().map(|place| place.name);
    let streets = registry.streets().iter().map(|place| place.name);
    places
        .chain(quarters)
        .chain(parts)
        .chain(streets)
        .map(|name| fold_name(registry.name(name)))
        .collect()
}
