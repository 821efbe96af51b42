//! Bounds of plausible values. A published value outside its bounds is a typing slip or a placeholder, and is left out.
//!
//! The bounds apply to payloads of portals and to `listing` lines of dumps alike, once for each reading:
//! [`Reading::within_bounds`]. The address of the page may come from the dump's line instead, so it is checked by itself.

use schema::offer::is_web_url;
use schema::offer_fields::{FIELDS, FieldKind, names};
use schema::{Attributes, Evidence, Listing, Location};

use crate::notation::year_built::YEARS;
use crate::reading::{Reading, ValueReject};

impl Reading {
    /// Moves the values outside their bounds from the listing to [`Reading::unread`].
    #[must_use]
    pub fn within_bounds(mut self) -> Self {
        self.unread
            .extend(remove_implausible_values(&mut self.listing));
        self
    }

    /// Moves the address of the page to [`Reading::unread`] if clients could not open it as a page: if it is not an http
    /// or https address, or longer than any portal's.
    #[must_use]
    pub fn with_page_address_checked(mut self) -> Self {
        if let Some(url) = self.url.take_if(|url| !is_web_url(url)) {
            let reject = ValueReject::new("url", url, "neither an http nor an https URL");
            self.unread.push(reject);
        }
        if let Some(url) = self.url.take_if(|url| url.len() > LONGEST_ADDRESS) {
            let reject = ValueReject::new("url", url, "an address longer than 2000 bytes");
            self.unread.push(reject);
        }
        self
    }
}

/// The longest address of a page, in bytes. Portals' addresses have a few hundred.
const LONGEST_ADDRESS: usize = 2_000;

/// The longest description, in bytes. The longest that portals accept is a tenth of it.
const LONGEST_DESCRIPTION: usize = 100_000;

/// The longest of the other texts, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// Removes texts that are longer than any advert's. Such a text is something else, such as a page or a file, so its
/// beginning is not kept either.
fn check_texts(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    for field in FIELDS {
        let FieldKind::Text { access, .. } = &field.kind else {
            continue;
        };
        let (longest, reason) = if field.name == names::description {
            (
                LONGEST_DESCRIPTION,
                "a description longer than 100 000 bytes",
            )
        } else {
            (LONGEST_TEXT, "a text longer than 2000 bytes")
        };
        let text = (access.get_mut)(attributes).take_if(|text| text.len() > longest);
        if let Some(text) = text {
            rejects.push(ValueReject::new(field.name, text, reason));
        }
    }
}

/// Removes every value outside its bounds from the listing and returns the removed values.
pub fn remove_implausible_values(listing: &mut Listing) -> Vec<ValueReject> {
    let mut rejects = Vec::new();
    let attributes = &mut listing.attributes;
    check_texts(attributes, &mut rejects);
    if remove_location_abroad(&mut attributes.location, &mut rejects) {
        // The precision describes a pin, and the pin is gone.
        listing.evidence.pin = None;
    }
    check_price(
        names::price_total,
        &mut attributes.price_total,
        &mut rejects,
    );
    check_floors(attributes, &mut rejects);
    check_areas(attributes, &mut rejects);
    check_evidence(&mut listing.evidence, &mut rejects);
    rejects
}

/// The codes of municipalities have six digits, of which the first is a five.
const MUNICIPALITY_CODES: std::ops::Range<i64> = 500_000..600_000;

fn check_evidence(evidence: &mut Evidence, rejects: &mut Vec<ValueReject>) {
    check_area("totalArea", &mut evidence.total_area, rejects);
    check_price("formerPrice", &mut evidence.former_price, rejects);
    check(
        "yearBuilt",
        &mut evidence.year_built,
        |year| YEARS.contains(&i64::from(year)),
        "a year outside 1200 to 2100",
        rejects,
    );
    check(
        "municipalityCode",
        &mut evidence.municipality_code,
        |code| MUNICIPALITY_CODES.contains(&code),
        "not a code of a municipality",
        rejects,
    );
    let note = evidence
        .note_on_price
        .take_if(|note| note.len() > LONGEST_TEXT);
    if let Some(note) = note {
        let reject = ValueReject::new("noteOnPrice", note, "a text longer than 2000 bytes");
        rejects.push(reject);
    }
}

/// The range of latitudes that holds the whole of the Czech Republic.
const LATITUDES: std::ops::RangeInclusive<f64> = 48.4..=51.2;
/// The range of longitudes that holds the whole of the Czech Republic.
const LONGITUDES: std::ops::RangeInclusive<f64> = 11.9..=19.1;

/// Tells whether a position can lie in the Czech Republic: whether it lies in the rectangle around the country.
pub fn is_in_czechia(location: Location) -> bool {
    LATITUDES.contains(&location.lat) && LONGITUDES.contains(&location.lng)
}

/// Removes a position outside the country and tells whether it did.
fn remove_location_abroad(field: &mut Option<Location>, rejects: &mut Vec<ValueReject>) -> bool {
    let abroad = field.filter(|place| !is_in_czechia(*place));
    if let Some(place) = abroad {
        rejects.push(ValueReject::new(
            "location",
            format!("{}, {}", place.lat, place.lng),
            "outside the Czech Republic",
        ));
        *field = None;
    }
    abroad.is_some()
}

/// The highest plausible price, in CZK.
const HIGHEST_PRICE: f64 = 1e11;

fn check_price(name: &str, field: &mut Option<f64>, rejects: &mut Vec<ValueReject>) {
    check(
        name,
        field,
        |price| price > 1.0 && price <= HIGHEST_PRICE,
        "not above 1 CZK or over 10^11 CZK",
        rejects,
    );
}

fn check_floors(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    check(
        "floor",
        &mut attributes.floor,
        |floor| (-5..=60).contains(&floor),
        "a floor outside -5 to 60",
        rejects,
    );
    check(
        "floorCount",
        &mut attributes.floor_count,
        |count| (1..=80).contains(&count),
        "a number of floors outside 1 to 80",
        rejects,
    );
}

/// A plot of this size or larger is implausible, in m² (10 km²). Forests and fields can be far larger than any building.
const TOO_MUCH_LAND: f64 = 10_000_000.0;

fn check_areas(attributes: &mut Attributes, rejects: &mut Vec<ValueReject>) {
    let land = |area: f64| (1.0..TOO_MUCH_LAND).contains(&area);
    check(
        "landArea",
        &mut attributes.land_area,
        land,
        "a plot outside 1 to 10 000 000 m²",
        rejects,
    );
    for (name, field) in [
        ("livingArea", &mut attributes.living_area),
        ("gardenArea", &mut attributes.garden_area),
        ("storageArea", &mut attributes.storage_area),
        ("balconyArea", &mut attributes.balcony_area),
        ("loggiaArea", &mut attributes.loggia_area),
        ("terraceArea", &mut attributes.terrace_area),
        ("garageArea", &mut attributes.garage_area),
    ] {
        check_area(name, field, rejects);
    }
}

fn check_area(name: &str, field: &mut Option<f64>, rejects: &mut Vec<ValueReject>) {
    check(
        name,
        field,
        |area| (1.0..=1_000_000.0).contains(&area),
        "an area outside 1 to 1 000 000 m²",
        rejects,
    );
}

/// Removes a value that is not plausible.
fn check<T: Copy + ToString>(
    name: &str,
    field: &mut Option<T>,
    is_plausible: impl Fn(T) -> bool,
    reason: &str,
    rejects: &mut Vec<ValueReject>,
) {
    if let Some(value) = *field
        && !is_plausible(value)
    {
        rejects.push(ValueReject::new(name, value, reason));
        *field = None;
    }
}
