//! A text's words as a small sketch from which the share of common phrases is estimated (`MinHash`).

use super::words::Piece;
use super::{Hash, hash};

/// How many minima a sketch keeps; the estimate of a share of ½ is off by 0.1 in one case of three.
const MINIMA: usize = 24;

/// `MinHash` over runs of three words, numbers left out, and what the numbers are.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    minima: [u32; MINIMA],
    /// Words in the text.
    pub words: u16,
    /// Numbers with the word after each, hashed and sorted: what a copied text may differ by.
    pub numbers: Box<[Hash]>,
}

impl Sketch {
    /// The sketch of a text.
    pub fn of(pieces: &[Piece]) -> Self {
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

    /// Estimated share of common phrases, 0 to 1; `None` where a text is too short to tell.
    pub fn likeness(&self, other: &Self) -> Option<f32> {
        if self.words < 12 || other.words < 12 {
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

    /// Keys under which alike texts meet: each is shared with probability likeness⁴.
    pub fn bands(&self) -> impl Iterator<Item = Hash> {
        let enough = self.words >= 12;
        let bands = self.minima.chunks_exact(4).enumerate();
        bands.filter(move |_| enough).map(|(place, band)| {
            band.iter().fold(place as u64 + 1, |seed, least| {
                seed.wrapping_mul(31) ^ u64::from(mix(seed, u64::from(*least)))
            })
        })
    }
}

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
        // An amount of money is the price's affair: it changes while the advert stays.
        if matches!(noun, "kc" | "czk" | "korun") {
            continue;
        }
        found.push(hash(&[text, noun]));
    }
    found.sort_unstable();
    found.dedup();
    found.into_boxed_slice()
}

fn mix(seed: u64, place: u64) -> u32 {
    let mut value = seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (value >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::words::pieces;

    const TEXT: &str = "Nabízíme k prodeji slunný byt v cihlovém domě s výtahem nedaleko parku, \
        byt prošel rekonstrukcí a má nová okna, podlahy i kuchyňskou linku, ve výměře 62 m2.";

    #[test]
    fn equal_texts_are_wholly_alike() {
        let sketch = Sketch::of(&pieces(TEXT));
        assert_eq!(sketch.likeness(&sketch.clone()), Some(1.0));
    }

    #[test]
    fn unrelated_texts_are_hardly_alike() {
        let other = "Pronajmeme kancelář v centru města, parkování ve dvoře, volné ihned, internet optikou, \
            recepce v přízemí budovy, zasedací místnost ke sdílení, kuchyňka na patře.";
        let likeness = Sketch::of(&pieces(TEXT)).likeness(&Sketch::of(&pieces(other)));
        assert!(likeness.unwrap() < 0.1, "{likeness:?}");
    }

    #[test]
    fn a_changed_number_shows_in_the_numbers_only() {
        let other = Sketch::of(&pieces(&TEXT.replace("62", "64")));
        let sketch = Sketch::of(&pieces(TEXT));
        assert_eq!(sketch.likeness(&other), Some(1.0));
        assert_ne!(sketch.numbers, other.numbers);
    }
}
