//! Reads the arguments of a call. All faults are reported together, each with what the argument accepts. A null counts as
//! not sent, because models write one for what they leave out.

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::call::{Fault, Refused};

/// The longest text that an argument may be, unless it says otherwise, in characters.
const LONGEST_TEXT: usize = 300;

/// The arguments of a call while they are read.
pub(crate) struct Arguments<'a> {
    given: &'a JsonObject,
    known: Vec<&'static str>,
    faults: Vec<Fault>,
}

impl<'a> Arguments<'a> {
    /// The arguments of a call.
    pub(crate) fn new(given: &'a JsonObject) -> Self {
        Self {
            given,
            known: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Notes that an argument is known, and returns its value.
    pub(crate) fn value(&mut self, name: &'static str) -> Option<&'a Value> {
        self.known.push(name);
        self.given.get(name).filter(|value| !value.is_null())
    }

    /// Adds what is wrong with an argument.
    pub(crate) fn add_fault(&mut self, argument: &str, message: impl Into<String>) {
        self.faults.push(Fault {
            argument: argument.to_owned(),
            message: message.into(),
        });
    }

    /// A text that must be given.
    pub(crate) fn required_text(&mut self, name: &'static str, meaning: &str) -> String {
        match self.value(name) {
            Some(Value::String(text))
                if !text.trim().is_empty() && text.chars().count() <= LONGEST_TEXT =>
            {
                return text.clone();
            }
            None => self.add_fault(name, format!("is missing; send {meaning}")),
            Some(_) => self.add_fault(
                name,
                format!("must be a text of 1 to {LONGEST_TEXT} characters: {meaning}"),
            ),
        }
        String::new()
    }

    /// A text that may be given.
    pub(crate) fn text(&mut self, name: &'static str, meaning: &str) -> Option<String> {
        self.value(name)?;
        Some(self.required_text(name, meaning))
    }

    /// `true` or `false`; false if it is not given.
    pub(crate) fn flag(&mut self, name: &'static str) -> bool {
        match self.value(name) {
            None => false,
            Some(Value::Bool(value)) => *value,
            Some(Value::String(text)) if text == "true" || text == "false" => text == "true",
            Some(_) => {
                self.add_fault(name, "must be true or false");
                false
            }
        }
    }

    /// A whole number within bounds.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        (min, max): (u64, u64),
        default: u64,
    ) -> u64 {
        let number = match self.value(name) {
            None => return default,
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64(),
        };
        if let Some(number) = number.filter(|number| (min..=max).contains(number)) {
            return number;
        }
        self.add_fault(name, format!("must be a whole number from {min} to {max}"));
        default
    }

    /// One of these texts, as its index.
    pub(crate) fn one_of(&mut self, name: &'static str, texts: &[&str]) -> Option<usize> {
        let given = self.value(name)?;
        let index = texts.iter().position(|text| given == text);
        if index.is_none() {
            self.add_fault(name, format!("must be one of {}", texts.join(", ")));
        }
        index
    }

    /// Between `min` and `max` different texts.
    pub(crate) fn texts(
        &mut self,
        name: &'static str,
        (min, max): (usize, usize),
        meaning: &str,
    ) -> Vec<String> {
        let given = self.value(name).and_then(Value::as_array);
        let texts: Option<Vec<String>> = given
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(|text| {
                let text = text.as_str()?;
                (!text.is_empty() && text.chars().count() <= LONGEST_TEXT).then(|| text.to_owned())
            })
            .collect();
        let mut texts = texts.unwrap_or_default();
        let mut seen = std::collections::HashSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        if !(min..=max).contains(&texts.len()) {
            self.add_fault(
                name,
                format!("must be a list of {min} to {max} different texts: {meaning}"),
            );
        }
        texts
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// Every fault, also each argument that no one asked for.
    pub(crate) fn finish(mut self) -> Result<(), Refused> {
        let unknown: Vec<&String> = self
            .given
            .keys()
            .filter(|name| !self.known.contains(&name.as_str()))
            .take(20)
            .collect();
        for name in unknown {
            let message = match self.known.as_slice() {
                [] => "is unknown; this tool takes no arguments".to_owned(),
                known => format!("is unknown; accepted are {}", known.join(", ")),
            };
            let name: String = name.chars().take(60).collect();
            self.faults.push(Fault {
                argument: name,
                message,
            });
        }
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(Refused::Arguments(self.faults))
        }
    }
}
