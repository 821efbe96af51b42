//! Writes records, adverts, prices and pairs into their tables.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use schema::store::matches::NamedMatch;
use schema::store::offers::StoredDocument;
use schema::{Offer, OfferDetail, PortalLink, PriceSeries, Timestamp};
use serde::Deserialize;

use crate::error::ExportError;
use crate::folder::{Folder, failure};
use crate::format::Format;
use crate::manifest::Manifest;
use crate::selection::Selection;
use crate::table_file::TableFile;
use crate::tables::{self, Table};

/// What is written next.
pub(crate) enum Batch {
    /// Some records.
    Records(Vec<StoredDocument>),
    /// Some pairs, after all records.
    Pairs(Vec<NamedMatch>),
}

/// The tables of an export.
pub(crate) struct Tables {
    folder: Folder,
    format: Format,
    offers: TableFile,
    links: TableFile,
    price_points: TableFile,
    pairs: Option<Pairs>,
}

struct Pairs {
    file: TableFile,
    /// The ids of the records that were written: a pair is written if one of its records was.
    records: HashSet<String>,
}

/// What a detail adds to a summary.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DetailOnly {
    portal_links: Vec<PortalLink>,
    price_history: Vec<PriceSeries>,
}

impl Tables {
    /// Begins the tables in a folder. `change` is the change number of the state that they show.
    pub fn begin(
        path: &Path,
        format: Format,
        with_pairs: bool,
        change: i64,
    ) -> Result<Self, ExportError> {
        let mut folder = Folder::open(path)?;
        let mut begin = |table: &Table| {
            let file = folder.file(file_name(table.name, format))?;
            TableFile::begin(file, table, format, change)
        };
        Ok(Self {
            offers: begin(&tables::offers(format))?,
            links: begin(&tables::links())?,
            price_points: begin(&tables::price_points())?,
            pairs: if with_pairs {
                Some(Pairs {
                    file: begin(&tables::pairs())?,
                    records: HashSet::new(),
                })
            } else {
                None
            },
            format,
            folder,
        })
    }

    /// Writes a batch.
    pub fn write(&mut self, batch: &Batch) -> Result<(), ExportError> {
        match batch {
            Batch::Records(documents) => documents
                .iter()
                .try_for_each(|document| self.write_record(document)),
            Batch::Pairs(pairs) => pairs.iter().try_for_each(|pair| self.write_pair(pair)),
        }
    }

    fn write_record(&mut self, document: &StoredDocument) -> Result<(), ExportError> {
        let unreadable = |source| ExportError::Record {
            row: document.row,
            source,
        };
        let offer: Offer = serde_json::from_slice(&document.summary).map_err(unreadable)?;
        if !self.offers.write_json(&document.summary)? {
            self.offers.write(&tables::offer_row(&offer, self.format))?;
        }
        let id = offer.id.as_str();
        let detail: DetailOnly =
            serde_json::from_slice(&document.detail_only).map_err(unreadable)?;
        self.write_adverts(id, &detail.portal_links, &detail.price_history)?;
        if let Some(pairs) = &mut self.pairs {
            pairs.records.insert(id.to_owned());
        }
        Ok(())
    }

    fn write_adverts(
        &mut self,
        id: &str,
        links: &[PortalLink],
        prices: &[PriceSeries],
    ) -> Result<(), ExportError> {
        for link in links {
            self.links.write(&tables::link_row(id, link))?;
        }
        for series in prices {
            for point in &series.points {
                self.price_points
                    .write(&tables::price_row(id, series, point))?;
            }
        }
        Ok(())
    }

    /// Writes a record from its detail as JSON.
    pub fn write_detail(&mut self, detail: &[u8]) -> Result<(), ExportError> {
        let detail: OfferDetail = serde_json::from_slice(detail).map_err(ExportError::Detail)?;
        let offer = &detail.offer;
        self.offers.write(&tables::offer_row(offer, self.format))?;
        self.write_adverts(
            offer.id.as_str(),
            &detail.portal_links,
            &detail.price_history,
        )
    }

    /// Takes over the rows of a folder's tables, except for those of some records.
    pub fn copy(
        &mut self,
        folder: &Path,
        manifest: &Manifest,
        left_out: &HashSet<&str>,
    ) -> Result<(), ExportError> {
        let all = [
            ("offers", &mut self.offers),
            ("links", &mut self.links),
            ("price_points", &mut self.price_points),
        ];
        for (name, table) in all {
            let file = manifest.tables.get(name).map(|entry| entry.file.clone());
            let path = folder.join(file.unwrap_or_else(|| file_name(name, self.format)));
            let file = File::open(&path).map_err(|error| failure(&path, error))?;
            table.copy(file, left_out).map_err(|reason| {
                let path = path.clone();
                ExportError::Unreadable { path, reason }
            })?;
        }
        Ok(())
    }

    fn write_pair(&mut self, pair: &NamedMatch) -> Result<(), ExportError> {
        let Some(Pairs { file, records }) = &mut self.pairs else {
            return Ok(());
        };
        let mut ids = [&pair.left.offer_id, &pair.right.offer_id]
            .into_iter()
            .flatten();
        if ids.any(|id| records.contains(id)) {
            file.write(&tables::pair_row(pair))?;
        }
        Ok(())
    }

    /// Completes the files and gives them their names.
    pub fn finish(
        self,
        change: i64,
        (selection, at): (&Selection, Timestamp),
    ) -> Result<Manifest, ExportError> {
        let mut finished = vec![
            ("offers", self.offers.finish()?),
            ("links", self.links.finish()?),
            ("price_points", self.price_points.finish()?),
        ];
        if let Some(pairs) = self.pairs {
            finished.push(("pairs", pairs.file.finish()?));
        }
        let entries = finished.into_iter().map(|(name, rows)| {
            let entry = self.folder.entry(&file_name(name, self.format), rows)?;
            Ok((name.to_owned(), entry))
        });
        let manifest = Manifest {
            seq: change,
            exported_at: at,
            format: self.format.name().to_owned(),
            filters: selection.given().clone(),
            tables: entries.collect::<Result<_, ExportError>>()?,
        };
        self.folder.complete(&manifest)?;
        Ok(manifest)
    }
}

fn file_name(table: &str, format: Format) -> String {
    format!("{table}.{}", format.name())
}
