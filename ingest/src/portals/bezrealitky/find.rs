//! Finding the advert object in an answer of the GraphQL interface or in the data of a page.

use serde_json::{Map, Value};

use crate::json::has_id_and_two_of;

/// An advert object has at least two of these names, besides `id`.
const TELLING: [&str; 5] = ["offerType", "estateType", "surface", "disposition", "uri"];

/// Where the data of a page has its own advert.
const OWN_ADVERT: &str = "/props/pageProps/origAdvert";

/// Returns the advert object. Its field names are without the arguments that a page's cache adds
/// (`address({"locale":"CS"})`).
pub(crate) fn advert(payload: &Value) -> Option<Value> {
    advert_as_sent(payload).map(|advert| Value::Object(with_bare_names(advert)))
}

/// Returns the advert object as sent. A page also carries short forms of other adverts. So its own advert is the
/// object at `OWN_ADVERT`, or else the one with most fields.
pub(crate) fn advert_as_sent(payload: &Value) -> Option<&Map<String, Value>> {
    let own = payload
        .pointer(OWN_ADVERT)
        .and_then(Value::as_object)
        .filter(|fields| is_advert(fields));
    if own.is_some() {
        return own;
    }
    let mut fullest = None;
    find_fullest(payload, &mut fullest);
    fullest
}

/// Tells whether the advert of an answer or page is null, which means that there is no such advert.
pub(crate) fn is_null_advert(payload: &Value) -> bool {
    let answer = payload.get("data").unwrap_or(payload);
    answer
        .get("advert")
        .or_else(|| payload.pointer(OWN_ADVERT))
        .is_some_and(Value::is_null)
}

fn find_fullest<'a>(value: &'a Value, fullest: &mut Option<&'a Map<String, Value>>) {
    match value {
        Value::Object(fields) => {
            if is_advert(fields) && fullest.is_none_or(|so_far| fields.len() > so_far.len()) {
                *fullest = Some(fields);
            }
            fields
                .values()
                .for_each(|inner| find_fullest(inner, fullest));
        }
        Value::Array(entries) => entries
            .iter()
            .for_each(|inner| find_fullest(inner, fullest)),
        _ => {}
    }
}

fn is_advert(fields: &Map<String, Value>) -> bool {
    has_id_and_two_of(fields, &TELLING)
}

/// Returns the fields under their bare names. If a field is in several languages, the Czech one is kept.
pub(crate) fn with_bare_names(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut bare = Map::new();
    for (name, value) in fields {
        match name.split_once('(') {
            None => {
                bare.insert(name.clone(), value.clone());
            }
            Some((field, arguments))
                if !arguments.contains("locale") || arguments.contains("CS") =>
            {
                bare.entry(field).or_insert_with(|| value.clone());
            }
            Some(_) => {}
        }
    }
    bare
}
