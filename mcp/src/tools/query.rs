//! The filters of a call as a query of the API, so that both accept the same.

use std::fmt::Write as _;

use serde_json::Value;

use crate::arguments::Arguments;
use crate::call::{Call, Fault, Refused};
use crate::json_schema::filter_names;

/// A query string while it is written.
#[derive(Debug, Default)]
pub(crate) struct Query(String);

impl Query {
    /// Adds a parameter.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        let separator = if self.0.is_empty() { "" } else { "&" };
        // Writing to a String cannot fail.
        let _ = write!(self.0, "{separator}{name}=");
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() {
                self.0.push(char::from(byte));
            } else {
                let _ = write!(self.0, "%{byte:02X}");
            }
        }
    }

    /// Adds every filter of a call. What is wrong with a value, the API says when the query is checked.
    pub(crate) fn add_filters(&mut self, arguments: &mut Arguments<'_>) {
        for name in filter_names() {
            match arguments.value(name) {
                None => {}
                Some(Value::Array(_) | Value::Object(_)) => {
                    arguments.add_fault(name, "must be one value, not a list or an object");
                }
                Some(Value::String(text)) => self.add(name, text),
                Some(value) => self.add(name, &value.to_string()),
            }
        }
    }

    /// The query as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks the query before the call is counted.
    ///
    /// # Errors
    /// Every fault of the arguments and of the query.
    pub(crate) fn check(&self, call: &Call<'_>, arguments: Arguments<'_>) -> Result<(), Refused> {
        let of_arguments = match arguments.finish() {
            Ok(()) => Vec::new(),
            Err(Refused::Arguments(faults)) => faults,
            Err(other) => return Err(other),
        };
        let of_query = match call.records.api.check_search(&self.0) {
            Ok(()) => Vec::new(),
            Err(refusal) => refusal.parameters(),
        };
        let of_query = of_query
            .into_iter()
            .map(|(argument, message)| Fault { argument, message });
        let faults: Vec<Fault> = of_arguments.into_iter().chain(of_query).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Refused::Arguments(faults))
        }
    }
}
