//! A published table: text in one of two encodings, columns by name, rows by line.

use czech::fold_name;
use std::borrow::Cow;

/// The text of a published file. ČÚZK writes address tables in windows-1250 and some lists in UTF-8. Accented
/// letters in windows-1250 are not valid UTF-8, so the bytes tell which of the two it is.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            encoding_rs::WINDOWS_1250
                .decode_without_bom_handling(bytes)
                .0
        }
    }
}

/// The columns of a table, by folded name: `Kód ADM` and `KOD_ADM` are the same column.
#[derive(Debug)]
pub(super) struct Header(Vec<String>);

impl Header {
    /// The position of the column with one of these folded names.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        self.0
            .iter()
            .position(|column| names.contains(&column.as_str()))
    }

    pub fn has(&self, name: &str) -> bool {
        self.column(&[name]).is_some()
    }

    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// The names, for messages.
    pub fn shown(&self) -> String {
        let shown: String = self.0.join(";").chars().take(120).collect();
        if shown.is_empty() {
            "nothing".to_owned()
        } else {
            shown
        }
    }
}

/// A table being read.
pub(super) struct Table<'a> {
    reader: csv::Reader<&'a [u8]>,
    pub header: Header,
}

impl<'a> Table<'a> {
    /// Reads the header. These tables never quote a field, so a quotation mark is part of a name.
    pub fn open(text: &'a str) -> Self {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b';')
            .quoting(false)
            .flexible(true)
            .has_headers(true)
            // The reader miscounts lines that end in CRLF if it is told about them; `field` trims the CR instead.
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(text.as_bytes());
        // The text is valid UTF-8 and rows of any length are accepted, so reading it cannot fail.
        let header = reader
            .headers()
            .map(|names| names.iter().map(fold_name).collect())
            .unwrap_or_default();
        Self {
            reader,
            header: Header(header),
        }
    }

    /// Reads the next row into `record` and returns its line. Empty lines are skipped.
    pub fn next(&mut self, record: &mut csv::StringRecord) -> Option<u64> {
        loop {
            match self.reader.read_record(record) {
                Ok(true) if record.len() == 1 && field(record, Some(0)).is_empty() => {}
                Ok(true) => return Some(record.position().map_or(0, csv::Position::line)),
                Ok(false) | Err(_) => return None,
            }
        }
    }
}

/// The field of a row, trimmed; empty if the column is missing.
pub(super) fn field(record: &csv::StringRecord, column: Option<usize>) -> &str {
    column
        .and_then(|column| record.get(column))
        .map_or("", |value| value.trim_matches([' ', '"', '\r', '\u{a0}']))
}

/// Reads a code or a number.
pub(super) fn parse_number(value: &str) -> Option<u32> {
    value.parse().ok()
}

/// Reads a date such as `2017-06-07T00:00:00` as `YYYYMMDD`; 0 if it is not a date.
pub(super) fn parse_date(value: &str) -> u32 {
    let day = value.split('T').next().unwrap_or_default();
    let parts: Vec<u32> = day.split('-').map_while(|part| part.parse().ok()).collect();
    match *parts.as_slice() {
        [year @ 1000..=9999, month @ 1..=12, day @ 1..=31] => year * 10_000 + month * 100 + day,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(decode("Žižkov".as_bytes()), "Žižkov");
        assert_eq!(decode("\u{feff}Žižkov".as_bytes()), "Žižkov");
        assert_eq!(decode(b"\x8ei\x9ekov"), "Žižkov");
    }

    #[test]
    fn dates_and_numbers_are_read_as_published() {
        assert_eq!(parse_date("2017-06-07T00:00:00"), 20_170_607);
        assert_eq!(parse_date("2018-01-01"), 20_180_101);
        for wrong in ["", "29.06.2017", "9999-99-99", "2017-06"] {
            assert_eq!(parse_date(wrong), 0, "{wrong}");
        }
        assert_eq!(parse_number("10"), Some(10));
        assert_eq!(parse_number("10,0"), None);
        assert_eq!(parse_number("-1"), None);
    }
}
