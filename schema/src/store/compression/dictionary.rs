//! What the contents of a portal have in common. Compressed with it, a page takes a third to a fifth of the space.
//!
//! A dictionary holds only text that several adverts share: headings, scripts, the names of fields. So an advert can be
//! purged without touching the dictionary of its portal.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use zstd::bulk::Compressor;
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, ResetDirective, compress_bound, get_error_name};

use super::Kind;

/// The level of compression with a dictionary. At levels 7 to 9 a replay takes a thirtieth longer, for a database that is
/// smaller by less than a hundredth.
const LEVEL: i32 = 5;

/// The level of compression of long texts, which are pages: a tenth less than at [`LEVEL`], in some ten milliseconds a
/// page.
const LEVEL_OF_PAGES: i32 = 15;

/// The level of compression with a text that is used once. At higher levels, preparing it takes longer than all else.
const LEVEL_ONCE: i32 = 3;

/// Texts of more bytes than this are pages.
const PAGES: usize = 16 * 1024;

/// How many adverts must share a text.
const SHARED_BY: u32 = 4;

/// The length of the texts that are compared, in bytes: long enough to be worth a reference, short enough to find the parts
/// between two values, and as long as a number.
const WINDOW: usize = size_of::<u64>();

/// The texts that a dictionary is made from, at most: each has a bit.
const MAX_SAMPLES: usize = u64::BITS as usize;

/// Texts that a core compresses together. Preparing to compress costs as much as a few texts.
const TEXTS_TOGETHER: usize = 32;

/// As many long texts are enough.
const MAX_LONG_SAMPLES: usize = 48;

/// The bytes of all samples, at most, if there are more than [`MAX_LONG_SAMPLES`].
const MAX_SAMPLED: usize = 128 * 1024;

/// Of each sample only this many bytes are read.
const MAX_SAMPLE: usize = 256 * 1024;

/// The size of a dictionary, at most.
const MAX_SIZE: usize = 256 * 1024;

/// The number of slots for hashes of windows is two to the power of this. Samples have about a tenth as many windows.
const SLOT_BITS: u32 = 22;

/// A dictionary that is ready to use.
pub(in crate::store) struct Dictionary {
    /// Its id: a hash of its bytes, portal and form.
    pub(in crate::store) id: i64,
    bytes: Vec<u8>,
    encoder: OnceLock<EncoderDictionary<'static>>,
    encoder_of_pages: OnceLock<EncoderDictionary<'static>>,
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
            encoder_of_pages: OnceLock::new(),
            decoder,
        })
    }

    /// A dictionary that is one text, for texts that differ little from it.
    pub(in crate::store) fn of_text(text: &str) -> io::Result<Self> {
        Self::new(0, text.as_bytes().to_vec())
    }

    /// Compresses texts of this length. A checksum shows at decompression whether it is the same dictionary.
    fn compressor(&self, length: usize) -> io::Result<Compressor<'_>> {
        let (encoder, level) = if length > PAGES {
            (&self.encoder_of_pages, LEVEL_OF_PAGES)
        } else {
            (&self.encoder, LEVEL)
        };
        let prepared = if let Some(prepared) = encoder.get() {
            prepared
        } else {
            let prepared = EncoderDictionary::try_copy(&self.bytes, level)?;
            encoder.get_or_init(|| prepared)
        };
        let mut compressor = Compressor::with_prepared_dictionary(prepared)?;
        compressor.include_checksum(true)?;
        Ok(compressor)
    }
}

/// Compressed texts.
type Frames = Vec<Vec<u8>>;

/// Compresses texts, with a dictionary or without one.
pub(super) fn compress(dictionary: Option<&Dictionary>, texts: &[&[u8]]) -> io::Result<Frames> {
    let length: usize = texts.iter().map(|text| text.len()).sum();
    let mut compressor = match dictionary {
        Some(dictionary) => dictionary.compressor(length / texts.len().max(1))?,
        None => Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?,
    };
    texts.iter().map(|text| compressor.compress(text)).collect()
}

/// Texts that have a dictionary in common, or none.
pub(in crate::store) struct Group<'a> {
    /// The dictionary.
    pub(in crate::store) dictionary: Option<Arc<Dictionary>>,
    /// The texts.
    pub(in crate::store) texts: Vec<&'a [u8]>,
}

/// Compresses the texts of some groups on all cores. The results are in the order given.
pub(in crate::store) fn compress_all(groups: &[Group<'_>]) -> io::Result<Vec<Frames>> {
    let parts = groups.iter().enumerate().flat_map(|(number, group)| {
        let parts = group.texts.chunks(TEXTS_TOGETHER);
        parts.map(move |part| (number, part))
    });
    let parts: Vec<(usize, &[&[u8]])> = parts.collect();
    let compressed = parts
        .par_iter()
        .map(|(number, part)| compress(groups[*number].dictionary.as_deref(), part));
    let compressed: Vec<Frames> = compressed.collect::<io::Result<_>>()?;
    let mut all = vec![Vec::new(); groups.len()];
    for ((number, _), part) in parts.into_iter().zip(compressed) {
        all[number].extend(part);
    }
    Ok(all)
}

thread_local! {
    /// The decompressor of each thread. Creating one takes longer than decompressing most texts.
    static DECOMPRESSION: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
    /// The compressor of each thread, for dictionaries that are used once.
    static COMPRESSION: RefCell<CCtx<'static>> = RefCell::new(CCtx::create());
}

fn failed(code: usize) -> io::Error {
    io::Error::other(get_error_name(code))
}

/// The text of `size` bytes in a frame that was compressed with this dictionary, or without one.
pub(in crate::store) fn decompress(
    (frame, size): (&[u8], usize),
    dictionary: Option<&Dictionary>,
) -> io::Result<Vec<u8>> {
    let mut text: Vec<u8> = Vec::with_capacity(size);
    let read = DECOMPRESSION.with_borrow_mut(|context| match dictionary {
        Some(dictionary) => {
            context.decompress_using_ddict(&mut text, frame, dictionary.decoder.as_ddict())
        }
        None => context.decompress(&mut text, frame),
    });
    read.map_err(failed)?;
    Ok(text)
}

/// Compresses a text with another one that it repeats much of. A dictionary behind it would have to be prepared again for
/// each text, in twenty times the time, and saves nothing more.
pub(in crate::store) fn compress_on(base: &[u8], text: &[u8]) -> io::Result<Vec<u8>> {
    let mut frame = Vec::with_capacity(compress_bound(text.len()));
    let compressed = COMPRESSION.with_borrow_mut(|context| {
        context.reset(ResetDirective::SessionAndParameters)?;
        context.set_parameter(CParameter::CompressionLevel(LEVEL_ONCE))?;
        context.set_parameter(CParameter::ChecksumFlag(true))?;
        context.load_dictionary(base)?;
        context.compress2(&mut frame, text)
    });
    compressed.map_err(failed)?;
    frame.shrink_to_fit();
    Ok(frame)
}

/// The text of `size` bytes in a frame that [`compress_on`] made with the same text.
pub(super) fn decompress_on(base: &[u8], (frame, size): (&[u8], usize)) -> io::Result<Vec<u8>> {
    let mut text: Vec<u8> = Vec::with_capacity(size);
    let read = DECOMPRESSION
        .with_borrow_mut(|context| context.decompress_using_dict(&mut text, frame, base));
    read.map_err(failed)?;
    Ok(text)
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

/// The dictionary that this process used last for each group. In another database it may be another one.
static LAST: LazyLock<Mutex<HashMap<(String, Kind), i64>>> = LazyLock::new(Mutex::default);

/// Remembers the dictionary of a group.
pub(super) fn remember((site_id, kind): (&str, Kind), id: i64) {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.insert((site_id.to_owned(), kind), id);
}

/// The dictionary that was used last for a group.
pub(in crate::store) fn last((site_id, kind): (&str, Kind)) -> Option<Arc<Dictionary>> {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let id = last.get(&(site_id.to_owned(), kind)).copied()?;
    drop(last);
    used(id)
}

/// Dictionaries that were used lately. They are the same in every database, because the id is a hash.
static USED: LazyLock<Mutex<HashMap<i64, Arc<Dictionary>>>> = LazyLock::new(Mutex::default);

/// How many dictionaries stay in memory: more than the portals have.
const MAX_USED: usize = 64;

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

/// Some of the texts, spread evenly, one for each advert. `texts` are ordered by advert.
pub(super) fn samples<'a>(texts: &[(i64, &'a [u8])]) -> Vec<&'a [u8]> {
    let mut adverts = texts.to_vec();
    adverts.dedup_by_key(|(advert, _)| *advert);
    let size: usize = adverts.iter().map(|(_, text)| text.len()).sum();
    let affordable = MAX_SAMPLED * adverts.len() / size.max(1);
    let most = affordable.clamp(MAX_LONG_SAMPLES, MAX_SAMPLES);
    let step = adverts.len().div_ceil(most).max(1);
    let chosen = adverts.into_iter().step_by(step);
    chosen
        .map(|(_, text)| text.get(..MAX_SAMPLE).unwrap_or(text))
        .collect()
}

/// The texts that at least [`SHARED_BY`] of the samples have. First comes the sample that has most of them, with spaces in
/// place of everything else: what a page has of its own often has the same length as in other pages, so that the text after
/// it is found at the same distance, which takes no space. Then come the texts of the other samples, each once.
pub(super) fn common_text(samples: &[&[u8]]) -> Vec<u8> {
    let samples: Vec<(&[u8], Vec<u32>)> = samples
        .iter()
        .take(MAX_SAMPLES)
        .map(|sample| (*sample, slots(sample)))
        .collect();
    let mut having = vec![0_u64; 1 << SLOT_BITS];
    for (number, (_, slots)) in samples.iter().enumerate() {
        for slot in slots {
            having[*slot as usize] |= 1 << number;
        }
    }
    let is_shared = |slot: u32| having[slot as usize].count_ones() >= SHARED_BY;
    let shared = |slots: &[u32]| slots.iter().filter(|slot| is_shared(**slot)).count();
    let Some((frame, frame_slots)) = samples.iter().max_by_key(|(_, slots)| shared(slots)) else {
        return Vec::new();
    };
    let mut taken = vec![false; 1 << SLOT_BITS];
    let mut common = Vec::new();
    for (start, end) in shared_parts(frame_slots, is_shared) {
        common.resize(start, b' ');
        common.extend_from_slice(frame.get(start..end).unwrap_or_default());
        let of_part = frame_slots
            .iter()
            .skip(start)
            .take(end - start + 1 - WINDOW);
        of_part.for_each(|slot| taken[*slot as usize] = true);
    }
    for (sample, slots) in &samples {
        // What the dictionary has already is left out, also from the middle of a part.
        let is_new = |slot: u32| is_shared(slot) && !taken[slot as usize];
        for (start, end) in shared_parts(slots, is_new) {
            let Some(part) = sample.get(start..end) else {
                continue;
            };
            let of_part = || slots.iter().skip(start).take(part.len() + 1 - WINDOW);
            if of_part().all(|slot| taken[*slot as usize]) {
                continue;
            }
            if common.len() + part.len() > MAX_SIZE {
                return common;
            }
            of_part().for_each(|slot| taken[*slot as usize] = true);
            common.extend_from_slice(part);
        }
    }
    common
}

/// The parts of a sample that consist of shared windows, as ranges of bytes. The windows are given by their slots.
fn shared_parts(slots: &[u32], is_shared: impl Fn(u32) -> bool) -> Vec<(usize, usize)> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (start, slot) in slots.iter().enumerate() {
        if !is_shared(*slot) {
            continue;
        }
        match parts.last_mut() {
            Some((_, end)) if start <= *end => *end = start + WINDOW,
            _ => parts.push((start, start + WINDOW)),
        }
    }
    parts
}

/// The slots of all windows of a sample, in order: the top bits of a multiplicative hash of the window's bytes, which are
/// one number.
fn slots(sample: &[u8]) -> Vec<u32> {
    let mut slots = Vec::with_capacity(sample.len());
    let mut window = 0_u64;
    for (at, byte) in sample.iter().enumerate() {
        window = window >> 8 | u64::from(*byte) << (u64::BITS - 8);
        if at + 1 >= WINDOW {
            let mixed = (window ^ window.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            slots.push((mixed >> (u64::BITS - SLOT_BITS)) as u32);
        }
    }
    slots
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
        let compressed = own.compressor(1).unwrap().compress(body).unwrap();
        assert!(compressed.len() < 40, "{}", compressed.len());
        let frame = (compressed.as_slice(), body.len());
        assert_eq!(decompress(frame, Some(&own)).unwrap(), body);
        let wrong = Dictionary::new(3, b"something else altogether".repeat(40)).unwrap();
        assert!(decompress(frame, Some(&wrong)).is_err());
    }

    #[test]
    fn each_advert_gives_one_sample() {
        let texts: Vec<(i64, &[u8])> = (0..100)
            .map(|number| (number / 2, b"x".as_slice()))
            .collect();
        let samples = samples(&texts);
        assert!(
            (8..=MAX_SAMPLES).contains(&samples.len()),
            "{}",
            samples.len()
        );
        assert_eq!(super::samples(&[(1, b"a"), (1, b"b")]), [b"a"]);
    }
}
