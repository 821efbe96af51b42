//! The parameters, from the table that queries are read by.

use serde_json::{Map, Value, json};

use crate::openapi::schemas;
use crate::params::{Field, Kind, Param, SEARCH};

/// The parameters of a search.
pub fn search() -> Vec<Value> {
    SEARCH
        .iter()
        .map(query_parameter)
        .chain([if_none_match()])
        .collect()
}

/// The path parameter of a detail.
pub fn offer_id() -> Value {
    json!({
        "name": "offerId",
        "in": "path",
        "required": true,
        "description": "The `id` from a search result. The id of a record that was merged into another answers with the \
                        surviving record.",
        "schema": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" },
        "example": "4hT9cQ2mZxB7LwKd",
    })
}

/// The header by which a client names the bodies that it holds, as a reference.
pub fn if_none_match() -> Value {
    json!({ "$ref": "#/components/parameters/IfNoneMatch" })
}

/// The parameters that several operations share.
pub fn shared() -> Value {
    json!({ "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": false,
        "description": "The `ETag` of a body that the client holds: where it is still the answer, 304 comes instead.",
        "schema": { "type": "string" },
        "example": "\"f7378cdc1350c03a29d72871d461cc70\"",
    } })
}

fn query_parameter(param: &Param) -> Value {
    json!({
        "name": param.name,
        "in": "query",
        "required": false,
        "description": param.meaning,
        "schema": schema(param),
        "example": example(param),
    })
}

fn schema(param: &Param) -> Value {
    let mut schema = match param.kind {
        Kind::OneOf(texts) => schemas::of_parameter(param.name)
            .unwrap_or_else(|| json!({ "type": "string", "enum": texts })),
        Kind::Text { max_length } => {
            json!({ "type": "string", "minLength": 1, "maxLength": max_length })
        }
        Kind::Number { min, max } => {
            let mut schema = json!({ "type": "number" });
            for (bound, value) in [("minimum", min), ("maximum", max)] {
                if let (Some(value), Some(schema)) = (value, schema.as_object_mut()) {
                    schema.insert(bound.to_owned(), plain(value));
                }
            }
            schema
        }
        Kind::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Cursor => json!({ "type": "string", "minLength": 1 }),
    };
    // A radius is a fault without a centre, and some generated clients send every default of the schema: this one stands
    // in the description.
    let default = param
        .default
        .filter(|_| param.name != Field::RadiusMeters.name());
    if let (Some(default), Some(schema)) = (default, schema.as_object_mut()) {
        schema.insert("default".to_owned(), typed(param, default));
    }
    schema
}

fn example(param: &Param) -> Value {
    typed(param, param.example)
}

/// A value of the table in JSON: numbers and truth values as such.
fn typed(param: &Param, text: &str) -> Value {
    match param.kind {
        Kind::Number { .. } | Kind::Integer { .. } | Kind::Boolean => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
        }
        Kind::OneOf(_) | Kind::Text { .. } | Kind::Cursor => Value::from(text),
    }
}

/// A whole number without a fraction.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

/// An object from its entries, in their order.
pub fn object(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(
        entries
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<Map<_, _>>(),
    )
}
