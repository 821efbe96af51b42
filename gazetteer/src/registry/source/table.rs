//! A published table: a text in one of two encodings, columns by name, rows by line.

use std::borrow::Cow;

use czech::fold_name;

/// The text of a published file. ČÚZK writes windows-1250, some lists and most copies are UTF-8; a text in
/// windows-1250 with any accent in it is no UTF-8.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
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

/// The columns of a table, by folded name: `Kód ADM` and `KOD_ADM` are one.
#[derive(Debug)]
pub(super) struct Header(Vec<String>);

impl Header {
    /// Where the column with one of these folded names stands.
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
    /// Reads the header. Nothing is quoted in these tables, and a quotation mark is a character of a name.
    pub fn open(text: &'a str) -> Self {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b';')
            .quoting(false)
            .flexible(true)
            .has_headers(true)
            // Lines are counted wrongly where a line may end in two bytes; the first of them is trimmed off instead.
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(text.as_bytes());
        // The text is UTF-8 and any row is accepted: reading it cannot fail.
        let header = reader
            .headers()
            .map(|names| names.iter().map(fold_name).collect())
            .unwrap_or_default();
        Self {
            reader,
            header: Header(header),
        }
    }

    /// Reads the next row into `record`, and says on which line it stands. Empty lines are passed over.
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

/// The field of a row, trimmed; an absent one is empty.
pub(super) fn field(record: &csv::StringRecord, column: Option<usize>) -> &str {
    column
        .and_then(|column| record.get(column))
        .map_or("", |value| value.trim_matches([' ', '"', '\r', '\u{a0}']))
}

/// Reads a code or number. Some copies write `10,0` for 10.
pub(super) fn number(value: &str) -> Option<u32> {
    let value = value
        .strip_suffix(",0")
        .or_else(|| value.strip_suffix(".0"))
        .unwrap_or(value);
    value.parse().ok()
}

/// A date as the tables write it, `2017-06-07T00:00:00` or `07.06.2017`, as `YYYYMMDD`; 0 where it is none.
pub(super) fn date(value: &str) -> u32 {
    let day = value.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<u32> = day
        .split(['-', '.'])
        .map_while(|part| part.parse().ok())
        .collect();
    let (year, month, day) = match *parts.as_slice() {
        [year, month, day] if year > 999 => (year, month, day),
        [day, month, year] => (year, month, day),
        _ => return 0,
    };
    let is_date =
        (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if is_date {
        year * 10_000 + month * 100 + day
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(text("Žižkov".as_bytes()), "Žižkov");
        assert_eq!(text("\u{feff}Žižkov".as_bytes()), "Žižkov");
        assert_eq!(text(b"\x8ei\x9ekov"), "Žižkov");
    }

    #[test]
    fn dates_and_numbers_are_read_as_every_product_writes_them() {
        assert_eq!(date("2017-06-07T00:00:00"), 20_170_607);
        assert_eq!(date("29.06.2017"), 20_170_629);
        assert_eq!(date(""), 0);
        assert_eq!(date("99.99.9999"), 0);
        assert_eq!(number("10,0"), Some(10));
        assert_eq!(number("10"), Some(10));
        assert_eq!(number("-1"), None);
    }
}
