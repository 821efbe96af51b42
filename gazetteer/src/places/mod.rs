//! Finding a free text on the map.
//!
//! A text is matched, not parsed: every window of its words is looked up among the names of all places, with typing
//! errors forgiven, and the place wins whose name and whose enclosing places together explain most of the text. The
//! order of the words, commas, case and diacritics do not matter.
//!
//! The places are the authored regions, districts, towns and quarters, so that `Brno` is found in an empty database,
//! those of the address registry (`official`), and whatever else the listings name (`learned`, from `samples`).
//!
//! A text is read into words (`query`); names are looked up for windows of them (`mentions`, in the dictionary
//! `phrases`, misspelt ones by `typos`); each mention is the name of some places (`anchors`), each of which is taken
//! together with what it lies in (`combine`) and, in the registry, with the house (`house`); the best of them (`rank`)
//! is the answer, with its reasons (`explain`). `locate` says how hard to look; `work` bounds what that may cost.

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
use phrases::Phrases;
use place::{PlaceId, Places};
pub use work::Work;

use crate::districts::District;
use crate::registry::Registry;

/// What one or more listings say of a place: the texts as published, and where their pins lie. The store groups offers
/// by equal texts.
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
    /// How many offers the row stands for.
    pub count: u32,
}

/// The places known, and the way to find them by name. Cheap to share, never changed: a newer one replaces it.
#[derive(Debug)]
pub struct Gazetteer {
    places: Places,
    phrases: Phrases,
    postal_codes: HashMap<u32, PostalArea>,
    /// Where the municipalities of known district lie.
    municipalities: Vec<(Location, District)>,
    registry: Option<Arc<Registry>>,
}

/// What is known of a postal code.
#[derive(Debug)]
struct PostalArea {
    /// The middle of its addresses.
    location: Location,
    /// The municipality that most of them lie in.
    town: Option<PlaceId>,
    /// The ranks of all.
    towns: Vec<u32>,
}

impl Gazetteer {
    /// The authored places and those that `rows` name.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = PlaceRow<'a>>) -> Self {
        let mut builder = GazetteerBuilder::new();
        for row in rows {
            builder.row(&row);
        }
        builder.build()
    }

    /// The authored places alone.
    pub fn authored() -> Self {
        Self::from_rows([])
    }

    /// The address registry that it was built on.
    pub fn registry(&self) -> Option<&Registry> {
        self.registry.as_deref()
    }

    /// How many places it knows.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it knows none; the authored ones are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds an address, or any part of one, on the map.
    ///
    /// The answer is the place that explains most of the text; where several fit equally, the most important one, and
    /// its margin is small. A house number is understood, but without an address registry it locates the street. Texts
    /// of absurd length are cut.
    ///
    /// # Errors
    /// [`NotLocated`], saying what was understood and what was not, when the text names no known place.
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

    /// What finding a text costs.
    pub fn work_for(&self, text: &str) -> Work {
        let mut work = Work::default();
        // Whether it is found does not matter here.
        let _found = locate::locate(self, text, &mut work);
        work
    }
}
