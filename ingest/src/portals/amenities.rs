//! Lists of what belongs to a property: `Sklep, Parkování na ulici, Výtah`.

use czech::fold;
use schema::Attributes;

use super::attribute_list::UNKNOWN_WORD;
use super::lenient::Unread;

/// Items of such lists that the spec has no field for.
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

/// A comma-separated list of what belongs to the property. Only what is named is there; what is not named may only
/// have been left out. The street and a car park nearby belong to everyone.
pub fn amenities(field: &str, list: &str, attributes: &mut Attributes, unread: &mut Unread) {
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
                unread.note(field, &item, UNKNOWN_WORD);
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
    fn what_is_named_is_there_and_the_street_is_everyones() {
        let mut attributes = Attributes::default();
        let mut unread = Unread::default();
        amenities(
            "ostatni",
            "Sklep, Parkování na ulici, Lodžie, Půda, Hladomorna",
            &mut attributes,
            &mut unread,
        );
        let expected = Attributes {
            storage: Some(true),
            loggia: Some(true),
            ..Attributes::default()
        };
        assert_eq!(attributes, expected);
        let unread = unread.into_rejects();
        assert_eq!(
            unread
                .iter()
                .map(|reject| reject.value.as_str())
                .collect::<Vec<_>>(),
            ["hladomorna"]
        );
    }
}
