//! The enumerations of the API, with exactly the values that its specification lists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text that is not one of the values an enumeration accepts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is not a value of {field}; accepted: {}", accepted.join(", "))]
pub struct UnknownValue {
    /// The spec's field name, for example `offerType`.
    pub field: &'static str,
    /// What was given.
    pub value: String,
    /// Every accepted value, in the spec's order.
    pub accepted: &'static [&'static str],
}

/// An enumeration of the spec: a closed list of texts, numbered in the spec's order.
pub trait SpecEnum: Sized + Copy + 'static {
    /// The spec's field name.
    const FIELD: &'static str;
    /// The accepted texts, in the spec's order. A value's code is its index in this list.
    const TEXTS: &'static [&'static str];
    /// The values, in the spec's order.
    const ALL: &'static [Self];

    /// The index of the value in the spec's list: a compact code for columns and search indexes.
    fn code(self) -> u8;

    /// The text of the value.
    fn as_str(self) -> &'static str {
        Self::TEXTS[usize::from(self.code())]
    }

    /// The value with this code; `None` if the list is shorter.
    fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

macro_rules! spec_enums {
    ($(
        $(#[$doc:meta])*
        $name:ident, $field:literal {
            $( $variant:ident = $text:literal: $meaning:literal, )+
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $( #[doc = $meaning] $variant, )+
        }

        impl SpecEnum for $name {
            const FIELD: &'static str = $field;
            const TEXTS: &'static [&'static str] = &[$($text),+];
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn code(self) -> u8 {
                self as u8
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownValue;

            fn from_str(text: &str) -> Result<Self, UnknownValue> {
                match text {
                    $( $text => Ok(Self::$variant), )+
                    _ => Err(UnknownValue {
                        field: $field,
                        value: text.to_owned(),
                        accepted: Self::TEXTS,
                    }),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

spec_enums! {
    /// Kind of offer. Offers of different kinds are never one record.
    OfferType, "offerType" {
        Sale = "sale": "Prodej, shares included.",
        Rent = "rent": "Pronájem.",
        Exchange = "exchange": "Výměna.",
        Auction = "auction": "Dražba.",
    }

    /// Property type.
    PropertyType, "type" {
        Apartment = "apartment": "Byt.",
        House = "house": "Dům, chata, chalupa.",
        Commercial = "commercial": "Komerční prostor.",
        Other = "other": "Garáž, mobilní dům, vinný sklep, ostatní.",
        Land = "land": "Pozemek.",
    }

    /// Finer property type.
    Subtype, "subtype" {
        Family = "family": "Rodinný dům.",
        Villa = "villa": "Vila.",
        Cottage = "cottage": "Chalupa.",
        Holiday = "holiday": "Chata, rekreační objekt.",
        Planned = "planned": "Dům na klíč.",
        Farm = "farm": "Zemědělská usedlost.",
        Historical = "historical": "Památka.",
        Office = "office": "Kanceláře.",
        Warehouse = "warehouse": "Sklad.",
        Production = "production": "Výroba.",
        ShoppingSpace = "shopping_space": "Obchodní prostor.",
        Accommodation = "accommodation": "Ubytování.",
        Restaurant = "restaurant": "Restaurace.",
        Agricultural = "agricultural": "Zemědělský objekt nebo pole.",
        Building = "building": "Činžovní dům.",
        GarageFull = "garage_full": "Garáž.",
        GarageSpace = "garage_space": "Garážové stání.",
        MobileHome = "mobile_home": "Mobilní dům.",
        WineCellar = "wine_cellar": "Vinný sklep.",
        Attic = "attic": "Půdní prostor.",
        Housing = "housing": "Pozemek pro bydlení.",
        Commercial = "commercial": "Komerční pozemek.",
        Meadow = "meadow": "Louka.",
        Forest = "forest": "Les.",
        Fishpond = "fishpond": "Rybník.",
        Orchard = "orchard": "Sad, vinice.",
        Garden = "garden": "Zahrada.",
        Other = "other": "Jiný.",
    }

    /// Czech room layout (dispozice).
    Arrangement, "arrangement" {
        R1P0 = "1+0": "Garsoniéra.",
        R1P1 = "1+1": "1+1.",
        R1Kk = "1+kk": "1+kk.",
        R2P0 = "2+0": "2+0.",
        R2P1 = "2+1": "2+1.",
        R2Kk = "2+kk": "2+kk.",
        R3P0 = "3+0": "3+0.",
        R3P1 = "3+1": "3+1.",
        R3Kk = "3+kk": "3+kk.",
        R4P0 = "4+0": "4+0.",
        R4P1 = "4+1": "4+1.",
        R4Kk = "4+kk": "4+kk.",
        R5P0 = "5+0": "5+0.",
        R5P1 = "5+1": "5+1.",
        R5Kk = "5+kk": "5+kk.",
        R6P0 = "6+0": "6+0.",
        R6P1 = "6+1": "6+1.",
        R6Kk = "6+kk": "6+kk.",
        R7P0 = "7+0": "7+0.",
        R7P1 = "7+1": "7+1.",
        R7Kk = "7+kk": "7+kk.",
        SixAndMore = "6++": "6 a více.",
        Other = "other": "Atypický, pokoj.",
    }

    /// How furnished the property is.
    Equipment, "equipment" {
        Full = "full": "Zařízený.",
        None = "none": "Nezařízený.",
        Partial = "partial": "Částečně zařízený.",
    }

    /// Ownership form.
    Ownership, "ownership" {
        Private = "private": "Osobní.",
        Communal = "communal": "Družstevní.",
        Local = "local": "Obecní.",
        State = "state": "Státní.",
        Other = "other": "Jiné.",
    }

    /// Condition of the property.
    PropertyState, "propertyState" {
        VeryGood = "very_good": "Velmi dobrý.",
        Good = "good": "Dobrý.",
        Bad = "bad": "Špatný.",
        InConstruction = "in_construction": "Ve výstavbě.",
        InPlanning = "in_planning": "Projekt.",
        NewlyConstructed = "newly_constructed": "Novostavba.",
        DevelopmentProject = "development_project": "Developerský projekt.",
        BeforeRenovation = "before_renovation": "Před rekonstrukcí.",
        AfterRenovation = "after_renovation": "Po rekonstrukci.",
        ForDemolition = "for_demolition": "K demolici.",
    }

    /// Construction type.
    BuildingType, "buildingType" {
        Brick = "brick": "Cihlová.",
        Panel = "panel": "Panelová.",
        Wood = "wood": "Dřevěná.",
        Eco = "eco": "Nízkoenergetická.",
        Skeleton = "skeleton": "Skeletová.",
        Mix = "mix": "Smíšená.",
        Assemble = "assemble": "Montovaná.",
        Stone = "stone": "Kamenná.",
    }
}

impl Arrangement {
    /// Number of rooms besides the kitchen (the figure before the `+`), `None` for `other`; 6 for `6++`.
    pub fn rooms(self) -> Option<u8> {
        match self {
            Self::Other => None,
            Self::SixAndMore => Some(6),
            _ => self.as_str().bytes().next().map(|digit| digit - b'0'),
        }
    }
}
