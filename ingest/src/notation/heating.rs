//! Heating: where the heat comes from, and whether the house or the unit is heated on its own.
//!
//! Portals say it in two ways, and each way has its own rule for several sources:
//!
//! - as text: `lokální - tuhá paliva, lokální - elektrické`, read by [`heating_of_text`];
//! - as codes, each of which means one [`Heating`]: combined by [`source_of_all`] and [`kind_of_all`].

use czech::fold;

/// What is known about a way of heating, in the API's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Heating {
    /// `gas`, `electric`, `solid-fuel`, `heat-pump`, `combined`, `other`.
    pub source: Option<&'static str>,
    /// `communal`, `local`.
    pub kind: Option<&'static str>,
}

impl Heating {
    /// A way of heating, for tables of codes.
    pub const fn new(source: Option<&'static str>, kind: Option<&'static str>) -> Self {
        Self { source, kind }
    }
}

/// The source of several coded ways of heating: `combined` if they differ. Every code counts, also `other`, because
/// the advertiser chose it from a list.
pub fn source_of_all(ways: &[Heating]) -> Option<&'static str> {
    let mut sources = ways.iter().filter_map(|way| way.source);
    let first = sources.next()?;
    Some(if sources.all(|source| source == first) {
        first
    } else {
        "combined"
    })
}

/// The kind of several coded ways of heating: `None` unless every way with a source has the same kind.
pub fn kind_of_all(ways: &[Heating]) -> Option<&'static str> {
    let mut kinds = ways
        .iter()
        .filter(|way| way.source.is_some())
        .map(|way| way.kind);
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

/// The heating that a list separated by commas names; `None` if the list holds a word that is not understood. Two
/// different sources are `combined`. `jiné` beside a known source is ignored, because in a text it only completes the
/// list. The kind is `None` if the list names both.
///
/// ```
/// use ingest::notation::heating::heating_of_text;
/// let heating = heating_of_text("ústřední - plynové").unwrap();
/// assert_eq!((heating.source, heating.kind), (Some("gas"), Some("communal")));
/// ```
pub fn heating_of_text(text: &str) -> Option<Heating> {
    let items: Vec<String> = text
        .split(',')
        .map(fold)
        .filter(|item| !item.is_empty())
        .collect();
    let mut sources: Vec<&'static str> = Vec::new();
    let mut kinds: Vec<&'static str> = Vec::new();
    for item in &items {
        let (source, kind) = (source(item), kind(item));
        if source.is_none() && kind.is_none() && !says_no_source(item) {
            return None;
        }
        sources.extend(source);
        kinds.extend(kind);
    }
    (!items.is_empty()).then(|| Heating {
        source: combined(&sources),
        kind: kinds
            .first()
            .copied()
            .filter(|first| kinds.iter().all(|kind| kind == first)),
    })
}

/// The source if there is only one, or `combined` for several. `other` counts only if there is nothing else.
fn combined(sources: &[&'static str]) -> Option<&'static str> {
    let mut known = sources.iter().copied().filter(|source| *source != "other");
    let Some(first) = known.next() else {
        return sources.first().copied();
    };
    Some(if known.all(|source| source == first) {
        first
    } else {
        "combined"
    })
}

/// The source that a folded item names, by the first stem that it contains. So `kamna akumulacni` comes before
/// `kamna`.
fn source(item: &str) -> Option<&'static str> {
    const SOURCES: [(&str, &str); 23] = [
        ("tepelne cerpadlo", "heat-pump"),
        ("tuha paliva", "solid-fuel"),
        ("na tuha", "solid-fuel"),
        ("pevna paliva", "solid-fuel"),
        ("kamna akumulacni", "electric"),
        ("akumulacni", "electric"),
        ("kamna", "solid-fuel"),
        ("krb", "solid-fuel"),
        ("pelet", "solid-fuel"),
        ("uhli", "solid-fuel"),
        ("drev", "solid-fuel"),
        ("plyn", "gas"),
        // A brand of gas heaters.
        ("waw", "gas"),
        ("elektr", "electric"),
        ("el.", "electric"),
        ("primotop", "electric"),
        ("infrapanel", "electric"),
        ("kombinovan", "combined"),
        ("dalkov", "other"),
        ("parni", "other"),
        ("vymenik", "other"),
        ("jin", "other"),
        ("solar", "other"),
    ];
    SOURCES
        .iter()
        .find(|(stem, _)| item.contains(stem))
        .map(|(_, source)| *source)
}

/// The kind that a folded item names.
fn kind(item: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 11] = [
        ("ustredni", "communal"),
        ("centralni", "communal"),
        ("dalkov", "communal"),
        ("vymenik", "communal"),
        ("lokalni", "local"),
        ("waw", "local"),
        ("primotop", "local"),
        ("infrapanel", "local"),
        ("kamna", "local"),
        ("krb", "local"),
        ("etazov", "local"),
    ];
    KINDS
        .iter()
        .find(|(stem, _)| item.contains(stem))
        .map(|(_, kind)| *kind)
}

/// Whether an item is known to say nothing about the source: it names what gives off the heat, says that there is no
/// heating, or names solar panels for electricity.
fn says_no_source(item: &str) -> bool {
    ["radiator", "podlah", "klimatiz", "zadn", "neni", "fotovolt"]
        .iter()
        .any(|stem| item.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_and_kind_are_read_separately() {
        for (text, source, kind) in [
            ("ústřední - plynové", Some("gas"), Some("communal")),
            ("ústřední - dálkové", Some("other"), Some("communal")),
            ("lokální - tuhá paliva", Some("solid-fuel"), Some("local")),
            ("jiné", Some("other"), None),
            ("ústřední - dálkové, jiné", Some("other"), Some("communal")),
            (
                "lokální - elektrické, ústřední - elektrické",
                Some("electric"),
                None,
            ),
            (
                "lokální - tuhá paliva, ústřední - plynové",
                Some("combined"),
                None,
            ),
            (
                "lokální - tuhá paliva, lokální - elektrické, jiné",
                Some("combined"),
                Some("local"),
            ),
            ("plynový kondenzační kotel", Some("gas"), None),
            ("kotel na tuhá paliva", Some("solid-fuel"), None),
            ("přímotop", Some("electric"), Some("local")),
            ("akumulační kamna", Some("electric"), Some("local")),
            (
                "tepelné čerpadlo, krb, ústřední dálkové",
                Some("combined"),
                None,
            ),
            ("centrální dálkové", Some("other"), Some("communal")),
            ("radiátory", None, None),
            ("El.kotel, Klimatizace, Radiátory", Some("electric"), None),
            ("Kotel kombinovaný", Some("combined"), None),
            ("Fotovoltaické panely, Podlahové vytápění", None, None),
            (
                "Ústřední topení, Pevná paliva",
                Some("solid-fuel"),
                Some("communal"),
            ),
            ("Není", None, None),
        ] {
            assert_eq!(
                heating_of_text(text),
                Some(Heating { source, kind }),
                "{text}"
            );
        }
    }

    #[test]
    fn a_list_with_an_unknown_word_is_not_understood() {
        assert_eq!(heating_of_text("dračí dech"), None);
        assert_eq!(heating_of_text("ústřední - plynové, dračí dech"), None);
        assert_eq!(heating_of_text(""), None);
    }

    #[test]
    fn several_codes_are_combined_and_their_kind_must_agree() {
        const GAS: Heating = Heating::new(Some("gas"), Some("local"));
        const ELECTRIC: Heating = Heating::new(Some("electric"), None);
        const FLOOR: Heating = Heating::new(None, None);
        assert_eq!(source_of_all(&[]), None);
        assert_eq!(source_of_all(&[GAS, FLOOR]), Some("gas"));
        assert_eq!(kind_of_all(&[GAS, FLOOR]), Some("local"));
        assert_eq!(source_of_all(&[GAS, ELECTRIC]), Some("combined"));
        assert_eq!(kind_of_all(&[GAS, ELECTRIC]), None);
    }
}
