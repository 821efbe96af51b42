//! The labels of the attribute list.

use czech::floor::Counting;

use crate::portals::attribute_list::{Attribute, Labels};

/// The section.
pub const SECTION: &str = "typ nemovitosti";
/// Layout of a flat; kinds of land and of commercial premises. They refine the section and are read with it.
pub const KINDS: [&str; 3] = ["dispozice", "druh pozemku", "druh prostor"];

/// What the rows say.
pub const LABELS: &Labels = &[
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
    (SECTION, Attribute::Beside),
    (KINDS[0], Attribute::Beside),
    (KINDS[1], Attribute::Beside),
    (KINDS[2], Attribute::Beside),
    ("charakter okolni zastavby", Attribute::Beside),
    ("doprava", Attribute::Beside),
    ("elektrina", Attribute::Beside),
    ("inzenyrske site", Attribute::Beside),
    ("k nastehovani", Attribute::Beside),
    ("komunikace", Attribute::Beside),
    (
        "merna vypoctena rocni spotreba energie v kwh/m2/rok",
        Attribute::Beside,
    ),
    ("obcanska vybavenost", Attribute::Beside),
    ("ostatni rozvody", Attribute::Beside),
    ("plocha kancelari", Attribute::Beside),
    ("plyn", Attribute::Beside),
    ("pocet podlazi pod zemi", Attribute::Beside),
    ("rok rekonstrukce", Attribute::Beside),
    ("rok vystavby", Attribute::Beside),
    ("telekomunikace", Attribute::Beside),
    ("typ domu", Attribute::Beside),
    ("umisteni objektu", Attribute::Beside),
    ("umisteni v chranenych lokalitach", Attribute::Beside),
    ("voda", Attribute::Beside),
    ("vybaveni kancelari", Attribute::Beside),
    ("zastavena plocha", Attribute::Beside),
];
