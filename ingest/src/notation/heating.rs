//! Heating: `ústřední - plynové`, `lokální - tuhá paliva, lokální - elektrické`, `tepelné čerpadlo, krb`.

use super::text::fold;

/// What a heating value says, in the spec's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Heating {
    /// `gas`, `electric`, `solid-fuel`, `heat-pump`, `combined`, `other`.
    pub source: Option<&'static str>,
    /// `communal`, `local`; `None` where a list names both.
    pub kind: Option<&'static str>,
}

/// The heating that a comma-separated list names, `None` where it holds a word that is not understood. Two different
/// sources are `combined`; "jiné" beside a named source adds nothing.
///
/// ```
/// use ingest::notation::heating::heating;
/// let heating = heating("ústřední - plynové").unwrap();
/// assert_eq!((heating.source, heating.kind), (Some("gas"), Some("communal")));
/// ```
pub fn heating(text: &str) -> Option<Heating> {
    let items: Vec<String> = text
        .split(',')
        .map(fold)
        .filter(|item| !item.is_empty())
        .collect();
    let mut sources: Vec<&str> = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    for item in &items {
        let source = source(item);
        let kind = kind(item);
        if source.is_none() && kind.is_none() && !is_body(item) {
            return None;
        }
        sources.extend(source);
        kinds.extend(kind);
    }
    kinds.sort_unstable();
    kinds.dedup();
    let kind = match kinds.as_slice() {
        [kind] => Some(if *kind == "communal" {
            "communal"
        } else {
            "local"
        }),
        _ => None,
    };
    (!items.is_empty()).then(|| Heating {
        source: combined(&sources),
        kind,
    })
}

fn combined(sources: &[&'static str]) -> Option<&'static str> {
    let mut known: Vec<&'static str> = sources
        .iter()
        .copied()
        .filter(|source| *source != "other")
        .collect();
    known.sort_unstable();
    known.dedup();
    match known.as_slice() {
        [] => sources.first().copied(),
        [one] => Some(one),
        _ => Some("combined"),
    }
}

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

/// What gives off the heat, and that there is none, says nothing about where it comes from; nor do panels on the roof.
fn is_body(item: &str) -> bool {
    ["radiator", "podlah", "klimatiz", "zadn", "neni", "fotovolt"]
        .iter()
        .any(|stem| item.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_and_type_are_read_apart() {
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
            assert_eq!(heating(text), Some(Heating { source, kind }), "{text}");
        }
    }

    #[test]
    fn an_unknown_word_makes_the_value_unread() {
        assert_eq!(heating("dračí dech"), None);
        assert_eq!(heating("ústřední - plynové, dračí dech"), None);
        assert_eq!(heating(""), None);
    }
}
