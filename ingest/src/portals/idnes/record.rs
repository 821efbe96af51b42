//! The record that a page sends to its own statistics: `dataLayer.push({"event": "viewDetail", "listing_id": "…", …})`.

use std::collections::HashMap;

use serde_json::Value;

/// The `listing_…` entries, without that prefix. The script is not strict JSON, so entries are read one by one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Record(HashMap<String, Value>);

impl Record {
    /// Parses the entries of a script.
    pub(crate) fn parse(script: &str) -> Self {
        let entries = script.split("\"listing_").skip(1).filter_map(|piece| {
            let (name, rest) = piece.split_once('"')?;
            let value = value_after_colon(rest)?;
            (!value.is_null()).then(|| (name.to_owned(), value))
        });
        Self(entries.collect())
    }

    /// Adds an entry that the script does not have.
    pub(crate) fn add(&mut self, name: &str, text: &str) {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| Value::from(text));
    }

    /// Returns a text entry, unless it is blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)?
            .as_str()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// Returns a number above 0. The portal sends 0 for "not given".
    pub(crate) fn amount(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64().filter(|amount| *amount > 0.0)
    }

    /// Returns a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }
}

/// Parses the JSON value behind a colon, whatever follows it.
pub(crate) fn value_after_colon(text: &str) -> Option<Value> {
    let text = text.trim_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .next()?
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_one_by_one_and_nulls_are_absent() {
        let record = Record::parse(
            r#"dataLayer.push({ "listing_id":"6a30", "listing_price":6390000, "listing_labels":null, bad,
               "listing_name":"Byt \"U lípy\"", "listing_lat" : 0, "listing_visibility": "visible" });"#,
        );
        assert_eq!(record.text("id"), Some("6a30"));
        assert_eq!(record.amount("price"), Some(6_390_000.0));
        assert_eq!(record.text("labels"), None);
        assert_eq!(record.text("name"), Some("Byt \"U lípy\""));
        assert_eq!(record.amount("lat"), None);
        assert_eq!(record.number("lat"), Some(0.0));
    }
}
