//! Which edition of the registry something comes from.

use std::fmt;

/// Whose data these are and under which terms; to be shown wherever they are used.
pub const ATTRIBUTION: &str = "RÚIAN, © ČÚZK, CC BY 4.0";

/// One compiled edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    /// Date of the newest address table in it, `YYYYMMDD`; 0 where there is none.
    pub date: u32,
    /// Date of the newest edition of the whole country in it, `YYYYMMDD`; 0 where there is none.
    pub whole_country: u32,
    /// Whose data these are, as it was written into the file.
    pub attribution: String,
    /// How much of everything there is.
    pub counts: Counts,
    /// Checksum of the content: equal content has an equal id, wherever and whenever it was compiled.
    pub id: [u8; 32],
}

impl Edition {
    /// The date as it is read: `2026-07-31`; `undated` where it is unknown.
    pub fn date_text(&self) -> String {
        date_text(self.date)
    }

    /// The date of the edition of the whole country, as it is read.
    pub fn whole_country_text(&self) -> String {
        date_text(self.whole_country)
    }

    /// The id in hexadecimal digits.
    pub fn id_text(&self) -> String {
        blake3::Hash::from_bytes(self.id).to_string()
    }

    /// The first twelve digits of the id: enough to tell editions apart.
    pub fn short_id(&self) -> String {
        self.id_text().chars().take(12).collect()
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.date_text(), self.short_id())
    }
}

/// A date in the registry's way of writing, `20260731`, as it is read.
pub(crate) fn date_text(date: u32) -> String {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Municipalities.
    pub municipalities: u32,
    /// Of these, those with a known district.
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
    /// Of these, those without a position.
    pub without_position: u32,
    /// Names of which the declined forms are known.
    pub declined: u32,
}
