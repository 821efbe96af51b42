//! Finding the advert object in a payload: the object itself, an answer of the search that holds one, or the data of a
//! page.

use serde_json::{Map, Value};

/// Where the advert may be, the outermost place first.
const PLACES: [&str; 4] = ["", "/data", "/data/offers/0", "/props/pageProps/offer/data"];

/// Finds the advert object.
pub(crate) fn advert(payload: &Value) -> Option<&Value> {
    PLACES
        .iter()
        .filter_map(|place| payload.pointer(place))
        .find(|value| value.as_object().is_some_and(is_advert))
        .filter(|_| offers(payload).is_none_or(|offers| offers.len() == 1))
}

fn is_advert(fields: &Map<String, Value>) -> bool {
    fields.contains_key("id")
        && (fields.contains_key("offerType") || fields.contains_key("propertyType"))
}

fn offers(payload: &Value) -> Option<&Vec<Value>> {
    payload.pointer("/data/offers")?.as_array()
}

/// Tells how the portal says that the advert is gone, if it does.
pub(crate) fn gone(payload: &Value) -> Option<&'static str> {
    if payload
        .pointer("/props/pageProps/offer/data")
        .is_some_and(Value::is_null)
    {
        return Some("the page has no advert");
    }
    offers(payload)
        .is_some_and(Vec::is_empty)
        .then_some("an answer without adverts")
}
