//! Observations written to a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use schema::Observation;

use super::source::{Compression, SourceError, compression_of};
use super::write::write_line;

/// A dump that is being written.
pub struct DumpFile {
    writer: Writer,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl DumpFile {
    /// Begins a dump, compressed as the ending of its name says: `.jsonl`, `.jsonl.gz`, `.jsonl.zst`. A file that is
    /// there is written anew.
    ///
    /// # Errors
    /// [`SourceError`] where the name is that of no dump, or the file cannot be made.
    pub fn create(path: &Path) -> Result<Self, SourceError> {
        let Some(compression) = compression_of(path) else {
            return Err(SourceError::NoDump {
                path: path.to_owned(),
            });
        };
        let unwritable = |error| SourceError::Unwritable {
            path: path.to_owned(),
            error,
        };
        let file = BufWriter::new(File::create(path).map_err(unwritable)?);
        let writer = match compression {
            Compression::None => Writer::Plain(file),
            Compression::Gzip => Writer::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Zstd => Writer::Zstd(
                zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(unwritable)?,
            ),
        };
        Ok(Self { writer })
    }

    /// Writes observations, a line each.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, observations: &[Observation]) -> io::Result<()> {
        let writer: &mut dyn Write = match &mut self.writer {
            Writer::Plain(file) => file,
            Writer::Gzip(encoder) => encoder,
            Writer::Zstd(encoder) => encoder,
        };
        for observation in observations {
            writer.write_all(write_line(observation).as_bytes())?;
            writer.write_all(b"\n")?;
        }
        writer.flush()
    }

    /// Ends the dump.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.writer {
            Writer::Plain(file) => file,
            Writer::Gzip(encoder) => encoder.finish()?,
            Writer::Zstd(encoder) => encoder.finish()?,
        };
        file.flush()
    }
}
