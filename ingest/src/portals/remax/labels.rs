//! The labels of the attribute list.

use crate::pages::attribute_list::{Attribute, Labels};
use czech::floor::Counting;

/// The row with the section of the portal, which tells the property type.
pub(crate) const SECTION: &str = "typ nemovitosti";
/// The rows with the layout of a flat and the kinds of land and of commercial premises. They refine the section, and
/// are read with it.
pub(crate) const KINDS: [&str; 3] = ["dispozice", "druh pozemku", "druh prostor"];

/// What the value of each row is.
pub(crate) const LABELS: &Labels = &[
    ("cislo zakazky", Attribute::OrderCode("ID ")),
    ("cislo jednotky", Attribute::UnitNumber),
    ("uzitna plocha", Attribute::LivingArea),
    ("celkova plocha", Attribute::TotalArea),
    ("plocha parcely", Attribute::LandArea),
    ("plocha pozemku", Attribute::LandArea),
    ("plocha zahrady", Attribute::Garden),
    ("zahrada", Attribute::Garden),
    ("druh objektu", Attribute::Construction),
    ("stav objektu", Attribute::Condition),
    ("vlastnictvi", Attribute::Ownership),
    ("poloha objektu", Attribute::Position),
    ("vybaveno", Attribute::Equipment),
    ("vybaveni", Attribute::Equipment),
    ("cislo podlazi", Attribute::Floor(Counting::FromOne)),
    ("pocet podlazi v objektu", Attribute::FloorCount),
    ("pocet podlazi objektu", Attribute::FloorCount),
    ("odpad", Attribute::Sewerage),
    ("topeni", Attribute::Heating),
    ("energeticka narocnost budovy", Attribute::EnergyClass),
    ("balkon", Attribute::Balcony),
    ("lodzie", Attribute::Loggia),
    ("terasa", Attribute::Terrace),
    ("sklep", Attribute::Cellar),
    ("bazen", Attribute::Pool),
    ("bezbarierovy byt", Attribute::BarrierFree),
    ("bezbarierovy pristup", Attribute::BarrierFree),
    ("vytah", Attribute::Elevator),
    ("garaz", Attribute::Garage),
    ("pocet parkovacich mist", Attribute::ParkingPlaces),
    ("parkovani", Attribute::Parking),
    (SECTION, Attribute::Ignored),
    (KINDS[0], Attribute::Ignored),
    (KINDS[1], Attribute::Ignored),
    (KINDS[2], Attribute::Ignored),
    ("charakter okolni zastavby", Attribute::Ignored),
    ("doprava", Attribute::Ignored),
    ("elektrina", Attribute::Ignored),
    ("inzenyrske site", Attribute::Ignored),
    ("k nastehovani", Attribute::Ignored),
    ("komunikace", Attribute::Ignored),
    (
        "merna vypoctena rocni spotreba energie v kwh/m2/rok",
        Attribute::Ignored,
    ),
    ("obcanska vybavenost", Attribute::Ignored),
    ("ostatni rozvody", Attribute::Ignored),
    ("plocha kancelari", Attribute::Ignored),
    ("plyn", Attribute::Ignored),
    ("pocet podlazi pod zemi", Attribute::Ignored),
    ("rok rekonstrukce", Attribute::Ignored),
    ("rok vystavby", Attribute::YearBuilt),
    ("telekomunikace", Attribute::Ignored),
    ("typ domu", Attribute::Ignored),
    ("umisteni objektu", Attribute::Ignored),
    ("umisteni v chranenych lokalitach", Attribute::Ignored),
    ("voda", Attribute::Ignored),
    ("vybaveni kancelari", Attribute::Ignored),
    ("zastavena plocha", Attribute::Ignored),
];
