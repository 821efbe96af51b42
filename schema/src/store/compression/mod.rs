//! Compression with dictionaries: what the rows of a portal have in common is stored once.
//!
//! `dictionary` makes a dictionary from some texts, `dictionaries` stores them and finds the one to use, `documents`
//! compresses the derived JSON, and `ahead` compresses before the transaction begins.

mod ahead;
mod dictionaries;
mod dictionary;
pub(super) mod documents;

pub(super) use ahead::{Ahead, compress_ahead};
pub(super) use dictionaries::{Dictionaries, load};
pub(super) use dictionary::{Dictionary, Group, compress_all, compress_on, decompress};

use crate::observation::RawForm;

/// What the texts are that share a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// Contents of adverts: payloads.
    Payload,
    /// Contents of adverts that were converted elsewhere.
    Converted,
    /// The states of listings.
    Listing,
    /// Records.
    Record,
}

impl Kind {
    /// The kind of contents in a form.
    pub(super) fn of_contents(form: RawForm) -> Self {
        match form {
            RawForm::Payload => Self::Payload,
            RawForm::Listing => Self::Converted,
        }
    }

    /// The code in the column `form` of `content_dictionaries`.
    fn code(self) -> i16 {
        match self {
            Self::Payload => RawForm::Payload.code(),
            Self::Converted => RawForm::Listing.code(),
            Self::Listing => 2,
            Self::Record => 3,
        }
    }

    /// A dictionary is made from the texts of at least this many adverts. Short texts have less in common.
    fn least_adverts(self) -> usize {
        match self {
            Self::Payload | Self::Converted => 8,
            Self::Listing | Self::Record => 20,
        }
    }

    /// A dictionary is made from at least this many bytes, so that it pays.
    fn least_bytes(self) -> usize {
        match self {
            Self::Payload | Self::Converted => 64 * 1024,
            Self::Listing | Self::Record => 16 * 1024,
        }
    }
}
