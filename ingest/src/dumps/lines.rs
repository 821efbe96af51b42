//! The lines of dumps, one after the other, in constant memory.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::LineError;
use super::source::Source;

/// The longest line that is read, in bytes. The longest pages of portals are two orders below it.
pub const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// How much of an overlong line is kept for the rejects.
const KEPT_OF_OVERLONG: usize = 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line of a dump that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpLine {
    /// The dump, as it was named.
    pub source: Arc<str>,
    /// The number of the line in it, from 1.
    pub number: u64,
    /// The bytes of the line without its end; the first kilobyte of one that is too long.
    pub content: Vec<u8>,
    /// Why the line was not even taken in whole.
    pub error: Option<LineError>,
}

/// A dump that ended before its end: cut off, damaged, or not readable at all. What came before counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncation {
    /// The dump, as it was named.
    pub source: Arc<str>,
    /// How many lines were read before.
    pub lines: u64,
    /// What went wrong.
    pub reason: String,
}

/// What comes out of dumps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A line.
    Line(DumpLine),
    /// A dump broke off; the next one follows.
    Truncated(Truncation),
}

/// The lines of `sources`, in their order. At most [`LONGEST_LINE`] bytes of a line are held.
pub fn lines(sources: Vec<Source>) -> Lines {
    Lines {
        sources: sources.into_iter(),
        current: None,
        bytes_read: Arc::default(),
        longest: LONGEST_LINE,
    }
}

/// The iterator behind [`lines`](lines()).
pub struct Lines {
    sources: std::vec::IntoIter<Source>,
    current: Option<Current>,
    bytes_read: Arc<AtomicU64>,
    longest: usize,
}

struct Current {
    source: Arc<str>,
    reader: Box<dyn BufRead + Send>,
    lines: u64,
}

impl Lines {
    /// How many bytes of the dumps have been read so far, before decompression: against the sum of
    /// [`Source::bytes`], how far the reading is.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// The same with another limit on the length of a line, in bytes.
    #[must_use]
    pub fn longest(self, longest: usize) -> Self {
        Self { longest, ..self }
    }

    fn open(&mut self, source: Source) -> Option<Item> {
        let name = Arc::clone(source.name());
        match source.open(Arc::clone(&self.bytes_read)) {
            Ok(reader) => {
                self.current = Some(Current {
                    source: name,
                    reader,
                    lines: 0,
                });
                None
            }
            Err(error) => Some(Item::Truncated(Truncation {
                source: name,
                lines: 0,
                reason: error.to_string(),
            })),
        }
    }
}

impl Iterator for Lines {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let Some(current) = &mut self.current else {
                let source = self.sources.next()?;
                match self.open(source) {
                    Some(item) => return Some(item),
                    None => continue,
                }
            };
            match current.next_line(self.longest) {
                Ok(Some(line)) if line.error.is_none() && line.content.trim_ascii().is_empty() => {}
                Ok(Some(line)) => return Some(Item::Line(line)),
                Ok(None) => self.current = None,
                Err(error) => {
                    let source = Arc::clone(&current.source);
                    let lines = current.lines;
                    self.current = None;
                    return Some(Item::Truncated(Truncation {
                        source,
                        lines,
                        reason: error.to_string(),
                    }));
                }
            }
        }
    }
}

impl Current {
    /// The next line, blank ones included; `None` at the end. The piece of a line before an error is dropped.
    fn next_line(&mut self, longest: usize) -> io::Result<Option<DumpLine>> {
        let Some((mut content, overlong)) = read_line(&mut self.reader, longest)? else {
            return Ok(None);
        };
        self.lines += 1;
        if self.lines == 1 && content.starts_with(BYTE_ORDER_MARK) {
            content.drain(..BYTE_ORDER_MARK.len());
        }
        if content.last() == Some(&b'\r') {
            content.pop();
        }
        let error = overlong.then_some(LineError::TooLong { limit: longest });
        Ok(Some(DumpLine {
            source: Arc::clone(&self.source),
            number: self.lines,
            content,
            error,
        }))
    }
}

/// One line without its newline, and whether it was longer than `longest`, in which case only its beginning is
/// returned. `None` at the end.
fn read_line(reader: &mut impl BufRead, longest: usize) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut line = Vec::new();
    reader
        .by_ref()
        .take(longest as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if line.pop_if(|last| *last == b'\n').is_some() {
        return Ok(Some((line, false)));
    }
    if line.len() <= longest {
        return Ok((!line.is_empty()).then_some((line, false)));
    }
    reader.skip_until(b'\n')?;
    line.truncate(KEPT_OF_OVERLONG);
    line.shrink_to_fit();
    Ok(Some((line, true)))
}
