//! The parameters of a search, from the table by which queries are parsed.

use serde_json::{Value, json};

use crate::openapi::enumerations;
use crate::params::{CHANGES_PARAMS, Param, ParamName, ParamType, SEARCH_PARAMS};

/// The query parameters of a search.
pub(crate) fn search() -> impl Iterator<Item = Value> {
    SEARCH_PARAMS.iter().map(query_parameter)
}

/// The query parameters of a read of changes, as an OpenAPI document lists them.
pub fn changes() -> Vec<Value> {
    CHANGES_PARAMS.iter().map(query_parameter).collect()
}

fn query_parameter(param: &Param) -> Value {
    json!({
        "name": param.name,
        "in": "query",
        "required": false,
        "description": param.description,
        "schema": schema(param),
        "example": typed(param, param.example),
    })
}

fn schema(param: &Param) -> Value {
    let mut schema = match param.param_type {
        ParamType::OneOf(texts) => enumerations::field_reference(param.name)
            .unwrap_or_else(|| json!({ "type": "string", "enum": texts })),
        ParamType::Text { max_length } => {
            json!({ "type": "string", "minLength": 1, "maxLength": max_length })
        }
        ParamType::Number { min, max } => {
            let mut schema = json!({ "type": "number" });
            for (bound, value) in [("minimum", min), ("maximum", max)] {
                if let (Some(value), Some(schema)) = (value, schema.as_object_mut()) {
                    schema.insert(bound.to_owned(), plain(value));
                }
            }
            schema
        }
        ParamType::Integer { min, max } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        ParamType::Boolean => json!({ "type": "boolean" }),
        ParamType::Cursor => json!({ "type": "string", "minLength": 1 }),
    };
    // Some generated clients send every default of the schema, but a radius without a centre is an error. So its default
    // is only in the description.
    let default = param
        .default
        .filter(|_| param.name != ParamName::RadiusMeters.name());
    if let (Some(default), Some(schema)) = (default, schema.as_object_mut()) {
        schema.insert("default".to_owned(), typed(param, default));
    }
    schema
}

/// A value of the table as JSON: numbers and booleans are not strings.
fn typed(param: &Param, text: &str) -> Value {
    match param.param_type {
        ParamType::Number { .. } | ParamType::Integer { .. } | ParamType::Boolean => {
            serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
        }
        ParamType::OneOf(_) | ParamType::Text { .. } | ParamType::Cursor => Value::from(text),
    }
}

/// A number, without a fraction if it is whole.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}
