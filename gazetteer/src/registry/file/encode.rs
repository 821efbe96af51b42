//! From a registry to the bytes of its file.

use super::super::Registry;
use super::super::edition::Edition;
use super::super::sources::Sources;
use super::fixed::Fixed;
use super::{HEAD, MAGIC, VERSION};

/// Writes sections.
struct Encoder {
    entries: Vec<u8>,
    body: Vec<u8>,
    count: u32,
}

impl Encoder {
    fn section<T: Fixed>(&mut self, tag: [u8; 4], records: &[T]) {
        self.count += 1;
        self.entries.extend_from_slice(&tag);
        (T::SIZE as u32).write(&mut self.entries);
        (records.len() as u64).write(&mut self.entries);
        self.body.reserve(records.len() * T::SIZE);
        for record in records {
            record.write(&mut self.body);
        }
    }
}

/// The bytes of the file, and the edition's id.
pub(in crate::registry) fn encode(registry: &Registry, sources: &Sources) -> (Vec<u8>, [u8; 32]) {
    let mut encoder = Encoder {
        entries: Vec::new(),
        body: Vec::new(),
        count: 0,
    };
    let edition = &registry.edition;
    encoder.section(*b"EDIT", &edition_record(edition));
    encoder.section(*b"ATTR", edition.attribution.as_bytes());
    encoder.section(*b"TEXT", registry.names.text.as_bytes());
    encoder.section(*b"NAME", &registry.names.ends);
    encoder.section(*b"FORM", &registry.forms);
    encoder.section(*b"MUNI", &registry.municipalities);
    encoder.section(*b"QUAR", &registry.quarters);
    encoder.section(*b"CITY", &registry.city_parts);
    encoder.section(*b"STRE", &registry.streets);
    encoder.section(*b"AREA", &registry.areas);
    encoder.section(*b"POST", &registry.postal_areas);
    encoder.section(*b"PLAC", &registry.places);
    encoder.section(*b"ONST", &registry.on_streets);
    // What only an import reads stands last.
    encoder.section(*b"TABL", &sources.tables);
    encoder.section(*b"SHAD", &sources.shadowed);
    encoder.section(*b"FACT", &sources.facts);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&encoder.entries);
    hasher.update(&encoder.body);
    let id = *hasher.finalize().as_bytes();
    let mut bytes = Vec::with_capacity(HEAD + encoder.entries.len() + encoder.body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&encoder.count.to_le_bytes());
    bytes.extend_from_slice(&id);
    bytes.append(&mut encoder.entries);
    bytes.append(&mut encoder.body);
    (bytes, id)
}

fn edition_record(edition: &Edition) -> [u32; 11] {
    let counts = &edition.counts;
    [
        edition.date,
        edition.whole_country,
        counts.municipalities,
        counts.with_district,
        counts.quarters,
        counts.city_parts,
        counts.streets,
        counts.postal_codes,
        counts.places,
        counts.without_position,
        counts.declined,
    ]
}
