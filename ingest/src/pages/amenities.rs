//! Lists of a property's amenities: `Sklep, Parkování na ulici, Výtah`.

use czech::fold;
use schema::Attributes;

use super::attribute_list::UNKNOWN_WORD;
use crate::json::FieldReader;

/// Stems of amenities that the spec has no field for.
const OTHER_AMENITIES: [&str; 19] = [
    "plot",
    "oplocen",
    "ostraha",
    "vratnice",
    "stravov",
    "socialni zarizeni",
    "neni",
    "altan",
    "diln",
    "chlev",
    "kolna",
    "komora",
    "kuln",
    "letni kuchyn",
    "pergol",
    "pradeln",
    "puda",
    "stodol",
    "susarn",
];

/// Fills the features that a comma-separated list names. An amenity that the list does not name stays unknown, because
/// the advertiser may have left it out. Parking in the street or nearby does not belong to the property.
pub(crate) fn fill_amenities(
    field: &str,
    list: &str,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    for item in list.split(',').map(fold).filter(|item| !item.is_empty()) {
        let flag = match item.as_str() {
            item if item.contains("na ulici") || item.contains("pobliz") => continue,
            item if item.contains("garaz") => &mut attributes.garage,
            item if item.contains("park") || item.contains("stani") => &mut attributes.parking,
            item if item.starts_with("balk") => &mut attributes.balcony,
            item if item.starts_with("lodzi") => &mut attributes.loggia,
            item if item.starts_with("teras") => &mut attributes.terrace,
            item if item.starts_with("sklep") => &mut attributes.storage,
            item if item.starts_with("bazen") => &mut attributes.swimming_pool,
            item if item.starts_with("vytah") => &mut attributes.elevator,
            item if item.starts_with("bezbarier") => &mut attributes.barrier_free,
            item if OTHER_AMENITIES.iter().any(|other| item.starts_with(other)) => continue,
            _ => {
                reader.reject(field, &item, UNKNOWN_WORD);
                continue;
            }
        };
        *flag = Some(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_amenities_are_filled_except_parking_in_the_street() {
        let mut attributes = Attributes::default();
        let mut reader = FieldReader::default();
        fill_amenities(
            "ostatni",
            "Sklep, Parkování na ulici, Lodžie, Půda, Hladomorna",
            &mut attributes,
            &mut reader,
        );
        let expected = Attributes {
            storage: Some(true),
            loggia: Some(true),
            ..Attributes::default()
        };
        assert_eq!(attributes, expected);
        let reader = reader.into_rejects();
        assert_eq!(
            reader
                .iter()
                .map(|reject| reject.value.as_str())
                .collect::<Vec<_>>(),
            ["hladomorna"]
        );
    }
}
