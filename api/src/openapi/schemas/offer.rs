//! The shapes of a listing (spec, Resources and their fields).

use serde_json::{Value, json};

use super::{closed, date_time, reference, text};
use crate::openapi::parameters::object;

/// The shapes, by name.
pub fn all() -> Vec<(&'static str, Value)> {
    vec![
        ("OfferSummary", offer(Vec::new())),
        (
            "OfferDetail",
            offer(vec![
                (
                    "portalLinks",
                    list(
                        "PortalLink",
                        "One entry per portal listing behind the property.",
                    ),
                ),
                (
                    "priceHistory",
                    list(
                        "PriceSeries",
                        "One series per portal listing. Portals often disagree: series are not merged.",
                    ),
                ),
            ]),
        ),
        (
            "Location",
            closed([
                (
                    "lat",
                    json!({ "type": "number", "minimum": -90, "maximum": 90, "description": "Latitude, WGS 84." }),
                ),
                (
                    "lng",
                    json!({ "type": "number", "minimum": -180, "maximum": 180, "description": "Longitude, WGS 84." }),
                ),
            ]),
        ),
        (
            "PortalLink",
            closed([
                ("offerId", text("The portal listing's id.")),
                ("siteId", text("The portal's id.")),
                (
                    "url",
                    json!({ "type": ["string", "null"], "description": "The listing's page on the portal." }),
                ),
                ("isLive", flag("True while that portal advertises it.")),
                (
                    "firstSeenAt",
                    date_time("When it was first seen on that portal."),
                ),
            ]),
        ),
        (
            "PriceSeries",
            closed([
                ("offerId", text("The portal listing's id.")),
                ("siteId", text("The portal's id.")),
                (
                    "points",
                    list(
                        "PricePoint",
                        "Oldest first; each differs from the one before.",
                    ),
                ),
            ]),
        ),
        (
            "PricePoint",
            closed([
                ("at", date_time("When that price was first seen.")),
                (
                    "priceTotal",
                    json!({ "type": "number", "description": "CZK." }),
                ),
            ]),
        ),
    ]
}

/// The listing with these properties more, which are required.
fn offer(more: Vec<(&'static str, Value)>) -> Value {
    let always = ["id", "firstSeenAt", "lastChangedAt", "isLive", "location"];
    let required: Vec<&str> = always
        .into_iter()
        .chain(more.iter().map(|(name, _)| *name))
        .collect();
    json!({
        "type": "object",
        "required": required,
        "properties": object(always_there().into_iter().chain(facts()).chain(features()).chain(more)),
        "additionalProperties": false,
    })
}

fn always_there() -> Vec<(&'static str, Value)> {
    let id = json!({
        "type": "string",
        "pattern": "^[A-Za-z0-9_-]{1,64}$",
        "description": "Stable id of the listing; used in the detail path.",
    });
    vec![
        ("id", id),
        (
            "firstSeenAt",
            date_time("When the property was first seen on any portal."),
        ),
        (
            "lastChangedAt",
            date_time("When any portal listing last changed; searches are sorted by it."),
        ),
        (
            "isLive",
            flag("True when at least one portal still advertises it."),
        ),
        (
            "location",
            json!({
                "oneOf": [reference("Location"), { "type": "null" }],
                "description": "Geocoded position; null when no portal gave one.",
            }),
        ),
    ]
}

fn facts() -> Vec<(&'static str, Value)> {
    vec![
        (
            "title",
            text("Listing title as written by the portal, in Czech."),
        ),
        (
            "description",
            text("Full listing text as written by the portal, in Czech."),
        ),
        ("city", text("Municipality.")),
        ("street", text("Street name without the house number.")),
        ("region", text("Region (kraj).")),
        ("neighborhood", text("City part or quarter.")),
        ("district", text("District (okres).")),
        (
            "postalCode",
            text("Czech postal code, usually with a space between the groups."),
        ),
        (
            "address",
            text("Address line as published; precision differs between portals."),
        ),
        (
            "unitNumber",
            text("Apartment or unit number; rarely present."),
        ),
        ("type", reference("PropertyType")),
        ("subtype", reference("Subtype")),
        ("offerType", reference("OfferType")),
        ("arrangement", reference("Arrangement")),
        ("propertyState", reference("PropertyState")),
        ("ownership", reference("Ownership")),
        ("buildingType", reference("BuildingType")),
        (
            "priceTotal",
            number("Asking price in CZK: the total for a sale, the monthly amount for a rent."),
        ),
        ("livingArea", number("Living (usable) floor area in m².")),
        ("landArea", number("Plot area in m².")),
        (
            "floor",
            number("Floor of the unit; 0 is the ground floor, negative is below ground."),
        ),
        ("floorCount", number("Number of floors in the building.")),
        ("equipment", reference("Equipment")),
    ]
}

fn features() -> Vec<(&'static str, Value)> {
    vec![
        ("garden", flag("Garden.")),
        ("storage", flag("Storage room or cellar.")),
        ("balcony", flag("Balcony.")),
        ("loggia", flag("Loggia.")),
        ("terrace", flag("Terrace.")),
        ("garage", flag("Garage.")),
        ("elevator", flag("Elevator.")),
        ("parking", flag("Parking.")),
        ("barrierFree", flag("Wheelchair access.")),
        ("swimmingPool", flag("Swimming pool.")),
        ("gardenArea", number("Area of the garden in m².")),
        (
            "storageArea",
            number("Area of the storage room or cellar in m²."),
        ),
        ("balconyArea", number("Area of the balcony in m².")),
        ("loggiaArea", number("Area of the loggia in m².")),
        ("terraceArea", number("Area of the terrace in m².")),
        ("garageArea", number("Area of the garage in m².")),
        (
            "energyClass",
            text("Energy class as published: usually a letter A to G. Not an enumeration."),
        ),
        (
            "heatingSource",
            known(
                "Heating source.",
                &[
                    "gas",
                    "electric",
                    "solid",
                    "solid-fuel",
                    "combined",
                    "heat-pump",
                    "other",
                ],
            ),
        ),
        (
            "heatingType",
            known(
                "Heating type: `communal` is central.",
                &["communal", "local"],
            ),
        ),
        (
            "sewerage",
            known(
                "Sewerage: `communal` is the public sewer.",
                &["communal", "septic-tank"],
            ),
        ),
        (
            "housePosition",
            known(
                "Position of the house.",
                &["free_standing", "terraced", "semi_detached"],
            ),
        ),
    ]
}

/// A text with known values, which are no closed list.
fn known(description: &str, values: &[&str]) -> Value {
    json!({ "type": "string", "description": description, "examples": values })
}

fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

fn list(item: &str, description: &str) -> Value {
    json!({ "type": "array", "items": reference(item), "description": description })
}

fn summary_example() -> Value {
    json!({
        "id": "4hT9cQ2mZxB7LwKd",
        "firstSeenAt": "2026-05-01T06:00:00Z",
        "lastChangedAt": "2026-06-11T06:00:00Z",
        "isLive": true,
        "location": { "lat": 50.0755, "lng": 14.4378 },
        "title": "Prodej bytu 2+kk 54 m²",
        "city": "Praha",
        "street": "Korunní",
        "region": "Hlavní město Praha",
        "neighborhood": "Vinohrady",
        "district": "Praha",
        "postalCode": "120 00",
        "type": "apartment",
        "offerType": "sale",
        "arrangement": "2+kk",
        "priceTotal": 7_490_000,
        "livingArea": 54.5,
        "floor": 3,
        "balcony": true,
    })
}

/// An answer of a search.
pub fn search_example() -> Value {
    json!({
        "data": [summary_example()],
        "pagination": { "limit": 25, "count": 1, "hasMore": false, "nextCursor": null },
    })
}

/// An answer of a detail.
pub fn detail_example() -> Value {
    let mut detail = summary_example();
    let links = json!([{
        "offerId": "2871231",
        "siteId": "sreality",
        "url": "https://www.sreality.cz/detail/2871231",
        "isLive": true,
        "firstSeenAt": "2026-05-01T06:00:00Z",
    }]);
    let history = json!([{
        "offerId": "2871231",
        "siteId": "sreality",
        "points": [
            { "at": "2026-05-01T06:00:00Z", "priceTotal": 7_690_000 },
            { "at": "2026-06-11T06:00:00Z", "priceTotal": 7_490_000 },
        ],
    }]);
    if let Some(detail) = detail.as_object_mut() {
        detail.insert("portalLinks".to_owned(), links);
        detail.insert("priceHistory".to_owned(), history);
    }
    detail
}
