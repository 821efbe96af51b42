//! Finding a free text on the map.
//!
//! A text is matched, not parsed: every window of its words is looked up among the names of all places, and typing
//! errors are forgiven. The place wins whose name, together with the names of the places it lies in, explains most of
//! the text. The order of the words, commas, case and diacritics do not matter.
//!
//! The places are the authored regions, districts, towns and quarters, so that `Brno` is found in an empty database;
//! those of the address registry (`official`); and others that listings name (`learned`, from `samples`).
//!
//! # Layout
//!
//! `query` splits a text into words. `mentions` looks up windows of words in the dictionary `phrases`, with the help of
//! `typos` for misspelt names. A mention may name several places: `anchors` lists them, `combine` adds to each place
//! what the text says about the places around it, and `house` finds the house in the registry. `rank` keeps the best
//! places, and `explain` turns the first one into the answer. `locate` decides how hard to look; `work` limits the cost.
//! `municipality` answers without a search what the gazetteer knows of a municipality.

mod anchors;
mod build;
mod combine;
mod district;
mod explain;
mod house;
mod learned;
mod locate;
mod located;
mod mentions;
mod municipality;
mod official;
mod phrases;
mod place;
mod position;
mod query;
mod rank;
mod resolve;
mod samples;
mod typos;
mod variants;
mod work;

use std::collections::HashMap;
use std::sync::Arc;

use schema::Location;

pub use build::GazetteerBuilder;
pub use district::Area;
pub use located::{How, Located, Match, Names, NotLocated, Reason};
pub use municipality::{Extent, KnownMunicipality};
use phrases::Phrases;
use place::{PlaceId, Places};
pub use work::Work;

use crate::districts::District;
use crate::registry::Registry;

/// What one or more listings say about a place: the published texts and their pin. The store groups offers with equal
/// texts into one row.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlaceRow<'a> {
    /// Municipality.
    pub city: Option<&'a str>,
    /// District (okres).
    pub district: Option<&'a str>,
    /// Region (kraj).
    pub region: Option<&'a str>,
    /// City part or quarter.
    pub neighborhood: Option<&'a str>,
    /// Street.
    pub street: Option<&'a str>,
    /// Postal code.
    pub postal_code: Option<&'a str>,
    /// Position, WGS 84.
    pub location: Option<Location>,
    /// The number of offers in the row.
    pub count: u32,
}

/// The known places and their names. It never changes; a newer one replaces it.
#[derive(Debug)]
pub struct Gazetteer {
    places: Places,
    phrases: Phrases,
    postal_codes: HashMap<u32, PostalArea>,
    /// The positions of the municipalities whose district is known.
    municipalities: Vec<(Location, District)>,
    registry: Option<Arc<Registry>>,
}

/// The area of a postal code.
#[derive(Debug)]
struct PostalArea {
    /// The middle of its addresses.
    location: Location,
    /// The municipality that has most of its addresses.
    town: Option<PlaceId>,
    /// The ranks of all municipalities that have it.
    towns: Vec<u32>,
}

impl Gazetteer {
    /// Builds a gazetteer of the authored places and those that `rows` name.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = PlaceRow<'a>>) -> Self {
        let mut builder = GazetteerBuilder::new();
        for row in rows {
            builder.row(&row);
        }
        builder.build()
    }

    /// Builds a gazetteer of the authored places.
    pub fn authored() -> Self {
        Self::from_rows([])
    }

    /// The address registry that it was built on.
    pub fn registry(&self) -> Option<&Registry> {
        self.registry.as_deref()
    }

    /// The number of known places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Always false, because the authored places are always known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds an address, or any part of one, on the map.
    ///
    /// The answer is the place that explains most of the text. If several places fit equally, it is the most important
    /// one, with a small margin. Without an address registry, an address with a house number leads to the street. Very
    /// long texts are cut.
    ///
    /// # Errors
    /// [`NotLocated`] if the text names no known place, with what was understood and what was not.
    ///
    /// ```
    /// let gazetteer = gazetteer::Gazetteer::authored();
    /// let found = gazetteer.locate("byt v Brne, Kralovo Pole")?;
    /// assert_eq!(found.names.quarter.as_deref(), Some("Královo Pole"));
    /// assert_eq!(found.names.municipality.as_deref(), Some("Brno"));
    /// # Ok::<(), gazetteer::NotLocated>(())
    /// ```
    pub fn locate(&self, text: &str) -> Result<Located, NotLocated> {
        locate::locate(self, text, &mut Work::default())
    }

    /// The work that locating a text takes.
    pub fn work_for(&self, text: &str) -> Work {
        let mut work = Work::default();
        // The answer does not matter here.
        let _located = locate::locate(self, text, &mut work);
        work
    }
}
