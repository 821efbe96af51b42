//! Writing observations to a dump file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use schema::Observation;

use super::source::{Compression, SourceError, compression_of};
use super::write::write_line;

/// A dump file that is being written.
pub struct DumpFile {
    writer: Writer,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl DumpFile {
    /// Creates a dump file, compressed as the ending of its name says: `.jsonl`, `.jsonl.gz` or `.jsonl.zst`. An existing
    /// file is replaced.
    ///
    /// # Errors
    /// [`SourceError`] if the name has another ending, or if the file cannot be created.
    pub fn create(path: &Path) -> Result<Self, SourceError> {
        let Some(compression) = compression_of(path) else {
            return Err(SourceError::NotADump {
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

    /// Writes observations, one on each line.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write<'a>(
        &mut self,
        observations: impl IntoIterator<Item = &'a Observation>,
    ) -> io::Result<()> {
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

    /// Writes the end of the dump.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.writer {
            Writer::Plain(file) => file,
            Writer::Gzip(encoder) => encoder.finish()?,
            Writer::Zstd(encoder) => encoder.finish()?,
        };
        file.flush()
    }
}
