//! Copying the rows of a Parquet file into one that is being written, without those of some records.

use std::collections::HashSet;
use std::fs::File;
use std::iter::zip;

use parquet::column::reader::ColumnReader;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::column::{Column, ColumnType};
use crate::parquet_file::{Buffer, ParquetFile, Values};
use crate::position;

/// The number of rows that are copied together: a row group ends at most this much late.
const TOGETHER: usize = 1_024;

impl ParquetFile {
    /// Takes over the rows of another file with the same columns, except for those whose first column, the id of their
    /// record, is among `left_out`. Returns how many there were.
    pub(crate) fn copy(&mut self, from: File, left_out: &HashSet<&str>) -> Result<u64> {
        let reader = SerializedFileReader::new(from)?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let found = schema.columns().iter().map(|column| column.name());
        if !found.eq(self.columns.iter().map(|column| column.name)) {
            let reason = "it has the columns of another version of jeden";
            return Err(ParquetError::General(reason.to_owned()));
        }
        let mut copied = 0;
        for number in 0..reader.num_row_groups() {
            let group = reader.get_row_group(number)?;
            let rows = group.metadata().num_rows() as usize;
            let mut old = Vec::with_capacity(self.columns.len());
            for (index, column) in self.columns.iter().enumerate() {
                old.push(OldColumn::read(
                    column,
                    group.get_column_reader(index)?,
                    rows,
                )?);
            }
            copied += self.copy_group(&mut old, left_out)?;
        }
        Ok(copied)
    }

    fn copy_group(&mut self, old: &mut [OldColumn], left_out: &HashSet<&str>) -> Result<u64> {
        let kept = match old.first().map(|ids| &ids.buffer.values) {
            Some(Values::Bytes(ids)) => ids
                .iter()
                .map(|id| Ok(!left_out.contains(id.as_utf8()?)))
                .collect::<Result<Vec<bool>>>()?,
            _ => Vec::new(),
        };
        let (mut copied, mut rest) = (0, kept.as_slice());
        while !rest.is_empty() {
            let (next, later) = rest.split_at(rest.len().min(TOGETHER).min(self.room()));
            let (mut bytes, mut positions) = (0, Vec::new());
            for ((own, old), column) in zip(zip(&mut self.group, &mut *old), &self.columns) {
                let taken = own.take(old, next);
                match (column.holds, &own.values) {
                    (ColumnType::Text, Values::Bytes(all)) => {
                        let new = all.iter().rev().take(taken);
                        bytes += new.map(ByteArray::len).sum::<usize>();
                    }
                    (ColumnType::Position, Values::Bytes(all)) => {
                        let new = all.iter().rev().take(taken);
                        positions.extend(new.filter_map(|point| position::location(point.data())));
                    }
                    _ => {}
                }
            }
            let rows = next.iter().filter(|is_kept| **is_kept).count();
            self.added(rows, bytes, &positions)?;
            copied += rows as u64;
            rest = later;
        }
        Ok(copied)
    }
}

/// A column of a row group that is copied, and how far.
struct OldColumn {
    buffer: Buffer,
    row: usize,
    value: usize,
}

impl OldColumn {
    fn read(column: &Column, reader: ColumnReader, rows: usize) -> Result<Self> {
        let mut buffer = Buffer::new(column);
        let levels = &mut buffer.levels;
        match &mut buffer.values {
            Values::Bytes(all) => read::<ByteArrayType>(reader, rows, levels, all)?,
            Values::Numbers(all) => read::<DoubleType>(reader, rows, levels, all)?,
            Values::WholeNumbers(all) => read::<Int32Type>(reader, rows, levels, all)?,
            Values::Flags(all) => read::<BoolType>(reader, rows, levels, all)?,
            Values::Times(all) => read::<Int64Type>(reader, rows, levels, all)?,
        }
        if column.is_required {
            buffer.levels.resize(rows, 1);
        }
        Ok(Self {
            buffer,
            row: 0,
            value: 0,
        })
    }
}

/// Reads a column of a row group.
fn read<T: DataType>(
    reader: ColumnReader,
    rows: usize,
    levels: &mut Vec<i16>,
    values: &mut Vec<T::T>,
) -> Result<()> {
    let other = || ParquetError::General("a column has another type".to_owned());
    let mut reader = T::get_column_reader(reader).ok_or_else(other)?;
    let mut left = rows;
    while left > 0 {
        let (read, ..) = reader.read_records(left, Some(levels), None, values)?;
        if read == 0 {
            let reason = "a row group has fewer rows than it says";
            return Err(ParquetError::General(reason.to_owned()));
        }
        left -= read;
    }
    Ok(())
}

impl Buffer {
    /// Takes over the next rows of a column that are kept. Returns the number of values.
    fn take(&mut self, old: &mut OldColumn, kept: &[bool]) -> usize {
        let levels = old.buffer.levels.iter().skip(old.row);
        // For each value of these rows, whether it is kept.
        let mut values = Vec::with_capacity(kept.len());
        for (level, is_kept) in zip(levels, kept) {
            if *is_kept {
                self.levels.push(*level);
            }
            if *level > 0 {
                values.push(*is_kept);
            }
        }
        old.row += kept.len();
        let from = old.value;
        old.value += values.len();
        match (&mut self.values, &old.buffer.values) {
            (Values::Bytes(to), Values::Bytes(all)) => take(to, all, from, &values),
            (Values::Numbers(to), Values::Numbers(all)) => take(to, all, from, &values),
            (Values::WholeNumbers(to), Values::WholeNumbers(all)) => take(to, all, from, &values),
            (Values::Flags(to), Values::Flags(all)) => take(to, all, from, &values),
            (Values::Times(to), Values::Times(all)) => take(to, all, from, &values),
            // Both are made for the same column.
            _ => 0,
        }
    }
}

fn take<T: Clone>(to: &mut Vec<T>, all: &[T], from: usize, kept: &[bool]) -> usize {
    let before = to.len();
    let values = zip(all.iter().skip(from), kept);
    to.extend(
        values
            .filter(|(_, is_kept)| **is_kept)
            .map(|(value, _)| value.clone()),
    );
    to.len() - before
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use parquet::record::Row;
    use schema::Location;

    use super::*;
    use crate::column::Value;
    use crate::tables::Table;

    fn table() -> Table {
        Table {
            name: "things",
            columns: vec![
                Column::required("id", ColumnType::Text),
                Column::optional("number", ColumnType::Number),
                Column::optional("whole", ColumnType::WholeNumber),
                Column::optional("flag", ColumnType::Flag),
                Column::required("at", ColumnType::Time),
                Column::optional("point", ColumnType::Position),
            ],
        }
    }

    fn begin(file: &File) -> ParquetFile {
        ParquetFile::begin(file.try_clone().unwrap(), &table(), &[]).unwrap()
    }

    /// Writes a row whose values follow from its number; every third one is unknown.
    fn write(file: &mut ParquetFile, number: i32) {
        let id = format!("id{number}");
        let known = |value| {
            if number % 3 == 0 {
                Value::Unknown
            } else {
                value
            }
        };
        let lng = 12.0 + f64::from(number) / 1e6;
        let row = [
            Value::Text(&id),
            known(Value::Number(f64::from(number) / 8.0)),
            known(Value::WholeNumber(number)),
            Value::Flag(number % 2 == 0),
            Value::Time(schema::Timestamp(number.into())),
            known(Value::Position(Location { lat: 50.0, lng })),
        ];
        file.write(&row).unwrap();
    }

    fn rows(file: &File) -> Vec<Row> {
        let reader = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn notes(file: &File) -> BTreeMap<String, Option<String>> {
        let reader = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
        let notes = reader.metadata().file_metadata().key_value_metadata();
        let notes = notes.unwrap().iter();
        notes
            .map(|note| (note.key.clone(), note.value.clone()))
            .collect()
    }

    #[test]
    fn a_copy_has_the_rows_of_the_records_that_are_kept_and_no_others() {
        const LAST: i32 = 140_000;
        let [old, copy, expected] = [(); 3].map(|()| tempfile::tempfile().unwrap());
        let mut written = begin(&old);
        for number in 0..LAST {
            write(&mut written, number);
        }
        written.finish().unwrap();
        let is_left_out = |number: i32| number % 7 == 0 || number >= LAST - 10;
        let left_out: Vec<String> = (0..LAST)
            .filter(|number| is_left_out(*number))
            .map(|number| format!("id{number}"))
            .collect();
        let left_out: HashSet<&str> = left_out.iter().map(String::as_str).collect();

        let mut written = begin(&copy);
        let copied = written.copy(old, &left_out).unwrap();
        write(&mut written, LAST);
        written.finish().unwrap();

        let mut written = begin(&expected);
        let kept: Vec<i32> = (0..LAST).filter(|number| !is_left_out(*number)).collect();
        for number in &kept {
            write(&mut written, *number);
        }
        write(&mut written, LAST);
        written.finish().unwrap();
        assert_eq!(copied, kept.len() as u64);
        assert_eq!(rows(&copy), rows(&expected));
        assert_eq!(notes(&copy), notes(&expected), "also the bounds");
    }

    #[test]
    fn a_file_with_other_columns_is_not_copied() {
        let other = Table {
            name: "things",
            columns: vec![Column::required("id", ColumnType::Text)],
        };
        let [old, copy] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let written = ParquetFile::begin(old.try_clone().unwrap(), &other, &[]).unwrap();
        written.finish().unwrap();
        let refused = begin(&copy).copy(old, &HashSet::new()).unwrap_err();
        assert!(refused.to_string().contains("another version"), "{refused}");
    }
}
