//! Reading dumps line by line in constant memory.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::LineError;
use super::source::Source;

/// The longest line that is accepted. The longest pages of portals are two orders of magnitude shorter.
const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// How many bytes of a line that is too long are kept for the rejects.
const KEPT_BYTES: usize = 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of a dump that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpLine {
    /// The name of the dump.
    pub source: Arc<str>,
    /// The number of the line in the dump, from 1.
    pub number: u64,
    /// The bytes of the line without its end. Only the first kilobyte if the line is too long.
    pub content: Vec<u8>,
    /// Set if the line is too long.
    pub error: Option<LineError>,
}

/// A dump that ended prematurely because it is cut off, damaged or unreadable. The lines before that count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncation {
    /// The name of the dump.
    pub source: Arc<str>,
    /// How many lines were read before that.
    pub lines: u64,
    /// What is wrong.
    pub reason: String,
}

/// What [`Lines`] yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DumpItem {
    /// A line.
    Line(DumpLine),
    /// A dump ended prematurely. The next dump follows.
    Truncated(Truncation),
}

/// Reads the lines of all `sources` in order. Lines of more than 64 MiB are not kept in memory.
pub fn read_lines(sources: Vec<Source>) -> Lines {
    Lines {
        sources: sources.into_iter(),
        current: None,
        bytes_read: Arc::default(),
        max_line_bytes: MAX_LINE_BYTES,
    }
}

/// The iterator that [`read_lines`] returns.
pub struct Lines {
    sources: std::vec::IntoIter<Source>,
    current: Option<CurrentDump>,
    bytes_read: Arc<AtomicU64>,
    max_line_bytes: usize,
}

struct CurrentDump {
    source: Arc<str>,
    reader: Box<dyn BufRead + Send>,
    lines: u64,
}

impl Lines {
    /// How many bytes of the dumps have been read so far, before decompression. Compared with the sum of
    /// [`Source::bytes`], it tells how far the reading has got.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// The same lines, with another limit on the length of a line.
    #[must_use]
    pub fn with_max_line_bytes(self, max_line_bytes: usize) -> Self {
        Self {
            max_line_bytes,
            ..self
        }
    }

    fn open(&mut self, source: Source) -> Option<DumpItem> {
        let name = Arc::clone(source.name());
        match source.open(Arc::clone(&self.bytes_read)) {
            Ok(reader) => {
                self.current = Some(CurrentDump {
                    source: name,
                    reader,
                    lines: 0,
                });
                None
            }
            Err(error) => Some(DumpItem::Truncated(Truncation {
                source: name,
                lines: 0,
                reason: error.to_string(),
            })),
        }
    }
}

impl Iterator for Lines {
    type Item = DumpItem;

    fn next(&mut self) -> Option<DumpItem> {
        loop {
            let Some(current) = &mut self.current else {
                let source = self.sources.next()?;
                match self.open(source) {
                    Some(item) => return Some(item),
                    None => continue,
                }
            };
            match current.next_line(self.max_line_bytes) {
                Ok(Some(line)) if line.error.is_none() && line.content.trim_ascii().is_empty() => {}
                Ok(Some(line)) => return Some(DumpItem::Line(line)),
                Ok(None) => self.current = None,
                Err(error) => {
                    let source = Arc::clone(&current.source);
                    let lines = current.lines;
                    self.current = None;
                    return Some(DumpItem::Truncated(Truncation {
                        source,
                        lines,
                        reason: error.to_string(),
                    }));
                }
            }
        }
    }
}

impl CurrentDump {
    /// The next line, which may be blank. `None` at the end. If reading fails within a line, the line is dropped.
    fn next_line(&mut self, max_bytes: usize) -> io::Result<Option<DumpLine>> {
        let Some((mut content, overlong)) = read_line(&mut self.reader, max_bytes)? else {
            return Ok(None);
        };
        self.lines += 1;
        if self.lines == 1 && content.starts_with(BYTE_ORDER_MARK) {
            content.drain(..BYTE_ORDER_MARK.len());
        }
        if content.last() == Some(&b'\r') {
            content.pop();
        }
        let error = overlong.then_some(LineError::TooLong { limit: max_bytes });
        Ok(Some(DumpLine {
            source: Arc::clone(&self.source),
            number: self.lines,
            content,
            error,
        }))
    }
}

/// The next line without its newline, and whether it is longer than `max_bytes`. Only the beginning of such a line is
/// returned. `None` at the end.
fn read_line(reader: &mut impl BufRead, max_bytes: usize) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut line = Vec::new();
    reader
        .by_ref()
        .take(max_bytes as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if line.pop_if(|last| *last == b'\n').is_some() {
        return Ok(Some((line, false)));
    }
    if line.len() <= max_bytes {
        return Ok((!line.is_empty()).then_some((line, false)));
    }
    reader.skip_until(b'\n')?;
    line.truncate(KEPT_BYTES);
    line.shrink_to_fit();
    Ok(Some((line, true)))
}
