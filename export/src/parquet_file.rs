//! Tables as Apache Parquet, written column by column without Arrow, whose crates would take longer to build than all of
//! this.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{
    Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use schema::Location;

use crate::column::{Column, ColumnType, Value};
use crate::position::{self, Bounds};
use crate::tables::Table;

/// A row group ends at this number of rows, so that readers can read several groups at once…
const ROWS: usize = 131_072;
/// … or at this number of bytes of text, because a group is kept in memory until it is complete.
const BYTES: usize = 64 * 1024 * 1024;

/// A Parquet file.
pub(crate) struct ParquetFile {
    writer: SerializedFileWriter<File>,
    pub(crate) columns: Vec<Column>,
    pub(crate) group: Vec<Buffer>,
    rows: usize,
    bytes: usize,
    bounds: Option<Bounds>,
}

/// The values of one column of a row group, and for each row whether it has one (1) or not (0).
pub(crate) struct Buffer {
    pub(crate) values: Values,
    pub(crate) levels: Vec<i16>,
}

pub(crate) enum Values {
    Bytes(Vec<ByteArray>),
    Numbers(Vec<f64>),
    WholeNumbers(Vec<i32>),
    Flags(Vec<bool>),
    Times(Vec<i64>),
}

impl ParquetFile {
    /// Begins a file. `notes` are key and value pairs in its metadata.
    pub fn begin(file: File, table: &Table, notes: &[(&str, String)]) -> Result<Self> {
        let fields = table.columns.iter().map(field).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .build();
        let schema = Arc::new(schema.build()?);
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
        for (key, value) in notes {
            let note = KeyValue::new((*key).to_owned(), value.clone());
            writer.append_key_value_metadata(note);
        }
        Ok(Self {
            writer,
            columns: table.columns.clone(),
            group: table.columns.iter().map(Buffer::new).collect(),
            rows: 0,
            bytes: 0,
            bounds: None,
        })
    }

    /// Writes a row.
    pub fn write(&mut self, row: &[Value<'_>]) -> Result<()> {
        for (buffer, value) in self.group.iter_mut().zip(row) {
            buffer.push(*value);
            match value {
                Value::Text(text) => self.bytes += text.len(),
                Value::Position(location) => {
                    self.bounds = Some(Bounds::around(self.bounds, *location));
                }
                _ => {}
            }
        }
        self.rows += 1;
        self.end_group_in_time()
    }

    /// Notes rows that were added to the group, with the bytes and positions in them.
    pub(crate) fn added(
        &mut self,
        rows: usize,
        bytes: usize,
        positions: &[Location],
    ) -> Result<()> {
        self.rows += rows;
        self.bytes += bytes;
        for location in positions {
            self.bounds = Some(Bounds::around(self.bounds, *location));
        }
        self.end_group_in_time()
    }

    /// How many rows the group may still have.
    pub(crate) fn room(&self) -> usize {
        ROWS - self.rows
    }

    fn end_group_in_time(&mut self) -> Result<()> {
        if self.rows >= ROWS || self.bytes >= BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for (column, buffer) in self.columns.iter().zip(&mut self.group) {
            if let Some(mut writer) = group.next_column()? {
                let levels = (!column.is_required).then_some(buffer.levels.as_slice());
                buffer.values.write(&mut writer, levels)?;
                writer.close()?;
            }
            buffer.clear();
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes the last rows and the end of the file.
    pub fn finish(mut self) -> Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        if let Some(described) = position::metadata(&self.columns, self.bounds) {
            let note = KeyValue::new("geo".to_owned(), described.to_string());
            self.writer.append_key_value_metadata(note);
        }
        self.writer.close().map(drop)
    }
}

/// The column in the file's schema.
fn field(column: &Column) -> Result<TypePtr> {
    let (physical, logical) = match column.holds {
        ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Number => (PhysicalType::DOUBLE, None),
        ColumnType::WholeNumber => (PhysicalType::INT32, None),
        ColumnType::Flag => (PhysicalType::BOOLEAN, None),
        ColumnType::Time => {
            let in_utc = LogicalType::timestamp(true, TimeUnit::MILLIS);
            (PhysicalType::INT64, Some(in_utc))
        }
        ColumnType::Position => (PhysicalType::BYTE_ARRAY, None),
    };
    let repetition = if column.is_required {
        Repetition::REQUIRED
    } else {
        Repetition::OPTIONAL
    };
    let field = Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition);
    Ok(Arc::new(field.build()?))
}

impl Buffer {
    pub(crate) fn new(column: &Column) -> Self {
        Self {
            values: match column.holds {
                ColumnType::Text | ColumnType::Position => Values::Bytes(Vec::new()),
                ColumnType::Number => Values::Numbers(Vec::new()),
                ColumnType::WholeNumber => Values::WholeNumbers(Vec::new()),
                ColumnType::Flag => Values::Flags(Vec::new()),
                ColumnType::Time => Values::Times(Vec::new()),
            },
            levels: Vec::new(),
        }
    }

    fn push(&mut self, value: Value<'_>) {
        match (&mut self.values, value) {
            (Values::Bytes(all), Value::Text(text)) => all.push(ByteArray::from(text)),
            (Values::Bytes(all), Value::Position(location)) => {
                all.push(ByteArray::from(position::well_known_binary(location)));
            }
            (Values::Numbers(all), Value::Number(number)) => all.push(number),
            (Values::WholeNumbers(all), Value::WholeNumber(number)) => all.push(number),
            (Values::Flags(all), Value::Flag(flag)) => all.push(flag),
            (Values::Times(all), Value::Time(time)) => all.push(time.millis()),
            // Unknown. (The columns of a table and its rows are made side by side, so no other type comes here.)
            _ => {
                self.levels.push(0);
                return;
            }
        }
        self.levels.push(1);
    }

    fn clear(&mut self) {
        self.levels.clear();
        match &mut self.values {
            Values::Bytes(all) => all.clear(),
            Values::Numbers(all) => all.clear(),
            Values::WholeNumbers(all) => all.clear(),
            Values::Flags(all) => all.clear(),
            Values::Times(all) => all.clear(),
        }
    }
}

impl Values {
    fn write(&self, writer: &mut SerializedColumnWriter<'_>, levels: Option<&[i16]>) -> Result<()> {
        match self {
            Self::Bytes(all) => write::<ByteArrayType>(writer, all, levels),
            Self::Numbers(all) => write::<DoubleType>(writer, all, levels),
            Self::WholeNumbers(all) => write::<Int32Type>(writer, all, levels),
            Self::Flags(all) => write::<BoolType>(writer, all, levels),
            Self::Times(all) => write::<Int64Type>(writer, all, levels),
        }
    }
}

fn write<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    writer.typed::<T>().write_batch(values, levels, None)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn row_groups_end_in_time_and_no_row_is_lost_between_them() {
        let table = Table {
            name: "points",
            columns: vec![
                Column::required("number", ColumnType::WholeNumber),
                Column::optional("even", ColumnType::Flag),
                Column::optional("point", ColumnType::Position),
            ],
        };
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut written = ParquetFile::begin(
            file.reopen().unwrap(),
            &table,
            &[("by", "a test".to_owned())],
        )
        .unwrap();
        let rows = i32::try_from(ROWS).unwrap() + 5;
        for number in 0..rows {
            let even = number % 2 == 0;
            let lng = f64::from(number) / 1e6;
            written
                .write(&[
                    Value::WholeNumber(number),
                    if even {
                        Value::Flag(true)
                    } else {
                        Value::Unknown
                    },
                    Value::Position(Location { lat: 50.0, lng }),
                ])
                .unwrap();
        }
        written.finish().unwrap();
        let reader = SerializedFileReader::new(file.reopen().unwrap()).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut next = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            assert_eq!(row.get_int(0).unwrap(), next);
            assert_eq!(row.get_bool(1).is_ok(), next % 2 == 0);
            next += 1;
        }
        assert_eq!(next, rows);
        let notes = reader.metadata().file_metadata().key_value_metadata();
        let geo = notes
            .unwrap()
            .iter()
            .find(|note| note.key == "geo")
            .unwrap();
        let east = f64::from(rows - 1) / 1e6;
        let expected = format!("\"bbox\":[0.0,50.0,{east},50.0]");
        let geo = geo.value.clone().unwrap();
        assert!(geo.contains(&expected), "{geo}");
    }
}
