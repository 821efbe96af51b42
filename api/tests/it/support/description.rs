//! Compares answers with the OpenAPI description: status, headers and body. Supports the parts of JSON Schema used there.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::answer::Answer;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| api::openapi::document("http://described"));

/// Fails unless the description allows this answer to a GET of `path`. For unknown paths, only the schema of errors is
/// checked.
pub fn check(path: &str, answer: &Answer) {
    for header in [
        "x-request-id",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
    ] {
        assert!(
            answer.headers.contains_key(header),
            "{path}: {header} is missing"
        );
    }
    if answer.status >= 400 {
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
        conforms(
            &answer.body,
            &DOCUMENT["components"]["schemas"]["Error"],
            "body",
        );
        assert_eq!(
            answer.body["requestId"],
            answer.header("x-request-id"),
            "{path}"
        );
    }
    let Some(operation) = operation(path) else {
        return;
    };
    let described = &operation["responses"][answer.status.to_string()];
    assert!(
        !described.is_null(),
        "{path}: {} is not described",
        answer.status
    );
    let described = resolve(described);
    for header in described["headers"]
        .as_object()
        .unwrap_or(&Map::new())
        .keys()
    {
        let sometimes = [
            "x-token-advice",
            "ratelimit",
            "ratelimit-policy",
            "x-address-place",
            "x-address-level",
            "x-address-fit",
            "x-address-centre",
        ];
        let header = header.to_lowercase();
        // A 401 has it after too many attempts, a 500 under overload.
        let may_miss = [401, 500].contains(&answer.status) && header == "retry-after";
        assert!(
            answer.headers.contains_key(&header)
                || may_miss
                || sometimes.contains(&header.as_str()),
            "{path}: {} without {header}",
            answer.status
        );
    }
    for header in answer.headers.keys() {
        let is_described = described["headers"].as_object().is_some_and(|headers| {
            headers
                .keys()
                .any(|described| described.eq_ignore_ascii_case(header.as_str()))
        });
        assert!(
            is_described || is_of_http(header.as_str()),
            "{path}: {} with {header}",
            answer.status
        );
    }
    let schema = &described["content"]["application/json"]["schema"];
    if !schema.is_null() && !answer.headers.contains_key("content-encoding") {
        conforms(&answer.body, schema, "body");
    }
}

/// Whether a header belongs to HTTP or to browsers and not to this interface.
fn is_of_http(header: &str) -> bool {
    let plain = [
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "transfer-encoding",
    ];
    plain.contains(&header)
        || ["vary", "x-content-type-options"].contains(&header)
        || header.starts_with("access-control-")
}

/// Fails unless `value` conforms to `schema`.
pub fn conforms(value: &Value, schema: &'static Value, at: &str) {
    let schema = resolve(schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        let fitting = choices
            .iter()
            .filter(|choice| is_of_type(value, resolve(choice)))
            .collect::<Vec<_>>();
        assert_eq!(fitting.len(), 1, "{at}: {value}");
        return conforms(value, fitting[0], at);
    }
    assert!(
        is_of_type(value, schema),
        "{at}: {value} is not {}",
        schema["type"]
    );
    if let Some(accepted) = schema["enum"].as_array() {
        assert!(
            accepted.contains(value),
            "{at}: {value} is not one of {accepted:?}"
        );
    }
    if !schema["const"].is_null() {
        assert_eq!(value, &schema["const"], "{at}");
    }
    if schema["format"] == "date-time" {
        let text = value.as_str().unwrap();
        assert!(
            text.ends_with('Z') && text.parse::<schema::Timestamp>().is_ok(),
            "{at}: {text}"
        );
    }
    for (bound, holds) in [
        ("minimum", f64::ge as fn(&f64, &f64) -> bool),
        ("maximum", f64::le),
    ] {
        if let (Some(bound), Some(number)) = (schema[bound].as_f64(), value.as_f64()) {
            assert!(holds(&number, &bound), "{at}: {number} beyond {bound}");
        }
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        conforms(item, &schema["items"], &format!("{at}[{place}]"));
    }
    if let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(
                object.contains_key(required.as_str().unwrap()),
                "{at}: {required} is missing"
            );
        }
        for (name, value) in object {
            let property = properties.get(name);
            assert!(property.is_some(), "{at}: {name} is not described");
            conforms(value, property.unwrap(), &format!("{at}.{name}"));
        }
    }
}

fn is_of_type(value: &Value, schema: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        Value::String(name) => is(name),
        _ => false,
    }
}

/// The operation that a path in a test belongs to.
fn operation(path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    let template = match path.strip_prefix("/v1/offers/") {
        Some(id) if !id.is_empty() && !id.contains('/') => "/v1/offers/{offerId}",
        _ => path,
    };
    DOCUMENT["paths"].get(template).map(|item| &item["get"])
}

fn resolve(value: &'static Value) -> &'static Value {
    resolved(&DOCUMENT, value)
}

/// The part of the description that `value` refers to, or `value` if it is not a reference.
pub fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => value,
    }
}
