//! The words of a text as a small sketch, from which the share of common phrases is estimated (`MinHash`).

use czech::tokens::Piece;

use super::{Hash, hash};

/// How many minima a sketch keeps. With 24, the estimate of a share of ½ is off by 0.1 or more in one case of three.
const MINIMA: usize = 24;
/// Shorter texts are not compared, in words.
const FEWEST_WORDS: u16 = 12;

/// The `MinHash` of all runs of three words, and the numbers of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    minima: [u32; MINIMA],
    /// How many words the text has.
    pub words: u16,
    /// Numbers with the word behind each, hashed and sorted. Copies of one text often differ only in these.
    pub numbers: Box<[Hash]>,
}

impl Sketch {
    /// The sketch of a text.
    pub fn from_pieces(pieces: &[Piece]) -> Self {
        let words: Vec<u64> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Word { text, .. } => Some(hash(&[text])),
                _ => None,
            })
            .collect();
        let mut minima = [u32::MAX; MINIMA];
        for run in words.windows(3) {
            let seed = run[0] ^ run[1].rotate_left(21) ^ run[2].rotate_left(42);
            for (place, least) in minima.iter_mut().enumerate() {
                *least = (*least).min(mix(seed, place as u64));
            }
        }
        Self {
            minima,
            words: u16::try_from(words.len()).unwrap_or(u16::MAX),
            numbers: numbers(pieces),
        }
    }

    /// Estimated share of common phrases, 0 to 1; `None` if either text is too short.
    pub fn likeness(&self, other: &Self) -> Option<f32> {
        if self.words < FEWEST_WORDS || other.words < FEWEST_WORDS {
            return None;
        }
        let same = self
            .minima
            .iter()
            .zip(&other.minima)
            .filter(|(a, b)| a == b)
            .count();
        Some(same as f32 / MINIMA as f32)
    }

    /// Blocking keys of similar texts. Two texts share a given key with the probability likeness⁴.
    pub fn bands(&self) -> impl Iterator<Item = Hash> {
        let enough = self.words >= FEWEST_WORDS;
        let bands = self.minima.chunks_exact(4).enumerate();
        bands.filter(move |_| enough).map(|(place, band)| {
            band.iter().fold(place as u64 + 1, |seed, least| {
                seed.wrapping_mul(31) ^ u64::from(mix(seed, u64::from(*least)))
            })
        })
    }
}

/// The numbers of a text with the word behind each, without phone numbers and amounts of money.
fn numbers(pieces: &[Piece]) -> Box<[Hash]> {
    let mut found: Vec<Hash> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let text = match piece {
            Piece::Number { digits, .. } if digits.len() < 9 => digits,
            Piece::Code(code) if code != "m2" => code,
            _ => continue,
        };
        let noun = match pieces.get(at + 1) {
            Some(Piece::Word { text, .. } | Piece::Code(text)) => text.as_str(),
            _ => "",
        };
        // Amounts of money are left out, because prices change while the advert stays.
        if matches!(noun, "kc" | "czk" | "korun") {
            continue;
        }
        found.push(hash(&[text, noun]));
    }
    found.sort_unstable();
    found.dedup();
    found.into_boxed_slice()
}

/// A hash of `seed` for this place in the sketch (the finaliser of splitmix64).
fn mix(seed: u64, place: u64) -> u32 {
    let mut value = seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (value >> 32) as u32
}

#[cfg(test)]
mod tests {
    use czech::tokens::pieces;

    use super::*;

    const TEXT: &str = "Nabízíme k prodeji slunný byt v cihlovém domě s výtahem nedaleko parku, \
        byt prošel rekonstrukcí a má nová okna, podlahy i kuchyňskou linku, ve výměře 62 m2.";

    #[test]
    fn equal_texts_have_likeness_1() {
        let sketch = Sketch::from_pieces(&pieces(TEXT));
        assert_eq!(sketch.likeness(&sketch.clone()), Some(1.0));
    }

    #[test]
    fn unrelated_texts_have_a_likeness_near_0() {
        let other = "Pronajmeme kancelář v centru města, parkování ve dvoře, volné ihned, internet optikou, \
            recepce v přízemí budovy, zasedací místnost ke sdílení, kuchyňka na patře.";
        let likeness =
            Sketch::from_pieces(&pieces(TEXT)).likeness(&Sketch::from_pieces(&pieces(other)));
        assert!(likeness.unwrap() < 0.1, "{likeness:?}");
    }

    #[test]
    fn a_changed_number_shows_in_the_numbers_only() {
        let other = Sketch::from_pieces(&pieces(&TEXT.replace("62", "64")));
        let sketch = Sketch::from_pieces(&pieces(TEXT));
        assert_eq!(sketch.likeness(&other), Some(1.0));
        assert_ne!(sketch.numbers, other.numbers);
    }
}
