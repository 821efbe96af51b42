//! The labels of the attribute list.

use crate::pages::attribute_list::{Attribute, Labels};
use czech::floor::Counting;

/// The price, which is read with its unit.
pub(crate) const PRICE: &str = "cena";

/// What the value of each row is.
pub(crate) const LABELS: &Labels = &[
    ("id nemovitosti", Attribute::OrderCode("")),
    ("plocha uzitna", Attribute::LivingArea),
    ("plocha obytna", Attribute::LivingArea),
    ("plocha celkova", Attribute::TotalArea),
    ("plocha pozemku", Attribute::LandArea),
    ("konstrukce", Attribute::Construction),
    ("stav nemovitosti", Attribute::Condition),
    ("vlastnictvi", Attribute::Ownership),
    ("patro", Attribute::Floor(Counting::FromGround)),
    ("kanalizace", Attribute::Sewerage),
    ("zpusoby vytapeni", Attribute::Heating),
    ("vytapeni podrobnosti", Attribute::Heating),
    ("energeticka narocnost", Attribute::EnergyClass),
    ("balkony", Attribute::Amenities),
    ("parkovani", Attribute::Parking),
    (PRICE, Attribute::Ignored),
    ("cena nezahrnuje", Attribute::Ignored),
    ("datum vlozeni", Attribute::Ignored),
    ("dopravni spojeni", Attribute::Ignored),
    ("druhy bytu", Attribute::Ignored),
    ("elektrina", Attribute::Ignored),
    ("inzenyrske site", Attribute::Ignored),
    ("okna", Attribute::Ignored),
    ("plocha zastavena", Attribute::Ignored),
    ("prijezdy", Attribute::Ignored),
    ("vybaveni pronajem", Attribute::Ignored),
    ("wc", Attribute::Ignored),
    ("zatepleni", Attribute::Ignored),
    ("zdroje vody", Attribute::Ignored),
];
