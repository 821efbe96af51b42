//! The edition of a registry: its dates, its counts and its id.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The source and the licence of the data; the licence demands that both are shown.
pub const ATTRIBUTION: &str = "RÚIAN, © ČÚZK, CC BY 4.0";

/// One compiled edition of the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// Date of its newest address table, `YYYYMMDD`; 0 if it has none.
    pub date: u32,
    /// Date of the newest edition of the whole country that it contains, `YYYYMMDD`; 0 if it contains none.
    pub whole_country: u32,
    /// The source and the licence, as written into the file.
    pub attribution: String,
    /// How much of everything it has.
    pub counts: Counts,
    /// Checksum of the content: equal content has an equal id, wherever and whenever it was compiled.
    #[serde(skip)]
    pub id: [u8; 32],
}

impl Edition {
    /// The date as `2026-07-31`, or `undated`.
    pub fn date_text(&self) -> String {
        date_text(self.date)
    }

    /// The date of the edition of the whole country, in the same form.
    pub fn whole_country_text(&self) -> String {
        date_text(self.whole_country)
    }

    /// The id in hexadecimal digits.
    pub fn id_text(&self) -> String {
        blake3::Hash::from_bytes(self.id).to_string()
    }

    /// The first twelve digits of the id, which are enough to tell editions apart.
    pub fn short_id(&self) -> String {
        self.id_text().chars().take(12).collect()
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.date_text(), self.short_id())
    }
}

/// Writes the date `20260731` as `2026-07-31`.
fn date_text(date: u32) -> String {
    if date == 0 {
        return "undated".to_owned();
    }
    format!(
        "{:04}-{:02}-{:02}",
        date / 10_000,
        date / 100 % 100,
        date % 100
    )
}

/// How much of everything an edition has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Municipalities.
    pub municipalities: u32,
    /// Municipalities whose district is known.
    pub with_district: u32,
    /// Parts of municipalities.
    pub quarters: u32,
    /// City parts.
    pub city_parts: u32,
    /// Streets.
    pub streets: u32,
    /// Postal codes.
    pub postal_codes: u32,
    /// Address places.
    pub places: u32,
    /// Address places without a position.
    pub without_position: u32,
    /// Names whose declined forms are known.
    pub declined: u32,
}
