//! JSON schemas derived from Rust types.

use schema::Timestamp;
use serde_json::{Map, Value, json};

/// A type that serde writes as JSON.
pub(crate) trait JsonType {
    /// The JSON schema of the type.
    fn schema() -> Value;

    /// The JSON schema of an optional field that is present.
    fn present_schema() -> Value {
        Self::schema()
    }
}

impl JsonType for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl JsonType for &str {
    fn schema() -> Value {
        String::schema()
    }
}

impl JsonType for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

impl JsonType for f64 {
    fn schema() -> Value {
        json!({ "type": "number" })
    }
}

impl JsonType for u32 {
    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0 })
    }
}

impl JsonType for usize {
    fn schema() -> Value {
        u32::schema()
    }
}

impl JsonType for Timestamp {
    fn schema() -> Value {
        json!({ "type": "string", "format": "date-time" })
    }
}

/// A value or null.
impl<T: JsonType> JsonType for Option<T> {
    fn schema() -> Value {
        let mut schema = T::schema();
        schema["type"] = json!([schema["type"], "null"]);
        schema
    }

    fn present_schema() -> Value {
        T::schema()
    }
}

impl<T: JsonType> JsonType for Vec<T> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}

/// The schema of the field that `_get` returns.
pub(crate) fn field_schema<T, F: JsonType>(_get: fn(&T) -> &F) -> Value {
    F::schema()
}

/// The schema of the field that `_get` returns, if it is left out when it has no value.
pub(crate) fn present_field_schema<T, F: JsonType>(_get: fn(&T) -> &F) -> Value {
    F::present_schema()
}

/// The schema of a struct that serde writes with names in camelCase:
/// `object_schema!(Type { field: "description" => { keywords }, …; optional: field: "description", … })`.
///
/// Names and types come from the struct. A field that is missing here, or that the struct does not have, does not
/// compile. Fields after `optional` are left out of the JSON if they have no value; all others are required.
macro_rules! object_schema {
    ($type:ident {
        $($field:ident: $description:literal $(=> $keywords:tt)?,)*
        $(; optional: $($rest:ident: $rest_description:literal,)*)?
    }) => {{
        // Names every field, so that the compiler notices a new one.
        let _all_fields = |value: $type| {
            let $type { $($field: _,)* $($($rest: _,)*)? } = value;
        };
        let mut object = $crate::openapi::json_type::ObjectSchema::default();
        $(
            let keywords: &[serde_json::Value] = &[$(serde_json::json!($keywords))?];
            let schema = $crate::openapi::json_type::field_schema(|value: &$type| &value.$field);
            object.required(stringify!($field), schema, $description, keywords);
        )*
        $($(
            let schema = $crate::openapi::json_type::present_field_schema(|value: &$type| &value.$rest);
            object.optional(stringify!($rest), schema, $rest_description, &[]);
        )*)?
        object.finish()
    }};
}
pub(super) use object_schema;

/// An object that is being described. It has no properties except the described ones.
#[derive(Default)]
pub(crate) struct ObjectSchema {
    required: Vec<String>,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    /// Adds a required property, with further keywords of JSON Schema.
    pub(crate) fn required(
        &mut self,
        field: &str,
        schema: Value,
        description: &str,
        keywords: &[Value],
    ) {
        self.required.push(camel_case(field));
        self.optional(field, schema, description, keywords);
    }

    /// Adds a property that may be absent.
    pub(crate) fn optional(
        &mut self,
        field: &str,
        mut schema: Value,
        description: &str,
        keywords: &[Value],
    ) {
        for keywords in keywords.iter().filter_map(Value::as_object) {
            for (keyword, value) in keywords {
                schema[keyword] = value.clone();
            }
        }
        describe(&mut schema, description);
        self.properties.insert(camel_case(field), schema);
    }

    /// The schema.
    pub(crate) fn finish(self) -> Value {
        json!({
            "type": "object",
            "required": self.required,
            "properties": self.properties,
            "additionalProperties": false,
        })
    }
}

/// Adds a description to a schema, unless it is empty. Every time gets the same note on its form.
pub(crate) fn describe(schema: &mut Value, description: &str) {
    if description.is_empty() {
        return;
    }
    schema["description"] = if schema["format"] == "date-time" {
        json!(format!(
            "{description} ISO 8601 in UTC, with the suffix `Z`."
        ))
    } else {
        json!(description)
    };
}

fn camel_case(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &initial.into_iter().chain(letters).collect::<String>()
    })
}

/// A reference to a schema of the description.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
