//! The labels of the attribute list.

use czech::floor::Counting;

use crate::portals::attribute_list::{Attribute, Labels};

/// The price; it is read with what it is for.
pub const PRICE: &str = "cena";

/// What the rows say.
pub const LABELS: &Labels = &[
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
    (PRICE, Attribute::Beside),
    ("cena nezahrnuje", Attribute::Beside),
    ("datum vlozeni", Attribute::Beside),
    ("dopravni spojeni", Attribute::Beside),
    ("druhy bytu", Attribute::Beside),
    ("elektrina", Attribute::Beside),
    ("inzenyrske site", Attribute::Beside),
    ("okna", Attribute::Beside),
    ("plocha zastavena", Attribute::Beside),
    ("prijezdy", Attribute::Beside),
    ("vybaveni pronajem", Attribute::Beside),
    ("wc", Attribute::Beside),
    ("zatepleni", Attribute::Beside),
    ("zdroje vody", Attribute::Beside),
];
