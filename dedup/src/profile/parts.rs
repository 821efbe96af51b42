//! The parts of a property, such as a balcony or a cellar, with their sizes, and the direction that
//! the property faces.

use czech::tokens::Piece;
use czech::tokens::pieces::is_square_metres;
use schema::Attributes;

/// A part of a property whose size helps to distinguish the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Balkon.
    Balcony,
    /// Lodžie.
    Loggia,
    /// Terasa.
    Terrace,
    /// Sklep, komora, kóje.
    Storage,
    /// Garáž.
    Garage,
}

/// Stems of the words for a part, valid for every case and number.
const STEMS: [(&str, Part); 7] = [
    ("balkon", Part::Balcony),
    ("lodzi", Part::Loggia),
    ("teras", Part::Terrace),
    ("sklep", Part::Storage),
    ("komor", Part::Storage),
    ("koj", Part::Storage),
    ("garaz", Part::Garage),
];

/// Stems of the words for a direction. Longer stems come first, because `sever` is also a prefix of
/// `severozápad`.
const DIRECTIONS: [(&str, u8); 8] = [
    ("severovychod", 0b0000_0011),
    ("severozapad", 0b0000_1001),
    ("jihovychod", 0b0000_0110),
    ("jihozapad", 0b0000_1100),
    ("sever", 0b0000_0001),
    ("vychod", 0b0000_0010),
    ("jih", 0b0000_0100),
    ("zapad", 0b0000_1000),
];

/// The parts of a property and its orientation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// Sizes of parts in tenths of m², sorted, without repeats.
    pub sizes: Box<[(Part, u32)]>,
    /// One bit for each direction that windows or balconies face: north, east, south, west from the
    /// lowest. 0 if the text states none.
    pub orientation: u8,
}

impl Parts {
    /// Reads the fields and the text of a listing.
    pub fn from_listing(attributes: &Attributes, pieces: &[Piece]) -> Self {
        let fields = [
            (Part::Balcony, attributes.balcony_area),
            (Part::Loggia, attributes.loggia_area),
            (Part::Terrace, attributes.terrace_area),
            (Part::Storage, attributes.storage_area),
            (Part::Garage, attributes.garage_area),
        ];
        let stated = fields
            .into_iter()
            .filter_map(|(part, area)| Some((part, (area? * 10.0).round() as u32)));
        let mut parts: Vec<(Part, u32)> = stated.collect();
        let mut faces = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let Piece::Word { text, .. } = piece else {
                continue;
            };
            if let Some((_, part)) = STEMS.iter().find(|(stem, _)| text.starts_with(stem)) {
                let size = size_after(pieces, at + 1).filter(|tenths| *tenths <= largest(*part));
                parts.extend(size.map(|tenths| (*part, tenths)));
            }
            if at > 0
                && matches!(&pieces[at - 1], Piece::Word { text, .. } if text == "na")
                && let Some((_, bits)) = DIRECTIONS.iter().find(|(stem, _)| text.starts_with(stem))
            {
                faces |= bits;
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Self {
            sizes: parts.into_boxed_slice(),
            orientation: faces,
        }
    }

    /// The sizes of one part, in tenths of m².
    pub fn sizes_of(&self, part: Part) -> impl Iterator<Item = u32> + Clone {
        self.sizes
            .iter()
            .filter(move |(other, _)| *other == part)
            .map(|(_, tenths)| *tenths)
    }
}

/// The largest plausible size of a part, in tenths of m². A larger number after the word is the size
/// of something else: `lodžie, sklep, 72 m²`.
fn largest(part: Part) -> u32 {
    match part {
        Part::Balcony | Part::Loggia | Part::Storage => 300,
        Part::Terrace | Part::Garage => 1_000,
    }
}

/// The size after the word for a part, in tenths of m²: `lodžie o ploše 5,4 m²`, `sklep (3,9 m2)`. It
/// is in the same sentence, at most three words later.
fn size_after(pieces: &[Piece], from: usize) -> Option<u32> {
    for at in from..(from + 4).min(pieces.len()) {
        match &pieces[at] {
            Piece::Word { .. } => {}
            Piece::Number { thousandths, .. } if is_square_metres(pieces, at + 1) => {
                return u32::try_from(thousandths / 100).ok();
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use czech::tokens::pieces;

    fn parts_in(text: &str) -> Parts {
        Parts::from_listing(&Attributes::default(), &pieces(text))
    }

    #[test]
    fn parts_are_read_with_their_sizes() {
        let found = parts_in(
            "K bytu náleží lodžie o ploše 5,4 m² a sklepní kóje (3,9 m2), balkon a garáž.",
        );
        assert_eq!(*found.sizes, [(Part::Loggia, 54), (Part::Storage, 39)]);
    }

    #[test]
    fn a_size_in_the_next_sentence_belongs_to_something_else() {
        assert!(
            parts_in("Byt má balkon. 62 m2 užitné plochy.")
                .sizes
                .is_empty()
        );
    }

    #[test]
    fn a_direction_counts_only_if_something_faces_it() {
        assert_eq!(
            parts_in("Okna jsou orientována na jihozápad.").orientation,
            0b1100
        );
        assert_eq!(parts_in("Severní Terasa, Ústí").orientation, 0);
    }
}
