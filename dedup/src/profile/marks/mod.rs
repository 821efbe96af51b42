//! Facts in a text that few other adverts share: unit, parcel and order numbers, phone numbers, exact sizes.

mod order_code;
mod owner;
mod unit;

use czech::floor::{floor_after_number, mentioned_floor};
use czech::order_code::order_code_at;
use czech::tokens::Piece;
use czech::tokens::pieces::{is_square_metres, skip_number_sign, skip_stop, word_at};
use schema::Arrangement;

use super::{Hash, hash};
use owner::says_no_agency;
use unit::unit_at;

pub use order_code::OrderCode;
pub use unit::{Unit, UnitKind};

/// The distinguishing marks of an advert. Every list is sorted and without duplicates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Designations of the unit.
    pub units: Box<[Unit]>,
    /// Parcel numbers.
    pub parcels: Box<[Hash]>,
    /// The agency's order numbers.
    pub orders: Box<[OrderCode]>,
    /// Hashes of phone numbers, which can be compared but not called.
    pub phones: Box<[Hash]>,
    /// Areas in the text and of single features, in tenths of m².
    pub areas: Box<[u32]>,
    /// Amounts of money in the text, CZK.
    pub amounts: Box<[u64]>,
    /// Names in the text, of streets and quarters among others, hashed without their endings.
    pub names: Box<[Hash]>,
    /// The names that follow words for a place: `v Hodolanech`, `ulice Foerstrova`, `Praha 5 - Smíchov`.
    pub places: Box<[Hash]>,
    /// Room layout, if the text names exactly one.
    pub arrangement: Option<Arrangement>,
    /// The first floor that the text mentions; the ground floor is 0.
    pub floor: Option<i16>,
    /// Whether the text says that an owner offers the property without an agency.
    pub no_agency: bool,
}

/// The words before a parcel number, folded.
const PARCEL_WORDS: [&str; 8] = [
    "parc", "parcela", "parcely", "parcele", "parcelu", "parcelni", "pozemek", "pozemku",
];

/// The marks found so far, in the order of the text.
#[derive(Debug, Default)]
struct Collector {
    units: Vec<Unit>,
    parcels: Vec<Hash>,
    orders: Vec<OrderCode>,
    phones: Vec<Hash>,
    areas: Vec<u32>,
    amounts: Vec<u64>,
    names: Vec<Hash>,
    places: Vec<Hash>,
    layouts: Vec<Arrangement>,
    floor: Option<i16>,
    no_agency: bool,
}

impl Marks {
    /// The marks in a text, together with the order number and the areas (m²) that the portal gives in fields.
    pub fn from_pieces(
        pieces: &[Piece],
        order_code: Option<&str>,
        areas: impl Iterator<Item = f64>,
    ) -> Self {
        let mut found = Collector::default();
        for at in 0..pieces.len() {
            found.visit(pieces, at);
        }
        if let Some(code) = order_code {
            found.orders.extend(OrderCode::parse(code));
        }
        found
            .areas
            .extend(areas.map(|area| (area * 10.0).round() as u32));
        Self {
            units: sorted(found.units),
            parcels: sorted(found.parcels),
            orders: sorted(found.orders),
            phones: sorted(found.phones),
            areas: sorted(found.areas),
            amounts: sorted(found.amounts),
            names: sorted(found.names),
            places: sorted(found.places),
            arrangement: match *sorted(found.layouts) {
                [only] => Some(only),
                _ => None,
            },
            floor: found.floor,
            no_agency: found.no_agency,
        }
    }

    /// Adds units that stand in a field of the portal.
    pub(super) fn add_units(&mut self, units: &[Unit]) {
        self.units = sorted([&*self.units, units].concat());
    }

    /// Adds the amounts of money of another text.
    pub(super) fn add_amounts(&mut self, pieces: &[Piece]) {
        let amounts = Self::from_pieces(pieces, None, std::iter::empty()).amounts;
        self.amounts = sorted([&*self.amounts, &*amounts].concat());
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Box<[T]> {
    list.sort_unstable();
    list.dedup();
    list.into_boxed_slice()
}

impl Collector {
    fn visit(&mut self, pieces: &[Piece], at: usize) {
        match &pieces[at] {
            Piece::Number {
                thousandths,
                digits,
            } => self.number(*thousandths, digits, pieces, at),
            Piece::Word { text, capital } => {
                self.word(text, pieces, at);
                if *capital && at > 0 && pieces[at - 1] != Piece::Stop {
                    let name = name_hash(text);
                    self.names.push(name);
                    if text.len() >= 5 && names_place(&pieces[at - 1]) {
                        self.places.push(name);
                    }
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
                self.areas
                    .push(u32::try_from(thousandths / 100).unwrap_or(u32::MAX));
            }
        } else if matches!(unit, Some("kc" | "czk" | "korun")) {
            self.amounts.push(thousandths / 1000);
        } else if digits.len() == 9 || (digits.len() == 12 && digits.starts_with("420")) {
            let tail: String = digits.chars().skip(digits.len() - 9).collect();
            self.phones.push(hash(&["phone", &tail]));
        } else if self.floor.is_none() && thousandths <= 60_000 && thousandths.is_multiple_of(1000)
        {
            self.floor = floor_after_number((thousandths / 1000) as i16, pieces, at + 1);
        }
    }

    fn word(&mut self, word: &str, pieces: &[Piece], at: usize) {
        self.units.extend(unit_at(word, pieces, at));
        // `p. č. 123/4`
        let is_abbreviated = || word_at(pieces, skip_stop(pieces, at + 1)) == Some("c");
        if PARCEL_WORDS.contains(&word) || (word == "p" && is_abbreviated()) {
            self.parcels(pieces, at + 1);
        }
        self.orders
            .extend(order_code_at(pieces, at).and_then(OrderCode::parse));
        if self.floor.is_none() {
            self.floor = mentioned_floor(word, pieces, at);
        }
        self.no_agency |= says_no_agency(word, pieces, at);
    }

    /// Parcel numbers from `from` on. Several may follow each other: `123/4 a 123/5`.
    fn parcels(&mut self, pieces: &[Piece], from: usize) {
        let mut at = skip_number_sign(pieces, from);
        if at == from && !matches!(pieces.get(from), Some(Piece::Code(code)) if code.contains('/'))
        {
            return;
        }
        loop {
            match pieces.get(at) {
                Some(Piece::Code(code)) if code.contains('/') => {
                    self.parcels.push(hash(&["parcel", code]));
                }
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
            && floor_after_number(below, pieces, at + 1).is_some()
        {
            self.floor = Some(-below);
        }
    }
}

/// Whether a name behind this piece is probably that of a place.
fn names_place(before: &Piece) -> bool {
    match before {
        Piece::Word { text, capital } => *capital || PLACE_WORDS.contains(&text.as_str()),
        Piece::Number { .. } | Piece::Code(_) => true,
        Piece::Stop => false,
    }
}

/// Words before the name of a place, folded.
const PLACE_WORDS: [&str; 22] = [
    "v", "ve", "na", "u", "ulice", "ulici", "ul", "lokalite", "casti", "ctvrti", "sidlisti",
    "adrese", "obci", "obce", "meste", "mesta", "namesti", "tride", "okres", "okrese", "katastru",
    "do",
];

/// The hash of a name without its last two letters, because Czech declines names: `Foerstrova`, `Foerstrově`.
pub fn name_hash(folded: &str) -> Hash {
    let letters = folded.chars().count();
    let stem: String = folded
        .chars()
        .take(letters.saturating_sub(2).max(4))
        .collect();
    hash(&["name", &stem])
}

#[cfg(test)]
mod tests {
    use czech::tokens::pieces;

    use super::*;

    fn marks(text: &str) -> Marks {
        Marks::from_pieces(&pieces(text), None, std::iter::empty())
    }

    #[test]
    fn a_unit_is_recognised_by_its_designation_in_any_wording() {
        assert_eq!(
            marks("byt 113-07-026 s dispozicí 3+kk (62 m2)").units,
            marks("Byt č. 113-07-026").units
        );
        assert_eq!(
            marks("Nabízíme pokoj č. 2.").units,
            marks("Volný je pokoj č. 2").units
        );
        assert_eq!(marks("Dům SO 04.").units.len(), 1);
        assert_eq!(
            marks("Označení stání: P27.").units,
            marks("garáž č. P27").units
        );
    }

    #[test]
    fn a_layout_or_a_size_is_not_a_designation() {
        assert!(
            marks("byt 3+1 o výměře 68 m2, byt 62 m2, dům 5+kk")
                .units
                .is_empty()
        );
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
        let code = Marks::from_pieces(
            &pieces("Krásný byt."),
            Some("IDNES-N116466"),
            std::iter::empty(),
        );
        assert_eq!(marks("ID: N116466").orders, code.orders);
        assert_eq!(
            marks("ID nabídky: 45254").orders,
            marks("číslo zakázky 45254").orders
        );
    }

    #[test]
    fn a_unit_number_may_follow_the_layout() {
        assert_eq!(
            marks("byt 2+kk číslo A303 v projektu").units,
            marks("jednotka č. A303").units
        );
    }

    #[test]
    fn names_are_recognised_in_any_case_but_not_at_the_start_of_a_sentence() {
        let found = marks("Garsonka v Olomouci na Foerstrově ulici.").names;
        assert!(found.contains(&name_hash("foerstrova")));
        assert!(!found.contains(&name_hash("garsonka")));
    }

    #[test]
    fn a_single_layout_in_the_text_is_the_layout() {
        assert_eq!(
            marks("domek, 3+1, 68m2").arrangement,
            Some(Arrangement::R3P1)
        );
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
    fn amounts_areas_and_phone_numbers_are_distinguished() {
        let found = marks("Nájem 14 000 Kč, lodžie 3,3 m2, plocha 62 m 2, tel. +420 758 778 917");
        assert_eq!(*found.amounts, [14_000]);
        assert_eq!(*found.areas, [33, 620]);
        assert_eq!(found.phones, marks("volejte 758778917").phones);
    }
}
