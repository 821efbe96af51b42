//! Tables with the truth, plain or compressed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use dedup::evaluation::TruthError;

/// Reads a table, `.csv`, `.csv.gz` or `.csv.zst`; its first bytes tell how it is compressed.
pub fn read_table<T>(
    path: &Path,
    parse: fn(Box<dyn Read>) -> Result<T, TruthError>,
) -> anyhow::Result<T> {
    let reader = open(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(reader).with_context(|| path.display().to_string())
}

fn open(path: &Path) -> std::io::Result<Box<dyn Read>> {
    let mut reader = BufReader::new(File::open(path)?);
    Ok(match reader.fill_buf()? {
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(reader)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(zstd::Decoder::with_buffer(reader)?),
        _ => Box::new(reader),
    })
}
