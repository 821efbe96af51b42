//! A table that is being written, in any format.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::File;

use crate::column::Value;
use crate::csv_file::CsvFile;
use crate::error::ExportError;
use crate::format::Format;
use crate::json_lines::JsonLines;
use crate::parquet_file::ParquetFile;
use crate::tables::Table;

/// A table that is being written.
pub(crate) struct TableFile {
    name: &'static str,
    rows: u64,
    writer: Writer,
}

enum Writer {
    Parquet(Box<ParquetFile>),
    Csv(Box<CsvFile>),
    JsonLines(JsonLines),
}

impl TableFile {
    /// Begins a table. `change` is the change number of the state that it shows.
    pub fn begin(
        file: File,
        table: &Table,
        format: Format,
        change: i64,
    ) -> Result<Self, ExportError> {
        let failed = failure(table.name);
        let notes = [("jeden:seq", change.to_string())];
        let writer = match format {
            Format::Parquet => {
                let file = ParquetFile::begin(file, table, &notes);
                Writer::Parquet(Box::new(file.map_err(|error| failed(&error))?))
            }
            Format::Csv => {
                let file = CsvFile::begin(file, table);
                Writer::Csv(Box::new(file.map_err(|error| failed(&error))?))
            }
            Format::JsonLines => Writer::JsonLines(JsonLines::begin(file, table)),
        };
        Ok(Self {
            name: table.name,
            rows: 0,
            writer,
        })
    }

    /// Writes a row.
    pub fn write(&mut self, row: &[Value<'_>]) -> Result<(), ExportError> {
        let failed = failure(self.name);
        match &mut self.writer {
            Writer::Parquet(file) => file.write(row).map_err(|error| failed(&error))?,
            Writer::Csv(file) => file.write(row).map_err(|error| failed(&error))?,
            Writer::JsonLines(file) => file.write(row).map_err(|error| failed(&error))?,
        }
        self.rows += 1;
        Ok(())
    }

    /// Writes a row that is JSON already, if the format is JSON Lines; `false` if it is another.
    pub fn write_json(&mut self, object: &[u8]) -> Result<bool, ExportError> {
        let Writer::JsonLines(file) = &mut self.writer else {
            return Ok(false);
        };
        let failed = failure(self.name);
        file.write_line(object).map_err(|error| failed(&error))?;
        self.rows += 1;
        Ok(true)
    }

    /// Takes over the rows of a table of Parquet, except for those of some records. The error says what is wrong.
    pub fn copy(&mut self, from: File, left_out: &HashSet<&str>) -> Result<(), String> {
        let Writer::Parquet(file) = &mut self.writer else {
            return Err("only tables of Parquet are copied".to_owned());
        };
        let copied = file.copy(from, left_out);
        self.rows += copied.map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Writes the end, and returns the number of rows.
    pub fn finish(self) -> Result<u64, ExportError> {
        let failed = failure(self.name);
        match self.writer {
            Writer::Parquet(file) => file.finish().map_err(|error| failed(&error))?,
            Writer::Csv(file) => file.finish().map_err(|error| failed(&error))?,
            Writer::JsonLines(file) => file.finish().map_err(|error| failed(&error))?,
        }
        Ok(self.rows)
    }
}

fn failure(table: &'static str) -> impl Fn(&dyn Display) -> ExportError {
    move |error| ExportError::Table {
        table,
        reason: error.to_string(),
    }
}
