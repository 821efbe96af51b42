//! Property types and subtypes by the nouns that name them.

use czech::fold;
use schema::{PropertyType, Subtype};

/// The subtype within `main` that a noun of a category or title names; `None` if no noun names one.
///
/// ```
/// use ingest::notation::kind::subtype;
/// use schema::{PropertyType, Subtype};
/// assert_eq!(subtype(PropertyType::House, "Rodinný dům"), Some(Subtype::Family));
/// assert_eq!(subtype(PropertyType::Land, "Prodej stavebního pozemku"), Some(Subtype::Housing));
/// assert_eq!(subtype(PropertyType::Apartment, "Rodinný dům"), None);
/// ```
pub fn subtype(main: PropertyType, text: &str) -> Option<Subtype> {
    let stems: &[(&str, Subtype)] = match main {
        PropertyType::House => HOUSE,
        PropertyType::Commercial => COMMERCIAL,
        PropertyType::Land => LAND,
        PropertyType::Other => OTHER,
        PropertyType::Apartment => return None,
    };
    let text = fold(text);
    // A stem counts only at the start of a word: "les" is not in "dolesnat", and "sad" is not in "posada".
    let padded = format!(" {} ", text.replace(|c: char| !c.is_alphanumeric(), " "));
    stems
        .iter()
        .find(|(stem, _)| padded.contains(&format!(" {stem}")))
        .map(|(_, subtype)| *subtype)
}

/// The property type named at the start of a portal's section or category: `Byty`, `Domy a vily`, `rodinne-domy`,
/// `Komerční objekt`, `Malé objekty, garáže`.
///
/// ```
/// use ingest::notation::kind::property_type;
/// use schema::PropertyType;
/// assert_eq!(property_type("Chaty a rekreační objekty"), Some(PropertyType::House));
/// assert_eq!(property_type("Zámečnictví"), None);
/// ```
pub fn property_type(section: &str) -> Option<PropertyType> {
    const SECTIONS: [(&str, PropertyType); 22] = [
        ("byt", PropertyType::Apartment),
        ("pokoj", PropertyType::Apartment),
        ("garson", PropertyType::Apartment),
        ("dum", PropertyType::House),
        ("dom", PropertyType::House),
        ("rodinn", PropertyType::House),
        ("vil", PropertyType::House),
        ("chat", PropertyType::House),
        ("chalup", PropertyType::House),
        ("pozem", PropertyType::Land),
        ("parcel", PropertyType::Land),
        ("komer", PropertyType::Commercial),
        ("najemni", PropertyType::Commercial),
        ("cinzovni", PropertyType::Commercial),
        ("kancelar", PropertyType::Commercial),
        ("hotel", PropertyType::Commercial),
        ("zemedelske objekty", PropertyType::Commercial),
        ("mal", PropertyType::Other),
        ("garaz", PropertyType::Other),
        ("parkovac", PropertyType::Other),
        ("mobilheim", PropertyType::Other),
        ("ostatni", PropertyType::Other),
    ];
    let section = fold(section);
    SECTIONS
        .iter()
        .find(|(stem, _)| section.starts_with(stem))
        .map(|(_, property_type)| *property_type)
}

/// Stems in the order in which they are tried.
const HOUSE: &[(&str, Subtype)] = &[
    ("na klic", Subtype::Planned),
    ("vicegenerac", Subtype::Family),
    ("zemedelsk", Subtype::Farm),
    ("usedlost", Subtype::Farm),
    ("statek", Subtype::Farm),
    ("statku", Subtype::Farm),
    ("pamatk", Subtype::Historical),
    ("historick", Subtype::Historical),
    ("zamek", Subtype::Historical),
    ("zamk", Subtype::Historical),
    ("tvrz", Subtype::Historical),
    ("chalup", Subtype::Cottage),
    ("roubenk", Subtype::Cottage),
    ("chat", Subtype::Holiday),
    ("rekreac", Subtype::Holiday),
    ("vila", Subtype::Villa),
    ("vily", Subtype::Villa),
    ("vilu", Subtype::Villa),
    ("vile", Subtype::Villa),
    ("rodinn", Subtype::Family),
    ("rd ", Subtype::Family),
    ("dvojdum", Subtype::Family),
    ("dvojdomk", Subtype::Family),
    ("bungalov", Subtype::Family),
];

/// As [`HOUSE`].
const COMMERCIAL: &[(&str, Subtype)] = &[
    ("cinzovni", Subtype::Building),
    ("cinzak", Subtype::Building),
    ("najemni d", Subtype::Building),
    ("bytovy dum", Subtype::Building),
    ("bytoveho domu", Subtype::Building),
    ("kancelar", Subtype::Office),
    ("sklad", Subtype::Warehouse),
    ("vyrob", Subtype::Production),
    ("diln", Subtype::Production),
    ("hotel", Subtype::Accommodation),
    ("penzion", Subtype::Accommodation),
    ("ubytov", Subtype::Accommodation),
    ("apartman", Subtype::Accommodation),
    ("restaurac", Subtype::Restaurant),
    ("hospod", Subtype::Restaurant),
    ("hostin", Subtype::Restaurant),
    ("kavarn", Subtype::Restaurant),
    ("bistr", Subtype::Restaurant),
    ("obchod", Subtype::ShoppingSpace),
    ("prodejn", Subtype::ShoppingSpace),
    ("zemedelsk", Subtype::Agricultural),
    ("ordinac", Subtype::Other),
    ("jin", Subtype::Other),
    ("ostatni", Subtype::Other),
];

/// As [`HOUSE`].
const LAND: &[(&str, Subtype)] = &[
    ("zahrad", Subtype::Garden),
    ("stavebn", Subtype::Housing),
    ("bydlen", Subtype::Housing),
    ("komercn", Subtype::Commercial),
    ("prumysl", Subtype::Commercial),
    ("vyrob", Subtype::Commercial),
    ("vinic", Subtype::Orchard),
    ("sad ", Subtype::Orchard),
    ("sadu", Subtype::Orchard),
    ("sady", Subtype::Orchard),
    ("rybni", Subtype::Fishpond),
    ("vodni ploch", Subtype::Fishpond),
    ("lesa", Subtype::Forest),
    ("lesu", Subtype::Forest),
    ("lesni", Subtype::Forest),
    ("les ", Subtype::Forest),
    ("lesy", Subtype::Forest),
    ("louk", Subtype::Meadow),
    ("luk", Subtype::Meadow),
    ("travn", Subtype::Meadow),
    ("zemedelsk", Subtype::Agricultural),
    ("orn", Subtype::Agricultural),
    ("pole ", Subtype::Agricultural),
    ("poli ", Subtype::Agricultural),
    ("ostatni", Subtype::Other),
    ("jin", Subtype::Other),
];

/// As [`HOUSE`].
const OTHER: &[(&str, Subtype)] = &[
    ("garazov", Subtype::GarageSpace),
    ("parkovac", Subtype::GarageSpace),
    ("stani", Subtype::GarageSpace),
    ("garaz", Subtype::GarageFull),
    ("mobil", Subtype::MobileHome),
    ("maringotk", Subtype::MobileHome),
    ("vinny sklep", Subtype::WineCellar),
    ("vinneho sklepa", Subtype::WineCellar),
    ("pudni", Subtype::Attic),
    ("ostatni", Subtype::Other),
    ("jin", Subtype::Other),
    ("maly objekt", Subtype::Other),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_name_the_subtype_within_the_main_type() {
        use PropertyType as Main;
        for (main, text, expected) in [
            (
                Main::House,
                "Prodej rodinného domu 150 m²",
                Some(Subtype::Family),
            ),
            (Main::House, "Chalupa, Krkonoše", Some(Subtype::Cottage)),
            (Main::House, "Chata u lesa", Some(Subtype::Holiday)),
            (Main::House, "Vila", Some(Subtype::Villa)),
            (Main::House, "Dům na klíč", Some(Subtype::Planned)),
            (Main::House, "Dům", None),
            (Main::Commercial, "Kanceláře", Some(Subtype::Office)),
            (Main::Commercial, "Činžovní dům", Some(Subtype::Building)),
            (
                Main::Commercial,
                "Skladový prostor",
                Some(Subtype::Warehouse),
            ),
            (Main::Land, "Louka u Blatné", Some(Subtype::Meadow)),
            (Main::Land, "Lesní pozemek", Some(Subtype::Forest)),
            (Main::Land, "Les", Some(Subtype::Forest)),
            (Main::Land, "Pozemek Dolesnatá", None),
            (Main::Other, "Garážové stání", Some(Subtype::GarageSpace)),
            (Main::Other, "Garáž", Some(Subtype::GarageFull)),
        ] {
            assert_eq!(subtype(main, text), expected, "{text}");
        }
    }
}
