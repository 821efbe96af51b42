//! From the bytes of a file to the registry.

use std::io::{self, Read};

use super::super::Registry;
use super::super::edition::{Counts, Edition};
use super::super::names::Names;
use super::fixed::Fixed;

/// Tag, size, count.
const ENTRY: usize = 16;
/// Sections, in their order.
const SECTIONS: usize = 16;
/// How much of the file is decoded at once.
const CHUNK: usize = 1 << 20;

/// Reads sections, and sums up what passes.
pub(super) struct Decoder<R> {
    source: R,
    hasher: blake3::Hasher,
    entries: std::vec::IntoIter<([u8; 4], u32, u64)>,
    buffer: Vec<u8>,
}

/// Why sections could not be read.
pub(super) enum Fault {
    Io(io::Error),
    Damaged(&'static str),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return Self::Damaged("it breaks off");
        }
        Self::Io(error)
    }
}

impl<R: Read> Decoder<R> {
    /// `length` is what remains of the file behind its head.
    pub(super) fn new(mut source: R, sections: u32, length: u64) -> Result<Self, Fault> {
        if sections as usize != SECTIONS {
            return Err(Fault::Damaged("the number of sections is wrong"));
        }
        let mut table = vec![0; SECTIONS * ENTRY];
        source.read_exact(&mut table)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&table);
        let mut entries = Vec::new();
        let mut sum = table.len() as u64;
        for entry in table.as_chunks::<ENTRY>().0 {
            let [a, b, c, d, rest @ ..] = entry;
            let mut rest = rest.as_slice();
            let (size, count) = (u32::read(&mut rest), u64::read(&mut rest));
            sum = sum.saturating_add(u64::from(size).saturating_mul(count));
            entries.push(([*a, *b, *c, *d], size, count));
        }
        if sum != length {
            return Err(Fault::Damaged("its length is wrong"));
        }
        Ok(Self {
            source,
            hasher,
            entries: entries.into_iter(),
            buffer: Vec::new(),
        })
    }

    pub(super) fn section<T: Fixed>(&mut self, tag: [u8; 4]) -> Result<Vec<T>, Fault> {
        let (found, size, count) = self
            .entries
            .next()
            .ok_or(Fault::Damaged("a section is missing"))?;
        if found != tag || size as usize != T::SIZE {
            return Err(Fault::Damaged("a section is not the expected one"));
        }
        let mut left = usize::try_from(count).or(Err(Fault::Damaged("a section is too long")))?;
        let mut records = Vec::with_capacity(left);
        let at_once = CHUNK / T::SIZE;
        while left > 0 {
            let now = left.min(at_once);
            self.buffer.resize(now * T::SIZE, 0);
            self.source.read_exact(&mut self.buffer)?;
            self.hasher.update(&self.buffer);
            records.extend(
                self.buffer
                    .chunks_exact(T::SIZE)
                    .map(|mut bytes| T::read(&mut bytes)),
            );
            left -= now;
        }
        Ok(records)
    }

    /// Sums up what is left, without reading it.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        self.buffer.resize(CHUNK, 0);
        loop {
            let read = self.source.read(&mut self.buffer)?;
            self.hasher
                .update(self.buffer.get(..read).unwrap_or_default());
            if read == 0 {
                return Ok(());
            }
        }
    }

    /// Whether everything that passed has this checksum.
    pub(super) fn has_checksum(&self, id: [u8; 32]) -> bool {
        *self.hasher.finalize().as_bytes() == id
    }

    fn text(&mut self, tag: [u8; 4]) -> Result<String, Fault> {
        String::from_utf8(self.section(tag)?).or(Err(Fault::Damaged("a text is no UTF-8")))
    }
}

/// All sections but those that only an import reads.
pub(super) fn registry(decoder: &mut Decoder<impl Read>, id: [u8; 32]) -> Result<Registry, Fault> {
    let edition: Vec<u32> = decoder.section(*b"EDIT")?;
    let attribution = decoder.text(*b"ATTR")?;
    Ok(Registry {
        edition: read_edition(&edition, attribution, id)?,
        names: Names {
            text: decoder.text(*b"TEXT")?,
            ends: decoder.section(*b"NAME")?,
        },
        forms: decoder.section(*b"FORM")?,
        municipalities: decoder.section(*b"MUNI")?,
        quarters: decoder.section(*b"QUAR")?,
        city_parts: decoder.section(*b"CITY")?,
        streets: decoder.section(*b"STRE")?,
        areas: decoder.section(*b"AREA")?,
        postal_areas: decoder.section(*b"POST")?,
        places: decoder.section(*b"PLAC")?,
        on_streets: decoder.section(*b"ONST")?,
        on_streets_starts: Vec::new(),
    })
}

fn read_edition(numbers: &[u32], attribution: String, id: [u8; 32]) -> Result<Edition, Fault> {
    let [
        date,
        whole_country,
        municipalities,
        with_district,
        quarters,
        city_parts,
        streets,
        postal_codes,
        places,
        without_position,
        declined,
    ] = *numbers
    else {
        return Err(Fault::Damaged("the edition is not the expected one"));
    };
    let counts = Counts {
        municipalities,
        with_district,
        quarters,
        city_parts,
        streets,
        postal_codes,
        places,
        without_position,
        declined,
    };
    Ok(Edition {
        date,
        whole_country,
        attribution,
        counts,
        id,
    })
}
