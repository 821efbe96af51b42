//! What a text says that few other adverts say: unit, parcel and order numbers, phones, exact sizes.

use schema::Arrangement;

use super::words::Piece;
use super::{Hash, hash};

/// Distinguishing marks of an advert; every list sorted, without repeats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Designations of the unit itself, by kind: flat, room, parking place, office, house of a project.
    pub units: Box<[(UnitKind, Hash)]>,
    /// Parcel numbers.
    pub parcels: Box<[Hash]>,
    /// The agency's order numbers, with their shape: one agency's numbers are of one shape.
    pub orders: Box<[OrderCode]>,
    /// Phone numbers, hashed: which agent speaks, not who that is.
    pub phones: Box<[Hash]>,
    /// Areas in the text and of single features, in tenths of m².
    pub areas: Box<[u32]>,
    /// Amounts of money in the text, CZK.
    pub amounts: Box<[u64]>,
    /// Names in the text, of streets and quarters among others, without their endings.
    pub names: Box<[Hash]>,
    /// Room layout, where the text states just one.
    pub arrangement: Option<Arrangement>,
    /// Floor that the text states, ground = 0.
    pub floor: Option<i16>,
}

/// An agency's order number. Unique within one agency only: a short one says little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrderCode {
    /// The number without the differences of portals.
    pub code: Hash,
    /// Letters as they are, digits as `0`: `ZKR3413` and `ZKR3416` are of one shape.
    pub shape: Hash,
    /// Letters and digits.
    pub length: u8,
    /// Whether letters are part of it: then its shape tells agencies apart.
    pub lettered: bool,
}

/// What a designation counts: a flat's number says nothing against the number of its house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    /// Flat or unit of a building (byt, jednotka).
    Flat,
    /// Room of a shared flat (pokoj).
    Room,
    /// Garage or parking place (garáž, stání).
    Parking,
    /// Office or other commercial space (kancelář, prostor).
    Space,
    /// House of a project (dům).
    House,
}

/// What a unit's designation follows: `byt č. 12`, `pokoj č. 2`, `stání P27`, `dům SO 04`.
const UNIT_NOUNS: [(&str, UnitKind); 17] = [
    ("byt", UnitKind::Flat),
    ("bytu", UnitKind::Flat),
    ("bytova", UnitKind::Flat),
    ("jednotka", UnitKind::Flat),
    ("jednotky", UnitKind::Flat),
    ("jednotku", UnitKind::Flat),
    ("pokoj", UnitKind::Room),
    ("pokoje", UnitKind::Room),
    ("stani", UnitKind::Parking),
    ("garaz", UnitKind::Parking),
    ("garaze", UnitKind::Parking),
    ("box", UnitKind::Parking),
    ("kancelar", UnitKind::Space),
    ("kancelare", UnitKind::Space),
    ("prostor", UnitKind::Space),
    ("dum", UnitKind::House),
    ("domu", UnitKind::House),
];

const PARCEL_WORDS: [&str; 8] =
    ["parc", "parcela", "parcely", "parcele", "parcelu", "parcelni", "pozemek", "pozemku"];

const ORDER_WORDS: [&str; 8] = ["id", "zakazka", "zakazky", "zak", "evidencni", "ev", "kod", "nabidky"];

const FLOOR_ORDINALS: [(&str, i16); 20] = [
    ("prvnim", 1),
    ("druhem", 2),
    ("tretim", 3),
    ("ctvrtem", 4),
    ("patem", 5),
    ("sestem", 6),
    ("sedmem", 7),
    ("osmem", 8),
    ("devatem", 9),
    ("desatem", 10),
    ("jedenactem", 11),
    ("dvanactem", 12),
    ("prvni", 1),
    ("druhe", 2),
    ("treti", 3),
    ("ctvrte", 4),
    ("pate", 5),
    ("seste", 6),
    ("sedme", 7),
    ("osme", 8),
];

/// Collects marks while walking over a text's pieces.
#[derive(Debug, Default)]
struct Collector {
    units: Vec<(UnitKind, Hash)>,
    parcels: Vec<Hash>,
    orders: Vec<OrderCode>,
    phones: Vec<Hash>,
    areas: Vec<u32>,
    amounts: Vec<u64>,
    names: Vec<Hash>,
    layouts: Vec<Arrangement>,
    floor: Option<i16>,
}

impl Marks {
    /// The marks in a text, with the order code and feature areas that the portal gives apart.
    pub fn read(pieces: &[Piece], order_code: Option<&str>, areas: impl Iterator<Item = f64>) -> Self {
        let mut found = Collector::default();
        for at in 0..pieces.len() {
            found.visit(pieces, at);
        }
        if let Some(code) = order_code {
            found.orders.extend(OrderCode::read(code));
        }
        found.areas.extend(areas.map(|area| (area * 10.0).round() as u32));
        Self {
            units: sorted(found.units),
            parcels: sorted(found.parcels),
            orders: sorted(found.orders),
            phones: sorted(found.phones),
            areas: sorted(found.areas),
            amounts: sorted(found.amounts),
            names: sorted(found.names),
            arrangement: match *sorted(found.layouts) {
                [only] => Some(only),
                _ => None,
            },
            floor: found.floor,
        }
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
    list.sort_unstable();
    list.dedup();
    list.into_boxed_slice()
}

impl OrderCode {
    /// Reads an order number without the differences of portals: `IDNES-N116466`, `ID: n116466` and `N116466` are one.
    pub fn read(code: &str) -> Option<Self> {
        let plain: String = code
            .trim_start_matches("IDNES-")
            .chars()
            .map(super::words::fold_char)
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let shape: String =
            plain.chars().map(|sign| if sign.is_ascii_digit() { '0' } else { sign }).collect();
        (!plain.is_empty()).then(|| Self {
            code: hash(&["order", &plain]),
            shape: hash(&["shape", &shape]),
            length: u8::try_from(plain.len()).unwrap_or(u8::MAX),
            lettered: shape.bytes().any(|sign| sign != b'0'),
        })
    }
}

impl Collector {
    fn visit(&mut self, pieces: &[Piece], at: usize) {
        match &pieces[at] {
            Piece::Number { thousandths, digits } => self.number(*thousandths, digits, pieces, at),
            Piece::Word { text, capital } => {
                self.word(text, pieces, at);
                if *capital && at > 0 && pieces[at - 1] != Piece::Stop {
                    self.names.push(name_hash(text));
                }
            }
            Piece::Code(code) => self.code(code, pieces, at),
            Piece::Stop => {}
        }
    }

    fn number(&mut self, thousandths: u64, digits: &str, pieces: &[Piece], at: usize) {
        let unit = word_at(pieces, at + 1);
        if is_square_metres(pieces, at + 1) {
            if thousandths < 1_000_000_000 {
                self.areas.push(u32::try_from(thousandths / 100).unwrap_or(u32::MAX));
            }
        } else if matches!(unit, Some("kc" | "czk" | "korun")) {
            self.amounts.push(thousandths / 1000);
        } else if digits.len() == 9 || (digits.len() == 12 && digits.starts_with("420")) {
            let tail: String = digits.chars().skip(digits.len() - 9).collect();
            self.phones.push(hash(&["phone", &tail]));
        } else if self.floor.is_none() && thousandths <= 60_000 && thousandths.is_multiple_of(1000) {
            self.floor = floor_of((thousandths / 1000) as i16, pieces, at + 1);
        }
    }

    fn word(&mut self, word: &str, pieces: &[Piece], at: usize) {
        if let Some((_, kind)) = UNIT_NOUNS.iter().find(|(noun, _)| *noun == word)
            && let Some(code) = designation(pieces, at + 1)
        {
            self.units.push((*kind, hash(&["unit", &code])));
        }
        if PARCEL_WORDS.contains(&word) || (word == "p" && word_after_stop(pieces, at) == Some("c")) {
            self.parcel(pieces, at + 1);
        }
        if ORDER_WORDS.contains(&word)
            && let Some(code) = order_code(pieces, at + 1)
        {
            self.orders.extend(OrderCode::read(&code));
        }
        if self.floor.is_none() {
            self.floor = floor_word(word, pieces, at);
        }
    }

    fn parcel(&mut self, pieces: &[Piece], from: usize) {
        let mut at = skip_number_sign(pieces, from);
        if at == from && !matches!(pieces.get(from), Some(Piece::Code(code)) if code.contains('/')) {
            return;
        }
        loop {
            match pieces.get(at) {
                Some(Piece::Code(code)) if code.contains('/') => self.parcels.push(hash(&["parcel", code])),
                Some(Piece::Number { digits, .. }) if !is_square_metres(pieces, at + 1) => {
                    self.parcels.push(hash(&["parcel", digits]));
                }
                Some(Piece::Word { text, .. }) if text == "a" => {}
                _ => return,
            }
            at += 1;
        }
    }

    fn code(&mut self, code: &str, pieces: &[Piece], at: usize) {
        if let Ok(layout) = code.parse() {
            self.layouts.push(layout);
        } else if self.floor.is_none()
            && let Some(Ok(below)) = code.strip_prefix('-').map(str::parse::<i16>)
            && (1..10).contains(&below)
            && floor_of(below, pieces, at + 1).is_some()
        {
            self.floor = Some(-below);
        }
    }
}

/// The hash of a name without its ending, for Czech declines names: `Foerstrova`, `Foerstrově`.
pub fn name_hash(folded: &str) -> Hash {
    let letters = folded.chars().count();
    let stem: String = folded.chars().take(letters.saturating_sub(2).max(4)).collect();
    hash(&["name", &stem])
}

fn word_at(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at) {
        Some(Piece::Word { text, .. }) => Some(text),
        _ => None,
    }
}

/// The word at `at + 1`, over a full stop: the `c` of `p. č.`.
fn word_after_stop(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at + 1) {
        Some(Piece::Stop) => word_at(pieces, at + 2),
        _ => word_at(pieces, at + 1),
    }
}

pub(super) fn is_square_metres(pieces: &[Piece], at: usize) -> bool {
    match pieces.get(at) {
        Some(Piece::Code(code)) => code == "m2",
        Some(Piece::Word { text: word, .. }) => {
            word == "metru"
                || word == "ctverecnich"
                || (word == "m"
                    && matches!(pieces.get(at + 1), Some(Piece::Number { digits, .. }) if digits == "2"))
        }
        _ => false,
    }
}

/// Where the number begins after `č.`, `č`, `číslo`; `from` itself where there is no such sign.
fn skip_number_sign(pieces: &[Piece], from: usize) -> usize {
    let mut at = from;
    if pieces.get(at) == Some(&Piece::Stop) {
        at += 1;
    }
    if matches!(word_at(pieces, at), Some("c" | "cislo" | "cisla" | "cis")) {
        at += 1;
        if pieces.get(at) == Some(&Piece::Stop) {
            at += 1;
        }
        at
    } else {
        from
    }
}

/// The designation of a unit: after a number sign anything with a digit, else only what cannot be a layout or size.
fn designation(pieces: &[Piece], from: usize) -> Option<String> {
    let layout = matches!(pieces.get(from), Some(Piece::Code(code)) if code.contains('+'));
    let from = if layout { from + 1 } else { from };
    let at = skip_number_sign(pieces, from);
    let signed = at != from;
    match pieces.get(at)? {
        Piece::Code(code) if code.contains('+') || code == "m2" => None,
        Piece::Code(code) => {
            let shaped = code.contains('-') || code.starts_with(|first: char| first.is_ascii_alphabetic());
            (signed || shaped).then(|| code.clone())
        }
        Piece::Number { digits, .. } if signed && !is_square_metres(pieces, at + 1) => Some(digits.clone()),
        Piece::Word { text, .. } if text == "so" => match pieces.get(at + 1)? {
            Piece::Number { digits, .. } => Some(format!("so{digits}")),
            _ => None,
        },
        Piece::Word { text, .. } if signed && text.len() == 1 => Some(text.clone()),
        _ => None,
    }
}

/// An order number: a code or a number of four digits and more that is no phone, price or size.
fn order_code(pieces: &[Piece], from: usize) -> Option<String> {
    let mut at = from;
    while matches!(word_at(pieces, at), Some("nabidky" | "zakazky" | "nemovitosti" | "cislo" | "c")) {
        at += 1;
        if pieces.get(at) == Some(&Piece::Stop) {
            at += 1;
        }
    }
    match pieces.get(at)? {
        Piece::Code(code) if code.len() >= 4 && !code.contains('+') && code != "m2" => Some(code.clone()),
        Piece::Number { digits, .. }
            if (4..=12).contains(&digits.len())
                && !is_square_metres(pieces, at + 1)
                && !matches!(word_at(pieces, at + 1), Some("kc" | "czk")) =>
        {
            Some(digits.clone())
        }
        _ => None,
    }
}

/// `4. patro` is 4, `4. NP` is 3, `2. PP` is -2.
fn floor_of(count: i16, pieces: &[Piece], from: usize) -> Option<i16> {
    let at = if pieces.get(from) == Some(&Piece::Stop) { from + 1 } else { from };
    match word_at(pieces, at)? {
        "patro" | "patre" | "patra" | "poschodi" | "p" => Some(count),
        "np" | "nadzemni" | "nadzemnim" | "podlazi" if count > 0 => Some(count - 1),
        "pp" | "podzemni" | "podzemnim" if count > 0 => Some(-count),
        _ => None,
    }
}

fn floor_word(word: &str, pieces: &[Piece], at: usize) -> Option<i16> {
    if word == "prizemi" {
        return Some(0);
    }
    let (_, count) = FLOOR_ORDINALS.iter().find(|(ordinal, _)| *ordinal == word)?;
    floor_of(*count, pieces, at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::words::pieces;

    fn marks(text: &str) -> Marks {
        Marks::read(&pieces(text), None, std::iter::empty())
    }

    #[test]
    fn a_unit_is_known_by_its_designation_in_any_wording() {
        assert_eq!(marks("byt 113-07-026 s dispozicí 3+kk (62 m2)").units, marks("Byt č. 113-07-026").units);
        assert_eq!(marks("Nabízíme pokoj č. 2.").units, marks("Volný je pokoj č. 2").units);
        assert_eq!(marks("Dům SO 04.").units.len(), 1);
        assert_eq!(marks("Označení stání: P27.").units, marks("garáž č. P27").units);
    }

    #[test]
    fn a_layout_or_a_size_is_no_designation() {
        assert!(marks("byt 3+1 o výměře 68 m2, byt 62 m2, dům 5+kk").units.is_empty());
    }

    #[test]
    fn parcels_are_read_in_lists() {
        assert_eq!(marks("parc. č. 486/17").parcels.len(), 1);
        assert_eq!(marks("parcela č. 15.").parcels.len(), 1);
        assert_eq!(marks("p. č. 123/4 a 123/5").parcels.len(), 2);
        assert!(marks("pozemek 1 035 metrů").parcels.is_empty());
    }

    #[test]
    fn an_order_number_is_the_same_on_every_portal() {
        let code = Marks::read(&pieces("Krásný byt."), Some("IDNES-N116466"), std::iter::empty());
        assert_eq!(marks("ID: N116466").orders, code.orders);
        assert_eq!(marks("ID nabídky: 45254").orders, marks("číslo zakázky 45254").orders);
    }

    #[test]
    fn a_unit_number_may_follow_the_layout() {
        assert_eq!(marks("byt 2+kk číslo A303 v projektu").units, marks("jednotka č. A303").units);
    }

    #[test]
    fn names_are_known_in_any_case_and_sentences_begin_with_none() {
        let found = marks("Garsonka v Olomouci na Foerstrově ulici.").names;
        assert!(found.contains(&name_hash("foerstrova")));
        assert!(!found.contains(&name_hash("garsonka")));
    }

    #[test]
    fn a_single_layout_in_the_text_is_the_layout() {
        assert_eq!(marks("domek, 3+1, 68m2").arrangement, Some(Arrangement::R3P1));
        assert_eq!(marks("byty od 1+kk po 4+kk").arrangement, None);
    }

    #[test]
    fn floors_are_counted_from_the_ground() {
        assert_eq!(marks("ve 12. NP panelového domu").floor, Some(11));
        assert_eq!(marks("v šestém patře").floor, Some(6));
        assert_eq!(marks("ve 4. patře").floor, Some(4));
        assert_eq!(marks("v přízemí").floor, Some(0));
        assert_eq!(marks("3.p. s výtahem").floor, Some(3));
        assert_eq!(marks("garáž, -2. podlaží").floor, Some(-2));
    }

    #[test]
    fn amounts_areas_and_phones_are_told_apart() {
        let found = marks("Nájem 14 000 Kč, lodžie 3,3 m2, plocha 62 m 2, tel. +420 758 778 917");
        assert_eq!(*found.amounts, [14_000]);
        assert_eq!(*found.areas, [33, 620]);
        assert_eq!(found.phones, marks("volejte 758778917").phones);
    }
}
