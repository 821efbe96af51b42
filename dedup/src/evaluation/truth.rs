//! The truth: which listings are one property, from a table that a person made.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use schema::ListingKey;

/// The truth about a set of listings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Truth {
    /// The listings, each with the index of its property, in the order of the file.
    pub listings: Vec<(ListingKey, usize)>,
    /// The properties, in the order of the file.
    pub properties: Vec<Property>,
    /// Listings whose property is undecidable. No measure counts them.
    pub ambiguous: HashSet<ListingKey>,
}

/// A property with one kind of offer: sale and rent of one flat are two.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Property {
    /// Its name in the file.
    pub name: String,
    /// Kind of offer; `None` if the file does not state it.
    pub offer_type: Option<String>,
    /// The traps that the property was made for.
    pub kinds: Vec<String>,
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The input is not valid CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A column is missing.
    #[error("missing column {wanted}; the table has {}", found.join(", "))]
    NoColumn {
        /// The missing column.
        wanted: &'static str,
        /// The columns of the table.
        found: Vec<String>,
    },
    /// A listing occurs twice.
    #[error("{listing} occurs twice")]
    Twice {
        /// The listing.
        listing: ListingKey,
    },
    /// A line has fewer fields than the header.
    #[error("line {line} has {found} fields, but the header has {wanted}")]
    Short {
        /// The line, counted from 1.
        line: u64,
        /// The number of its fields.
        found: usize,
        /// The number of fields of the header.
        wanted: usize,
    },
    /// An unknown label.
    #[error("line {line}: unknown label {label:?}; accepted: same, different, ambiguous")]
    Label {
        /// The line, counted from 1.
        line: u64,
        /// The label.
        label: String,
    },
}

/// A CSV table with a header.
pub(super) struct CsvTable<R> {
    header: csv::StringRecord,
    reader: csv::Reader<R>,
}

impl<R: Read> CsvTable<R> {
    pub(super) fn open(table: R) -> Result<Self, TruthError> {
        // A line may have more fields than the header: notes at its end may contain commas.
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(table);
        Ok(Self {
            header: reader.headers()?.clone(),
            reader,
        })
    }

    /// The rows, each with its line number.
    pub(super) fn rows(self) -> impl Iterator<Item = Result<(u64, csv::StringRecord), TruthError>> {
        let wanted = self.header.len();
        self.reader.into_records().map(move |row| {
            let row = row?;
            let line = row.position().map_or(0, csv::Position::line);
            let found = row.len();
            if found < wanted {
                Err(TruthError::Short {
                    line,
                    found,
                    wanted,
                })
            } else {
                Ok((line, row))
            }
        })
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.header
            .iter()
            .position(|column| column.trim_start_matches('\u{feff}') == name)
    }

    pub(super) fn need(&self, name: &'static str) -> Result<usize, TruthError> {
        let found = || self.header.iter().map(str::to_owned).collect();
        self.find(name).ok_or_else(|| TruthError::NoColumn {
            wanted: name,
            found: found(),
        })
    }
}

impl Truth {
    /// Reads a CSV table with the columns `siteId`, `offerId` and `propertyId` (or `property`).
    ///
    /// Optional columns are `offerType`, which is part of the identity of the property, `kind` with the
    /// names of traps separated by `|`, and `ambiguous`: a listing is left out if it is neither empty
    /// nor 0.
    ///
    /// # Errors
    /// [`TruthError`] when the input is not such a table.
    pub fn from_csv(table: impl Read) -> Result<Self, TruthError> {
        let columns = CsvTable::open(table)?;
        let (site, offer) = (columns.need("siteId")?, columns.need("offerId")?);
        let property = columns
            .find("property")
            .map_or_else(|| columns.need("propertyId"), Ok)?;
        let optional = ["offerType", "kind", "ambiguous"].map(|name| columns.find(name));
        let mut truth = Self::default();
        let mut place_of: HashMap<(String, Option<String>), usize> = HashMap::new();
        let mut named = HashSet::new();
        for row in columns.rows() {
            let (_, row) = row?;
            let text = |column: usize| row.get(column).unwrap_or_default();
            let [offer_type, kinds, ambiguous] = optional.map(|column| column.map(text));
            let key = ListingKey::new(text(site), text(offer));
            if !named.insert(key.clone()) {
                return Err(TruthError::Twice { listing: key });
            }
            if ambiguous.is_some_and(|said| !said.is_empty() && said != "0") {
                truth.ambiguous.insert(key);
                continue;
            }
            let (name, offer_type) = (text(property).to_owned(), offer_type.map(str::to_owned));
            let place = *place_of
                .entry((name.clone(), offer_type.clone()))
                .or_insert_with(|| {
                    let kinds = kinds.into_iter().flat_map(|kinds| kinds.split('|'));
                    let kinds = kinds
                        .filter(|kind| !kind.is_empty())
                        .map(str::to_owned)
                        .collect();
                    truth.properties.push(Property {
                        name,
                        offer_type,
                        kinds,
                    });
                    truth.properties.len() - 1
                });
            truth.listings.push((key, place));
        }
        Ok(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_truth_is_read() {
        let full = "siteId,offerId,propertyId,offerType,kind,ambiguous\n\
                    a,1,p1,sale,panel|relist,\na,2,p1,rent,panel|relist,0\nb,3,p1,sale,panel|relist,\nb,4,p2,sale,plain,1\n";
        let truth = Truth::from_csv(full.as_bytes()).unwrap();
        assert_eq!(
            truth
                .listings
                .iter()
                .map(|(_, place)| *place)
                .collect::<Vec<_>>(),
            [0, 1, 0]
        );
        assert_eq!(truth.properties.len(), 2, "sale and rent are two");
        assert_eq!(truth.properties[0].kinds, ["panel", "relist"]);
        assert!(truth.ambiguous.contains(&ListingKey::new("b", "4")));
        let real = "siteId,offerId,propertyId,confidence\na,1,p1,0.7\nb,2,p1,0.9\n";
        let truth = Truth::from_csv(real.as_bytes()).unwrap();
        assert_eq!(
            (truth.properties.len(), truth.properties[0].kinds.len()),
            (1, 0)
        );
        let authored = "siteId,offerId,property,note\na,1,brno-udolni,\"owner, terse\"\nb,2,brno-udolni,agency, verbose\n";
        assert_eq!(
            Truth::from_csv(authored.as_bytes()).unwrap().properties[0].name,
            "brno-udolni"
        );
    }

    #[test]
    fn the_error_says_why_a_table_cannot_be_read() {
        let error = |table: &str| Truth::from_csv(table.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("siteId,number\n"),
            "missing column offerId; the table has siteId, number"
        );
        assert_eq!(
            error("siteId,offerId,propertyId\na,1,p\na,1,q\n"),
            "a/1 occurs twice"
        );
        assert_eq!(
            error("siteId,offerId,propertyId\na,1,p\na,2\n"),
            "line 3 has 2 fields, but the header has 3"
        );
    }
}
