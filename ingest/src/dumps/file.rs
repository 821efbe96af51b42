//! Writing observations to a dump file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use schema::Observation;

use super::source::{Compression, SourceError, compression_of, decompressed};
use super::write::write_line;

/// Whether a dump can be read to its end, and its last line is whole.
fn is_whole(path: &Path, compression: Compression) -> io::Result<bool> {
    if std::fs::metadata(path)?.len() == 0 {
        return Ok(true);
    }
    let mut reader = decompressed(BufReader::new(File::open(path)?), compression)?;
    let mut buffer = vec![0; 64 * 1024];
    let mut last = b'\n';
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(last == b'\n'),
            Ok(read) => last = buffer.get(read - 1).copied().unwrap_or(last),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_cut_off) => return Ok(false),
        }
    }
}

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
    /// Opens a dump file, compressed as the ending of its name says: `.jsonl`, `.jsonl.gz` or `.jsonl.zst`. An existing file
    /// is continued: a dump is a set of observations, so a crawl that was stopped and resumed may fill one file.
    ///
    /// # Errors
    /// [`SourceError`] if the name has another ending, if the file cannot be written, or if an existing file is cut off,
    /// so that what is added to it could not be read.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let Some(compression) = compression_of(path) else {
            return Err(SourceError::NotADump {
                path: path.to_owned(),
            });
        };
        let unwritable = |error| SourceError::Unwritable {
            path: path.to_owned(),
            error,
        };
        if path.exists() && !is_whole(path, compression).map_err(unwritable)? {
            return Err(SourceError::CutOff {
                path: path.to_owned(),
            });
        }
        let file = File::options().create(true).append(true).open(path);
        let file = BufWriter::new(file.map_err(unwritable)?);
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
