//! Balconies, cellars, lifts: features that title or text plainly affirm or deny.

use czech::tokens::number;
use schema::Attributes;

/// A feature that a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feature {
    Balcony,
    Loggia,
    Terrace,
    Storage,
    Garden,
    Garage,
    Elevator,
    Parking,
    Pool,
}

impl Feature {
    const ALL: [Self; 9] = [
        Self::Balcony,
        Self::Loggia,
        Self::Terrace,
        Self::Storage,
        Self::Garden,
        Self::Garage,
        Self::Elevator,
        Self::Parking,
        Self::Pool,
    ];

    fn named_by(word: &str) -> Option<Self> {
        const STEMS: [(&str, Feature); 13] = [
            ("balkon", Feature::Balcony),
            ("lodzi", Feature::Loggia),
            ("teras", Feature::Terrace),
            ("sklep", Feature::Storage),
            ("zahrad", Feature::Garden),
            // A place in a shared garage is parking.
            ("garazov", Feature::Parking),
            ("garaz", Feature::Garage),
            ("dvojgaraz", Feature::Garage),
            ("dvougaraz", Feature::Garage),
            ("vytah", Feature::Elevator),
            ("parkovan", Feature::Parking),
            ("parkovac", Feature::Parking),
            ("bazen", Feature::Pool),
        ];
        STEMS
            .into_iter()
            .find(|(stem, _)| word.starts_with(stem))
            .map(|(_, feature)| feature)
    }

    fn field(self, attributes: &mut Attributes) -> &mut Option<bool> {
        match self {
            Self::Balcony => &mut attributes.balcony,
            Self::Loggia => &mut attributes.loggia,
            Self::Terrace => &mut attributes.terrace,
            Self::Storage => &mut attributes.storage,
            Self::Garden => &mut attributes.garden,
            Self::Garage => &mut attributes.garage,
            Self::Elevator => &mut attributes.elevator,
            Self::Parking => &mut attributes.parking,
            Self::Pool => &mut attributes.swimming_pool,
        }
    }
}

/// Fills those features that are unknown and that [`fill_extras`] finds.
pub(crate) fn fill_unknown_extras(head: &[&str], keys: &[&str], attributes: &mut Attributes) {
    let mut said = Attributes::default();
    fill_extras(head, keys, &mut said);
    for feature in Feature::ALL {
        let answer = *feature.field(&mut said);
        let field = feature.field(attributes);
        *field = field.or(answer);
    }
}

/// Fills the features that the title names, and those that the text attributes to the property (`s balkonem`,
/// `bez výtahu`), labels (`Výtah: ano`) or lists (`54 m2, balkon, sklep.`). A feature that is both affirmed and denied
/// stays unknown.
pub(crate) fn fill_extras(head: &[&str], keys: &[&str], attributes: &mut Attributes) {
    let in_title = (0..head.len()).filter_map(|at| {
        let feature = Feature::named_by(head.get(at)?)?;
        Some((feature, at == 0 || head.get(at - 1) != Some(&"bez")))
    });
    let said: Vec<(Feature, bool)> = in_title
        .chain((0..keys.len()).filter_map(|at| said_at(keys, at)))
        .collect();
    for feature in Feature::ALL {
        let mut answers = said
            .iter()
            .filter(|(named, _)| *named == feature)
            .map(|(_, answer)| *answer);
        if let Some(first) = answers.next()
            && answers.all(|answer| answer == first)
        {
            *feature.field(attributes) = Some(first);
        }
    }
}

fn said_at(keys: &[&str], at: usize) -> Option<(Feature, bool)> {
    let named = Feature::named_by;
    let (feature, answer) = match keys.get(at..)? {
        ["s" | "se", word, ..] if named(word).is_some() => (named(word), true),
        ["s" | "se", _, word, ..] | [word, ":", "ano", ..] => (named(word), true),
        ["bez", word, ..] | [word, ":", "ne", ..] => (named(word), false),
        ["k", "bytu", verb, word, ..] if verb.starts_with("nalez") || *verb == "patri" => {
            (named(word), true)
        }
        [word, ..] if LISTED.contains(word) && is_list_item(keys, at) => (named(word), true),
        _ => return None,
    };
    feature.map(|feature| (feature, answer))
}

/// Features that belong to the property when a list names them. A "bazén" or "parkování" may be the town's.
const LISTED: [&str; 7] = [
    "balkon", "lodzie", "terasa", "sklep", "vytah", "garaz", "zahrada",
];

/// Tells whether the word is an item of a list: alone between punctuation marks, or followed by its size.
fn is_list_item(keys: &[&str], at: usize) -> bool {
    let begins = at
        .checked_sub(1)
        .is_none_or(|before| matches!(keys.get(before), Some(&("," | "." | "\n"))));
    let ends = match keys.get(at + 1..).unwrap_or_default() {
        [] | ["," | "." | "\n", ..] => true,
        [size, "m", "2", ..] => number(size).is_some(),
        _ => false,
    };
    begins && ends
}

#[cfg(test)]
mod tests {
    use czech::tokens::Tokens;

    use super::*;

    fn extras_in(title: &str, text: &str) -> Attributes {
        let (head, whole) = (
            Tokens::parse(title),
            Tokens::parse(&format!("{title}\n{text}")),
        );
        let mut attributes = Attributes::default();
        fill_extras(&head.keys(), &whole.keys(), &mut attributes);
        attributes
    }

    #[test]
    fn features_are_named_joined_labelled_or_listed() {
        assert_eq!(extras_in("Byt 2+1, balkon", "").balcony, Some(true));
        assert_eq!(
            extras_in("Byt", "Byt s prostornou terasou.").terrace,
            Some(true)
        );
        assert_eq!(extras_in("Byt", "Výtah: ano").elevator, Some(true));
        assert_eq!(
            extras_in("Byt", "54 m2, lodžie, sklep 5 m2.").loggia,
            Some(true)
        );
        assert_eq!(
            extras_in("Byt", "54 m2, lodžie, sklep 5 m2.").storage,
            Some(true)
        );
        assert_eq!(extras_in("Byt", "K bytu náleží sklep.").storage, Some(true));
    }

    #[test]
    fn features_are_denied_in_words() {
        assert_eq!(
            extras_in("Byt", "3. patro bez výtahu").elevator,
            Some(false)
        );
        assert_eq!(extras_in("Byt bez balkonu", "").balcony, Some(false));
        assert_eq!(extras_in("Byt", "Výtah: ne").elevator, Some(false));
    }

    #[test]
    fn contradicted_features_and_those_elsewhere_stay_unknown() {
        assert_eq!(
            extras_in("Byt s výtahem", "Dům je bez výtahu.").elevator,
            None
        );
        assert_eq!(
            extras_in("Byt", "V okolí je škola, bazén, park.").swimming_pool,
            None
        );
        assert_eq!(
            extras_in("Byt", "V domě je sklep, který lze pronajmout.").storage,
            None
        );
    }

    #[test]
    fn what_is_known_stays() {
        let text = Tokens::parse("Byt s balkonem a se sklepem, bez výtahu.");
        let mut attributes = Attributes {
            elevator: Some(true),
            ..Attributes::default()
        };
        fill_unknown_extras(&[], &text.keys(), &mut attributes);
        assert_eq!(
            (attributes.elevator, attributes.balcony),
            (Some(true), Some(true))
        );
    }

    #[test]
    fn a_place_in_a_garage_is_parking() {
        let attributes = extras_in("Byt s garážovým stáním", "");
        assert_eq!((attributes.garage, attributes.parking), (None, Some(true)));
    }
}
