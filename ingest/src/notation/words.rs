//! Words of the attribute lists: condition, construction, ownership, furnishing, position, sewerage.
//!
//! Portals use the same few words with different endings (`cihlová`, `cihlový`, `cihla`), so each reader looks for stems
//! in the folded value. It returns `None` for an unknown word, and [`Meaning::Unexpressed`] for a word that the API has
//! no value for.

use czech::fold;
use schema::{BuildingType, Equipment, Ownership, PropertyState};

use super::Meaning::{self, Unexpressed, Value};

/// Condition (stav): `velmi dobrý stav`, `novostavba`, `po rekonstrukci`.
pub fn condition(text: &str) -> Option<Meaning<PropertyState>> {
    use PropertyState as State;
    let word = fold(text);
    by_stem(
        &word,
        &[
            ("velmi dobr", Value(State::VeryGood)),
            ("bezvadn", Value(State::VeryGood)),
            ("udrzovan", Value(State::Good)),
            ("dobr", Value(State::Good)),
            ("spatn", Value(State::Bad)),
            ("developersk", Value(State::DevelopmentProject)),
            ("ve vystavbe", Value(State::InConstruction)),
            ("rozestav", Value(State::InConstruction)),
            ("v rekonstrukci", Value(State::InConstruction)),
            ("projekt", Value(State::InPlanning)),
            ("novostavb", Value(State::NewlyConstructed)),
            ("k demolici", Value(State::ForDemolition)),
            ("demolic", Value(State::ForDemolition)),
            ("pred rekonstrukc", Value(State::BeforeRenovation)),
            ("k rekonstrukc", Value(State::BeforeRenovation)),
            ("puvodni", Value(State::BeforeRenovation)),
            // Partly renovated is renovated.
            ("rekonstrukc", Value(State::AfterRenovation)),
            ("rekonstruovan", Value(State::AfterRenovation)),
        ],
    )
    .or_else(|| unsaid(&word))
}

/// Construction (konstrukce, stavba): `cihlová`, `panelová`, `dřevostavba`.
pub fn construction(text: &str) -> Option<Meaning<BuildingType>> {
    use BuildingType as Type;
    let word = fold(text);
    by_stem(
        &word,
        &[
            ("cihl", Value(Type::Brick)),
            ("zden", Value(Type::Brick)),
            ("panel", Value(Type::Panel)),
            ("drev", Value(Type::Wood)),
            ("srub", Value(Type::Wood)),
            ("roubenk", Value(Type::Wood)),
            ("kamen", Value(Type::Stone)),
            ("montovan", Value(Type::Assemble)),
            ("modular", Value(Type::Assemble)),
            ("skelet", Value(Type::Skeleton)),
            ("smisen", Value(Type::Mix)),
            ("nizkoenerg", Value(Type::Eco)),
            ("pasivni", Value(Type::Eco)),
            ("ocel", Unexpressed),
            ("ostatn", Unexpressed),
            ("jin", Unexpressed),
        ],
    )
    .or_else(|| unsaid(&word))
}

/// Ownership (vlastnictví): `osobní`, `družstevní`, `s.r.o.`.
pub fn ownership(text: &str) -> Option<Meaning<Ownership>> {
    let word = fold(text);
    // "státní, obecní, jiné" names three owners; "státní/obecní" is the land register's term for public owners.
    if word.contains("statni") && word.contains("jin") {
        return Some(Value(Ownership::Other));
    }
    by_stem(
        &word,
        &[
            ("osobn", Value(Ownership::Private)),
            ("soukrom", Value(Ownership::Private)),
            ("druzst", Value(Ownership::Communal)),
            ("statni", Value(Ownership::State)),
            ("obecn", Value(Ownership::Local)),
            ("mestsk", Value(Ownership::Local)),
            ("jin", Value(Ownership::Other)),
            ("s.r.o", Value(Ownership::Other)),
            ("s. r. o", Value(Ownership::Other)),
            ("podilov", Value(Ownership::Other)),
        ],
    )
    .or_else(|| unsaid(&word))
}

/// Furnishing (vybavení). `nezařízený` is tried before `zařízený`, because it contains it.
pub fn equipment(text: &str) -> Option<Meaning<Equipment>> {
    let word = fold(text);
    by_stem(
        &word,
        &[
            ("castecn", Value(Equipment::Partial)),
            ("nezariz", Value(Equipment::None)),
            ("nevybav", Value(Equipment::None)),
            ("bez vybav", Value(Equipment::None)),
            ("zariz", Value(Equipment::Full)),
            ("vybav", Value(Equipment::Full)),
        ],
    )
    .or(match word.as_str() {
        "ano" => Some(Value(Equipment::Full)),
        "ne" => Some(Value(Equipment::None)),
        _ => None,
    })
    .or_else(|| unsaid(&word))
}

/// Position of a house (poloha domu). A corner house is semi-detached, the nearest value that the API has.
pub fn position(text: &str) -> Option<Meaning<&'static str>> {
    let word = fold(text);
    by_stem(
        &word,
        &[
            ("samostat", Value("free_standing")),
            ("radov", Value("terraced")),
            ("v bloku", Value("terraced")),
            ("rohov", Value("semi_detached")),
            ("dvojd", Value("semi_detached")),
            ("jin", Unexpressed),
        ],
    )
    .or_else(|| unsaid(&word))
}

/// Sewerage (odpad, kanalizace). A public sewer takes precedence over a septic tank. The API has no value for a private
/// sewage plant or for no sewerage.
pub fn sewerage(text: &str) -> Option<Meaning<&'static str>> {
    let word = fold(text);
    by_stem(
        &word,
        &[
            ("verejn", Value("communal")),
            ("kanalizac", Value("communal")),
            ("septik", Value("septic-tank")),
            ("jimk", Value("septic-tank")),
            ("zump", Value("septic-tank")),
            ("cistick", Unexpressed),
            ("cov", Unexpressed),
            ("trativod", Unexpressed),
            ("zadn", Unexpressed),
            ("neni", Unexpressed),
            ("jin", Unexpressed),
        ],
    )
    .or_else(|| unsaid(&word))
}

/// The meaning of the first stem that the word contains.
fn by_stem<T: Copy>(word: &str, stems: &[(&str, Meaning<T>)]) -> Option<Meaning<T>> {
    stems
        .iter()
        .find(|(stem, _)| word.contains(stem))
        .map(|(_, meaning)| *meaning)
}

/// The placeholders of portals for a missing value.
fn unsaid<T>(word: &str) -> Option<Meaning<T>> {
    let unsaid = word.is_empty()
        || ["neuveden", "nezadan", "- vyber", "neznam"]
            .iter()
            .any(|stem| word.contains(stem));
    (unsaid || word == "-").then_some(Unexpressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_conditions_are_tried_before_shorter_ones() {
        use PropertyState as State;
        for (text, expected) in [
            ("velmi dobrý stav", State::VeryGood),
            ("Bezvadný", State::VeryGood),
            ("dobrý stav", State::Good),
            ("špatný stav", State::Bad),
            ("ve výstavbě", State::InConstruction),
            ("Rozestavěný", State::InConstruction),
            ("v rekonstrukci", State::InConstruction),
            ("projekt", State::InPlanning),
            ("developerský projekt", State::DevelopmentProject),
            ("novostavba", State::NewlyConstructed),
            ("k demolici", State::ForDemolition),
            ("před rekonstrukcí", State::BeforeRenovation),
            ("K rekonstrukci", State::BeforeRenovation),
            ("v původním stavu", State::BeforeRenovation),
            ("po rekonstrukci", State::AfterRenovation),
            ("po částečné rekonstrukci", State::AfterRenovation),
        ] {
            assert_eq!(condition(text), Some(Value(expected)), "{text}");
        }
    }

    #[test]
    fn constructions_are_recognised_by_their_stems() {
        use BuildingType as Type;
        for (text, expected) in [
            ("cihlová", Type::Brick),
            ("Zděná", Type::Brick),
            ("panelová", Type::Panel),
            ("dřevostavba", Type::Wood),
            ("kamenná", Type::Stone),
            ("montovaná", Type::Assemble),
            ("Modulární", Type::Assemble),
            ("skeletová", Type::Skeleton),
            ("smíšená", Type::Mix),
            ("nízkoenergetická", Type::Eco),
        ] {
            assert_eq!(construction(text), Some(Value(expected)), "{text}");
        }
        assert_eq!(construction("Jiná"), Some(Unexpressed));
        assert_eq!(construction("Ocelová"), Some(Unexpressed));
        assert_eq!(construction("neuvedeno"), Some(Unexpressed));
        assert_eq!(construction("z perníku"), None);
    }

    #[test]
    fn state_ownership_takes_precedence_over_municipal() {
        assert_eq!(ownership("osobní"), Some(Value(Ownership::Private)));
        assert_eq!(ownership("Družstevní"), Some(Value(Ownership::Communal)));
        assert_eq!(ownership("obecní"), Some(Value(Ownership::Local)));
        assert_eq!(ownership("Státní/obecní"), Some(Value(Ownership::State)));
        assert_eq!(
            ownership("státní, obecní, jiné"),
            Some(Value(Ownership::Other))
        );
        assert_eq!(ownership("s.r.o."), Some(Value(Ownership::Other)));
    }

    #[test]
    fn unfurnished_is_not_mistaken_for_furnished() {
        assert_eq!(equipment("nezařízený"), Some(Value(Equipment::None)));
        assert_eq!(equipment("zařízený"), Some(Value(Equipment::Full)));
        assert_eq!(
            equipment("částečně zařízený"),
            Some(Value(Equipment::Partial))
        );
        assert_eq!(equipment("Nevybaveno"), Some(Value(Equipment::None)));
        assert_eq!(equipment("Ano"), Some(Value(Equipment::Full)));
        assert_eq!(equipment("ne"), Some(Value(Equipment::None)));
        assert_eq!(equipment("kuchyň"), None);
    }

    #[test]
    fn positions_and_sewers_follow_the_spec() {
        assert_eq!(position("samostatný"), Some(Value("free_standing")));
        assert_eq!(position("v bloku"), Some(Value("terraced")));
        assert_eq!(position("rohový"), Some(Value("semi_detached")));
        assert_eq!(
            sewerage("septik / jímka, veřejná kanalizace"),
            Some(Value("communal"))
        );
        assert_eq!(sewerage("septik / jímka"), Some(Value("septic-tank")));
        assert_eq!(sewerage("Kanalizace, Septik"), Some(Value("communal")));
        assert_eq!(sewerage("ČOV pro celý objekt"), Some(Unexpressed));
        assert_eq!(sewerage("vlastní čistička"), Some(Unexpressed));
        assert_eq!(sewerage("žádný"), Some(Unexpressed));
        assert_eq!(sewerage("komín"), None);
    }
}
