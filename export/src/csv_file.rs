//! Tables as comma-separated values (RFC 4180).

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError};

use crate::column::Value;
use crate::tables::Table;

/// A file of comma-separated values.
pub(crate) struct CsvFile(csv::Writer<BufWriter<File>>);

impl CsvFile {
    /// Begins with the header.
    pub fn begin(file: File, table: &Table) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(BufWriter::new(file));
        writer.write_record(table.columns.iter().map(|column| column.name))?;
        Ok(Self(writer))
    }

    /// Writes a row. Unknown is empty; times are as in JSON.
    pub fn write(&mut self, row: &[Value<'_>]) -> csv::Result<()> {
        for value in row {
            match value {
                Value::Unknown => self.0.write_field("")?,
                Value::Text(text) => self.0.write_field(text)?,
                Value::Number(number) => self.0.write_field(number.to_string())?,
                Value::WholeNumber(number) => self.0.write_field(number.to_string())?,
                Value::Flag(flag) => self.0.write_field(if *flag { "true" } else { "false" })?,
                Value::Time(time) => self.0.write_field(time.to_string())?,
                Value::Position(location) => {
                    let text = format!("POINT ({} {})", location.lng, location.lat);
                    self.0.write_field(text)?;
                }
            }
        }
        self.0.write_record(None::<&[u8]>)
    }

    /// Writes what is buffered.
    pub fn finish(self) -> io::Result<()> {
        let buffered = self.0.into_inner();
        let buffered = buffered.map_err(|failed| io::Error::other(failed.error().to_string()))?;
        buffered
            .into_inner()
            .map(drop)
            .map_err(IntoInnerError::into_error)
    }
}
