//! What an answer says about the place that an `address` led to.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use crate::geocode::LocatedAddress;

/// Writes `X-Address-Centre`, and if the place is known by name also `X-Address-Place`, `X-Address-Level` and
/// `X-Address-Fit`.
pub(crate) fn write(located: &LocatedAddress, headers: &mut HeaderMap) {
    let centre = located.location;
    let mut values = vec![(
        HeaderName::from_static("x-address-centre"),
        format!("{:.6},{:.6}", centre.lat, centre.lng),
    )];
    if let Some(place) = &located.place {
        values.extend([
            (
                HeaderName::from_static("x-address-place"),
                percent_encoded(&place.name()),
            ),
            (
                HeaderName::from_static("x-address-level"),
                place.level.name().to_owned(),
            ),
            (
                HeaderName::from_static("x-address-fit"),
                format!("{:.2}", place.fit),
            ),
        ]);
    }
    for (name, value) in values {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}

/// The text with each byte that is not printable ASCII, and each `%`, as `%XX`: clients read headers as different
/// encodings.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if (b' '..=b'~').contains(&byte) && byte != b'%' {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
