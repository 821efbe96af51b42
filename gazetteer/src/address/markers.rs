//! Words of an address line that are not names, but say what the names beside them are.

use czech::tokens::address_line::{Token, TokenKind};

/// What a marker says about the words behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    /// `ul.`, `ulice`, `na ulici`.
    Street,
    /// `část obce`, `městská část`, `obvod`.
    Quarter,
    /// `k.ú.`: a cadastral area.
    Cadastral,
    /// `okres`.
    District,
    /// `prodej`, `byt` and the like: the line is a title, and this word is not a name.
    Offered,
    /// `v`, `ve`, `na` in a title: a place in the locative follows.
    In,
    /// It says nothing about the place (`PSČ`, a parcel number, the number of a flat).
    Skip,
}

/// The marker at the start of `rest`, and how many tokens it takes. `title`: whether the segment is a title.
pub(crate) fn marker_at(rest: &[Token], title: bool) -> Option<(Marker, usize)> {
    let word = |i: usize| rest.get(i).map_or("", |token| token.folded.as_str());
    let dotted = |i: usize| rest.get(i).is_some_and(|token| token.dotted);
    Some(match (word(0), word(1)) {
        ("na" | "v" | "ve", "ulici") => (Marker::Street, 2),
        ("ul" | "ulice" | "ulici", _) => (Marker::Street, 1),
        ("okres" | "okr" | "okrese" | "okresu", _) => (Marker::District, 1),
        ("cast" | "casti", "obce" | "mesta") | ("mestska" | "mestske", "cast" | "casti") => {
            (Marker::Quarter, 2)
        }
        ("mestsky", "obvod") => (Marker::Quarter, 2),
        ("obvod" | "mc", _) => (Marker::Quarter, 1),
        ("k", "u") if dotted(0) => (Marker::Cadastral, 2),
        ("katastralni" | "kat", "uzemi") => (Marker::Cadastral, 2),
        ("ku", _) if dotted(0) => (Marker::Cadastral, 1),
        ("obec" | "psc" | "cz", next) if !next.is_empty() => (Marker::Skip, 1),
        _ => return parcel(rest).or_else(|| offered(word(0), title)),
    })
}

/// A parcel, title deed or flat with its number, which is not a house number.
fn parcel(rest: &[Token]) -> Option<(Marker, usize)> {
    let word = |i: usize| rest.get(i).map_or("", |token| token.folded.as_str());
    let length = match (word(0), word(1), word(2)) {
        (
            "p" | "parc" | "parcela" | "parcely" | "parcelni" | "pozemek" | "pozemku",
            "c" | "cislo",
            "st",
        )
        | ("st", "p" | "parc", "c" | "cislo") => 3,
        (
            "p" | "parc" | "parcela" | "parcely" | "parcelni" | "pozemek" | "pozemku" | "byt"
            | "bytu" | "jednotka" | "jednotky",
            "c" | "cislo",
            _,
        )
        | ("st", "p" | "parc", _) => 2,
        ("lv" | "parcela" | "jednotka" | "pc", _, _) => 1,
        _ => return None,
    };
    let numbers = rest
        .iter()
        .skip(length)
        .take_while(|token| token.kind == TokenKind::Number)
        .take(1)
        .count();
    (numbers > 0).then_some((Marker::Skip, length + numbers))
}

/// The marker that a word of a title is.
fn offered(word: &str, title: bool) -> Option<(Marker, usize)> {
    let marker = match word {
        "prodej" | "prodam" | "prodame" | "pronajem" | "pronajmu" | "pronajmeme" | "podnajem"
        | "drazba" | "nabizime" | "nabizim" | "nabidka" | "byt" | "bytu" | "dum" | "domu"
        | "domek" | "domku" | "chata" | "chaty" | "chalupa" | "chalupy" | "pozemek" | "pozemku"
        | "garaz" | "garaze" | "garsonka" | "garsonky" => Marker::Offered,
        "v" | "ve" | "na" if title => Marker::In,
        "m2" | "m" | "kc" | "kk" | "czk" | "rodinneho" | "rodinny" | "stavebniho" | "stavebni"
        | "noveho" | "o" | "velikosti" | "plose" | "plochou" | "s" | "lokalite" | "obci"
        | "meste"
            if title =>
        {
            Marker::Skip
        }
        _ => return None,
    };
    Some((marker, 1))
}

/// Whether a word of a title may also be the last word of a street's name, as a genitive: `U Lidového domu`.
pub(super) fn ends_name(word: &str) -> bool {
    matches!(
        word,
        "domu" | "domku" | "bytu" | "chaty" | "chalupy" | "pozemku" | "garaze" | "garazi"
    )
}

/// How many tokens an area, a price or a layout takes (`54 m²`, `2+kk`); `None` if the number is something else.
pub(crate) fn measure(token: &Token, following: Option<&Token>) -> Option<usize> {
    let unit = following.map_or("", |next| next.folded.as_str());
    if matches!(unit, "m2" | "kc" | "czk" | "ha" | "km" | "tis" | "mil") {
        return Some(2);
    }
    token.raw.contains('+').then_some(1)
}

/// Whether a number before this word is an ordinal even without a full stop: `17 listopadu`.
pub(super) fn follows_ordinal(word: &str) -> bool {
    matches!(
        word,
        "ledna"
            | "unora"
            | "brezna"
            | "dubna"
            | "kvetna"
            | "maje"
            | "cervna"
            | "cervence"
            | "srpna"
            | "zari"
            | "rijna"
            | "listopadu"
            | "prosince"
            | "pluku"
            | "divize"
            | "brigady"
            | "armady"
            | "letky"
            | "praporu"
    )
}

/// Whether a word distinguishes the districts around one city: `Brno-venkov`, `Praha-východ`.
pub(super) fn parts_a_district(word: &str) -> bool {
    matches!(
        word,
        "mesto" | "venkov" | "vychod" | "zapad" | "jih" | "sever"
    )
}

/// Whether a text is a placeholder for a missing value.
pub(super) fn is_filler(key: &str) -> bool {
    matches!(
        key,
        "neuvedeno" | "neuvedena" | "nezadano" | "none" | "null" | "nan" | "undefined" | "nezname"
    ) || key.contains("neclenen")
}
