//! The numbers of groups, until their quartiles are asked for.

use std::collections::BTreeMap;

use crate::change::price_per_area;
use crate::quartiles::Quartiles;

/// The asking prices of groups, by the name of the group.
#[derive(Debug, Default)]
pub struct Groups(BTreeMap<String, Sample>);

/// The asking prices of one group.
#[derive(Debug, Default)]
struct Sample {
    prices: Vec<f64>,
    per_area: Vec<f64>,
}

/// The figures of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupFigures {
    /// Its name.
    pub name: String,
    /// How many offers with a price it has.
    pub offers: usize,
    /// Asking prices, CZK.
    pub price: Option<Quartiles>,
    /// Asking prices of a square metre, CZK.
    pub per_area: Option<Quartiles>,
}

impl Groups {
    /// Adds an offer to a group. The area is the living area, of land the plot.
    pub fn add(&mut self, group: &str, price: Option<f64>, area: Option<f64>) {
        if !self.0.contains_key(group) {
            self.0.insert(group.to_owned(), Sample::default());
        }
        let Some(sample) = self.0.get_mut(group) else {
            return;
        };
        sample.prices.extend(price);
        sample.per_area.extend(price_per_area(price, area));
    }

    /// The figures of every group with enough offers, by name, and how many groups and offers have too few.
    pub fn finish(self) -> (Vec<GroupFigures>, LeftOut) {
        let mut left_out = LeftOut::default();
        let mut groups = Vec::new();
        for (name, mut sample) in self.0 {
            let figures = GroupFigures {
                offers: sample.prices.len(),
                price: Quartiles::of_numbers(&mut sample.prices),
                per_area: Quartiles::of_numbers(&mut sample.per_area),
                name,
            };
            if figures.price.is_some() {
                groups.push(figures);
            } else {
                left_out.groups += 1;
                left_out.offers += figures.offers;
            }
        }
        (groups, left_out)
    }
}

/// The groups that nothing is told about, because they have too few offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// How many groups.
    pub groups: usize,
    /// How many offers with a price are in them.
    pub offers: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_seven_is_left_out_and_counted() {
        let mut groups = Groups::default();
        for number in 0..8 {
            groups.add("large", Some(f64::from(number)), Some(2.0));
        }
        for _ in 0..7 {
            groups.add("small", Some(1.0), None);
        }
        groups.add("large", None, Some(2.0));
        let (found, left_out) = groups.finish();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].offers), ("large", 8));
        assert_eq!(
            left_out,
            LeftOut {
                groups: 1,
                offers: 7
            }
        );
        // A price of 0 is no price of a square metre.
        assert_eq!(found[0].per_area, None);
    }
}
