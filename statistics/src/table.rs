//! Tables of figures: what is printed, written as CSV and drawn.

/// A value in a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A number with this many decimal places.
    Number(f64, usize),
    /// Not known, or not told because there are too few.
    Unknown,
}

/// A table of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name, also that of its file.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What its figures mean.
    pub explanation: &'static str,
    /// The names of its columns, with their units.
    pub columns: Vec<&'static str>,
    /// The column that a chart shows, with the one that names the bars; `None` if there is no chart.
    pub charted: Option<usize>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Cell {
    /// A number if it is known.
    pub(crate) fn known(number: Option<f64>, places: usize) -> Self {
        number.map_or(Self::Unknown, |number| Self::Number(number, places))
    }

    /// A text of this.
    pub(crate) fn text(text: &(impl ToString + ?Sized)) -> Self {
        Self::Text(text.to_string())
    }

    /// A number of things.
    pub(crate) fn count(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl std::fmt::Display for Cell {
    /// As CSV has it: a point, no separators; empty for unknown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number, places) => write!(f, "{number:.places$}"),
            Self::Unknown => Ok(()),
        }
    }
}
