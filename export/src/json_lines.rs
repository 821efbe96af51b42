//! Tables as JSON Lines: one object a line.

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::column::{Column, Value};
use crate::tables::Table;

/// A file of JSON Lines.
pub(crate) struct JsonLines {
    writer: BufWriter<File>,
    columns: Vec<Column>,
}

impl JsonLines {
    /// Begins an empty file.
    pub fn begin(file: File, table: &Table) -> Self {
        Self {
            writer: BufWriter::new(file),
            columns: table.columns.clone(),
        }
    }

    /// Writes a row as an object with all columns, `null` for unknown.
    pub fn write(&mut self, row: &[Value<'_>]) -> io::Result<()> {
        let object = Object {
            columns: &self.columns,
            row,
        };
        serde_json::to_writer(&mut self.writer, &object)?;
        self.writer.write_all(b"\n")
    }

    /// Writes an object that is JSON already.
    pub fn write_line(&mut self, object: &[u8]) -> io::Result<()> {
        self.writer.write_all(object)?;
        self.writer.write_all(b"\n")
    }

    /// Writes what is buffered.
    pub fn finish(self) -> io::Result<()> {
        let written = self.writer.into_inner();
        written.map(drop).map_err(IntoInnerError::into_error)
    }
}

struct Object<'a> {
    columns: &'a [Column],
    row: &'a [Value<'a>],
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.row.len()))?;
        for (column, value) in self.columns.iter().zip(self.row) {
            object.serialize_entry(column.name, value)?;
        }
        object.end()
    }
}
