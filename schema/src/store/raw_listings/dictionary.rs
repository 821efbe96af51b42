//! What the contents of a portal have in common. Compressed with it, a page takes a third to a fifth of the space.
//!
//! A dictionary holds only text that several adverts share: headings, scripts, the names of fields. So an advert can be
//! purged without touching the dictionary of its portal.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};

/// The level of compression with a dictionary. Higher levels take several times as long for a tenth less.
const LEVEL: i32 = 9;

/// How many adverts must share a text.
const SHARED_BY: u32 = 4;

/// The length of the texts that are compared, in bytes: long enough to be worth a reference, short enough to find the parts
/// between two values.
const WINDOW: usize = 12;

/// The contents that a dictionary is made from, at most: each has a bit.
const MAX_SAMPLES: usize = u16::BITS as usize;

/// Of each sample only this many bytes are read.
const MAX_SAMPLE: usize = 256 * 1024;

/// The size of a dictionary, at most.
const MAX_SIZE: usize = 256 * 1024;

/// The number of slots for hashes of windows is two to the power of this. Samples have about a tenth as many windows.
const SLOT_BITS: u32 = 22;

/// A dictionary that is ready to use.
pub(super) struct Dictionary {
    /// Its id: a hash of its bytes, portal and form.
    pub(super) id: i64,
    bytes: Vec<u8>,
    encoder: OnceLock<EncoderDictionary<'static>>,
    decoder: DecoderDictionary<'static>,
}

impl Dictionary {
    /// A dictionary with these bytes.
    pub(super) fn new(id: i64, bytes: Vec<u8>) -> io::Result<Self> {
        let decoder = DecoderDictionary::try_copy(&bytes)?;
        Ok(Self {
            id,
            bytes,
            encoder: OnceLock::new(),
            decoder,
        })
    }

    /// Compresses bodies. A checksum shows at decompression whether it is the same dictionary.
    pub(super) fn compressor(&self) -> io::Result<Compressor<'_>> {
        let encoder = if let Some(encoder) = self.encoder.get() {
            encoder
        } else {
            let encoder = EncoderDictionary::try_copy(&self.bytes, LEVEL)?;
            self.encoder.get_or_init(|| encoder)
        };
        let mut compressor = Compressor::with_prepared_dictionary(encoder)?;
        compressor.include_checksum(true)?;
        Ok(compressor)
    }

    /// The body of `size` bytes that was compressed with this dictionary.
    pub(super) fn decompress(&self, body: &[u8], size: usize) -> io::Result<Vec<u8>> {
        Decompressor::with_prepared_dictionary(&self.decoder)?.decompress(body, size)
    }
}

/// The id of a dictionary: the beginning of its hash, so that equal ids are equal dictionaries whatever the database.
pub(super) fn id_of(site_id: &str, form: i16, bytes: &[u8]) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(site_id.len() as u64).to_le_bytes());
    hasher.update(site_id.as_bytes());
    hasher.update(&form.to_le_bytes());
    hasher.update(bytes);
    let hash = *hasher.finalize().as_bytes();
    hash.first_chunk()
        .map_or(0, |start| i64::from_le_bytes(*start))
}

/// Dictionaries that were used lately. They are the same in every database, because the id is a hash.
static USED: LazyLock<Mutex<HashMap<i64, Arc<Dictionary>>>> = LazyLock::new(Mutex::default);

/// How many dictionaries stay in memory: more than the portals have.
const MAX_USED: usize = 32;

/// A dictionary that was used lately.
pub(super) fn used(id: i64) -> Option<Arc<Dictionary>> {
    let used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    used.get(&id).cloned()
}

/// Keeps a dictionary in memory.
pub(super) fn keep(dictionary: Dictionary) -> Arc<Dictionary> {
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    if used.len() >= MAX_USED {
        used.clear();
    }
    let kept = used.entry(dictionary.id);
    Arc::clone(kept.or_insert_with(|| Arc::new(dictionary)))
}

/// Some of the bodies, spread evenly, one for each advert. `bodies` are ordered by advert.
pub(super) fn samples<'a>(bodies: &[(i64, &'a str)]) -> Vec<&'a [u8]> {
    let mut adverts = bodies.to_vec();
    adverts.dedup_by_key(|(advert, _)| *advert);
    let step = adverts.len().div_ceil(MAX_SAMPLES).max(1);
    let chosen = adverts.into_iter().step_by(step);
    chosen
        .map(|(_, body)| {
            let body = body.as_bytes();
            body.get(..MAX_SAMPLE).unwrap_or(body)
        })
        .collect()
}

/// The texts that at least [`SHARED_BY`] of the samples have, each once, in the order of the samples.
pub(super) fn common_text(samples: &[&[u8]]) -> Vec<u8> {
    let mut having = vec![0_u16; 1 << SLOT_BITS];
    for (number, sample) in samples.iter().take(MAX_SAMPLES).enumerate() {
        for window in sample.windows(WINDOW) {
            having[slot(window)] |= 1 << number;
        }
    }
    let is_shared = |window: &[u8]| having[slot(window)].count_ones() >= SHARED_BY;
    let mut taken = vec![false; 1 << SLOT_BITS];
    let mut common = Vec::new();
    for sample in samples.iter().take(MAX_SAMPLES) {
        for (start, end) in shared_parts(sample, is_shared) {
            let Some(part) = sample.get(start..end) else {
                continue;
            };
            let slots = || part.windows(WINDOW).map(slot);
            if slots().all(|slot| taken[slot]) {
                continue;
            }
            if common.len() + part.len() > MAX_SIZE {
                return common;
            }
            slots().for_each(|slot| taken[slot] = true);
            common.extend_from_slice(part);
        }
    }
    common
}

/// The parts of a sample that consist of shared windows, as ranges of bytes.
fn shared_parts(sample: &[u8], is_shared: impl Fn(&[u8]) -> bool) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (start, window) in sample.windows(WINDOW).enumerate() {
        if !is_shared(window) {
            continue;
        }
        match parts.last_mut() {
            Some((_, end)) if start <= *end => *end = start + WINDOW,
            _ => parts.push((start, start + WINDOW)),
        }
    }
    parts
}

/// The slot of a window: the top bits of a multiplicative hash.
fn slot(window: &[u8]) -> usize {
    let start = window
        .first_chunk()
        .map_or(0, |start| u64::from_le_bytes(*start));
    let end = window
        .last_chunk()
        .map_or(0, |end| u64::from_le_bytes(*end));
    let mixed = (start ^ end.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_fewer_than_four_adverts_is_not_in_the_dictionary() {
        let own: Vec<String> = (1..=8_u64)
            .map(|number| format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
            .collect();
        let pages: Vec<String> = own
            .iter()
            .enumerate()
            .map(|(number, own)| {
                let of_three = if number < 3 { "<b>jen tři inzeráty</b>" } else { "" };
                format!("<h1>Popis nemovitosti</h1>{of_three}<p>{own}</p><footer>Zápatí portálu</footer>")
            })
            .collect();
        let samples: Vec<&[u8]> = pages.iter().map(String::as_bytes).collect();
        let common = String::from_utf8_lossy(&common_text(&samples)).into_owned();
        assert!(common.contains("<h1>Popis nemovitosti</h1>"), "{common}");
        assert!(
            common.contains("</p><footer>Zápatí portálu</footer>"),
            "{common}"
        );
        assert!(!common.contains("jen tři"), "{common}");
        assert!(own.iter().all(|own| !common.contains(own)), "{common}");
    }

    #[test]
    fn a_body_needs_the_dictionary_that_it_was_compressed_with() {
        let text = "{\"popis\":\"byt v osobním vlastnictví\",\"cena\":".repeat(20);
        let own = Dictionary::new(1, text.clone().into_bytes()).unwrap();
        let body = text.as_bytes();
        let compressed = own.compressor().unwrap().compress(body).unwrap();
        assert!(compressed.len() < 40, "{}", compressed.len());
        assert_eq!(own.decompress(&compressed, body.len()).unwrap(), body);
        let wrong = Dictionary::new(3, b"something else altogether".repeat(40)).unwrap();
        assert!(wrong.decompress(&compressed, body.len()).is_err());
    }

    #[test]
    fn each_advert_gives_one_sample() {
        let bodies: Vec<(i64, &str)> = (0..100).map(|number| (number / 2, "x")).collect();
        let samples = samples(&bodies);
        assert!(
            (8..=MAX_SAMPLES).contains(&samples.len()),
            "{}",
            samples.len()
        );
        assert_eq!(super::samples(&[(1, "a"), (1, "b")]), [b"a"]);
    }
}
