//! The names of comparisons, rules and vetoes.

use dedup::merging::{AppliedRule, PlaceRule};

use super::translated;
use crate::language::Language;

const COMPARISONS: &[(&str, &str)] = &[
    ("prior", "předem"),
    ("place", "místo"),
    ("kind", "druh"),
    ("size", "plocha"),
    ("plot", "pozemek"),
    ("layout", "dispozice"),
    ("floor", "podlaží"),
    ("price", "cena"),
    ("text", "text"),
    ("identifiers", "čísla a kontakty"),
    ("parts", "příslušenství"),
    ("building", "budova"),
    ("time", "čas"),
];

const VETOES: &[(&str, &str)] = &[
    ("different kinds of offer", "různý druh nabídky"),
    (
        "a share and the whole, or two different shares",
        "podíl a celek, nebo dva různé podíly",
    ),
    ("different unit numbers", "různá čísla jednotek"),
    ("different parcel numbers", "různá parcelní čísla"),
    (
        "different house numbers on one street",
        "různá čísla domů v jedné ulici",
    ),
];

const BLOCKING: &[(&str, &str)] = &[
    ("address point", "adresní místo"),
    ("house number", "číslo domu"),
    ("order number", "číslo zakázky"),
    ("unit or parcel", "jednotka nebo parcela"),
    ("copy", "kopie"),
    ("point", "bod"),
    ("phone", "telefon"),
    ("text", "text"),
    ("small municipality", "malá obec"),
    ("street and size", "ulice a plocha"),
    ("street and rooms", "ulice a pokoje"),
    ("cell and size", "čtverec mapy a plocha"),
    ("pin and size", "špendlík a plocha"),
    ("pin and rooms", "špendlík a pokoje"),
    ("name in the text", "jméno v textu"),
    ("postal code and values", "PSČ a hodnoty"),
    ("municipality and size", "obec a plocha"),
    ("municipality and price", "obec a cena"),
    ("district and values", "okres a hodnoty"),
    ("wide cell and values", "velký čtverec mapy a hodnoty"),
];

const MERGE_RULES: &[(&str, &str)] = &[
    ("longest_text", "nejdelší text"),
    ("title_of_merged_description", "titulek sloučeného popisu"),
    ("merged_with_place", "sloučeno s místem"),
    ("general_rule", "obecné pravidlo"),
    ("subtype_of_merged_type", "poddruh sloučeného druhu"),
    ("newest_live_price", "nejnovější živá cena"),
    ("stated_feature", "uvedená vlastnost"),
    ("unrounded_area", "nezaokrouhlená plocha"),
];

/// The name of a comparison.
pub(crate) fn comparison(name: &str, l: Language) -> &str {
    translated(COMPARISONS, name, l)
}

/// A veto.
pub(crate) fn veto(words: &str, l: Language) -> &str {
    translated(VETOES, words, l)
}

/// The names of blocking rules, in a list.
pub(crate) fn blocking_rules(names: &[&str], l: Language) -> String {
    let names = names.iter().map(|name| translated(BLOCKING, name, l));
    names.collect::<Vec<_>>().join(", ")
}

/// The rule by which a field is merged.
pub(crate) fn merge_rule(name: &str, l: Language) -> String {
    translated(MERGE_RULES, name, l).replace('_', " ")
}

/// How a merged value of the place differs from the published one.
pub(crate) fn applied_rule(applied: &AppliedRule, l: Language) -> String {
    if l == Language::English {
        return operations::words::applied_rule(applied);
    }
    let published = &applied.published;
    match applied.rule {
        PlaceRule::OfficialSpelling => format!("úřední podoba jména „{published}“"),
        PlaceRule::NamedPlace => format!("místo, které jmenuje „{published}“"),
        PlaceRule::OtherField => format!("„{published}“ v jiném poli inzerátu"),
        PlaceRule::UsualForm => format!("obvyklá podoba jména „{published}“"),
        PlaceRule::OfMunicipality => {
            format!("podle obce záznamu; uvedeno bylo „{published}“, které leží jinde")
        }
        PlaceRule::LeftOut => {
            format!("vynecháno: „{published}“ patří k jinému místu než zbytek záznamu")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dedup::scoring::Veto;
    use dedup::{blocking, merging, weights};

    use super::*;

    fn known(table: &[(&'static str, &str)]) -> BTreeSet<&'static str> {
        let known: BTreeSet<&str> = table.iter().map(|(english, _)| *english).collect();
        assert_eq!(known.len(), table.len(), "each once");
        known
    }

    #[test]
    fn every_comparison_of_the_engine_has_czech_words() {
        let comparisons = weights::LEVELS.iter().map(|(comparison, _)| *comparison);
        let of_engine: BTreeSet<&str> = comparisons.chain(["prior"]).collect();
        assert_eq!(known(COMPARISONS), of_engine);
    }

    #[test]
    fn every_rule_of_the_engine_has_czech_words() {
        assert_eq!(known(BLOCKING), blocking::rule_names().collect());
        let of_engine: BTreeSet<&str> = merging::RULES.iter().map(|(_, rule)| *rule).collect();
        assert_eq!(known(MERGE_RULES), of_engine);
    }

    #[test]
    fn every_veto_has_czech_words() {
        use Veto::{HouseNumber, OfferType, Parcel, Share, Unit};
        let all = [OfferType, Share, Unit, Parcel, HouseNumber];
        // The compiler notices a veto that is missing in the list.
        let place = |veto| match veto {
            OfferType => 0,
            Share => 1,
            Unit => 2,
            Parcel => 3,
            HouseNumber => 4,
        };
        for (number, one) in all.into_iter().enumerate() {
            assert_eq!(place(one), number);
            assert_ne!(veto(&one.to_string(), Language::Czech), one.to_string());
        }
        assert_eq!(known(VETOES).len(), all.len());
    }
}
