//! Parses a whole query against a table of parameters.

use std::borrow::Cow;
use std::collections::HashMap;

use schema::SpecEnum;

use crate::cursor::Fingerprint;
use crate::params::definitions::SEARCH_PARAMS;
use crate::params::errors::ParamErrors;
use crate::params::param::{Param, ParamName, ParamType};
use crate::params::query::{Pair, TOKEN, Undecodable, pairs};
use crate::params::suggestion::nearest_name;
use crate::params::value::{Value, accepted, parse_value, quoted};

/// How many unknown parameters are answered with the list of accepted names. The entries of further ones refer to it, so
/// that a query of thousands of names is not answered with thousands of lists.
const LISTS: usize = 16;

/// Checks the query of a `/v1` endpoint that takes no parameters except the token.
///
/// # Errors
/// One error for each parameter sent.
pub(crate) fn only_token(query: &str) -> Result<(), ParamErrors> {
    let mut errors = ParamErrors::default();
    ParsedQuery::parse(query, &[], &mut errors);
    errors.or(())
}

/// Checks the query of an endpoint that takes no parameters.
///
/// # Errors
/// One error for each parameter sent.
pub(crate) fn no_parameters(query: &str) -> Result<(), ParamErrors> {
    let mut errors = ParamErrors::default();
    for pair in pairs(query) {
        errors.add(
            &pair.name,
            "unknown parameter; this endpoint takes no query parameters",
        );
    }
    errors.or(())
}

/// The parameters of a query.
pub(crate) struct ParsedQuery<'q> {
    /// The first value of every name, as it was sent.
    raw: HashMap<Cow<'q, str>, &'q str>,
    /// The parsed values, by the index of the parameter in the table.
    values: Vec<Option<Value>>,
}

impl<'q> ParsedQuery<'q> {
    /// Parses as much of the query as possible, and adds all its errors to `errors`.
    pub(crate) fn parse(query: &'q str, table: &[Param], errors: &mut ParamErrors) -> Self {
        let mut parsed = Self {
            raw: HashMap::new(),
            values: vec![None; table.len().max(SEARCH_PARAMS.len())],
        };
        let mut unknown_names = 0;
        for pair in pairs(query) {
            let index = table.iter().position(|param| param.name == pair.name);
            let param_type = index.map(|index| table[index].param_type);
            if index.is_none() && pair.name != TOKEN {
                if !errors.has(&pair.name) {
                    errors.add(&pair.name, unknown(table, &pair.name, unknown_names));
                    unknown_names += 1;
                }
            } else if let Some(first) = parsed.raw.get(pair.name.as_ref()) {
                errors.replace(&pair.name, &repeated(param_type, first, pair.raw));
            } else {
                match index.zip(param_type) {
                    None => check_token(&pair, errors),
                    Some((index, param_type)) => {
                        parsed.values[index] = parse_pair(&pair, param_type, errors);
                    }
                }
            }
            parsed.raw.entry(pair.name).or_insert(pair.raw);
        }
        parsed
    }

    /// Whether the query has the parameter, with any value.
    pub(crate) fn has(&self, name: ParamName) -> bool {
        self.raw.contains_key(name.name())
    }

    /// The value of the parameter, if it is valid.
    pub(crate) fn value(&self, name: ParamName) -> Option<&Value> {
        self.values.get(name as usize).and_then(Option::as_ref)
    }

    /// The value of an enumerated parameter.
    pub(crate) fn enumerated<E: SpecEnum>(&self, name: ParamName) -> Option<E> {
        match self.value(name) {
            Some(Value::Code(code)) => E::from_code(*code),
            _ => None,
        }
    }

    /// The value of a text parameter.
    pub(crate) fn text(&self, name: ParamName) -> Option<String> {
        match self.value(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// The value of a number parameter.
    pub(crate) fn number(&self, name: ParamName) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The value of the whole number at an index of the table.
    pub(crate) fn whole_number(&self, index: usize) -> Option<u64> {
        match self.values.get(index) {
            Some(Some(Value::Integer(number))) => Some(*number),
            _ => None,
        }
    }

    /// The hash of everything that decides which offers match, in the order of the table. A parameter with its default
    /// value counts as not sent.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        for (param, value) in SEARCH_PARAMS.iter().zip(&self.values) {
            let is_filter =
                ![ParamName::Limit.name(), ParamName::Cursor.name()].contains(&param.name);
            let default = param
                .default
                .and_then(|text| parse_value(param.param_type, text).ok());
            let Some(value) = value
                .as_ref()
                .filter(|value| is_filter && default.as_ref() != Some(value))
            else {
                continue;
            };
            hasher.update(param.name.as_bytes()).update(&[0]);
            match value {
                Value::Code(code) => hasher.update(&[*code]),
                Value::Number(number) => hasher.update(&number.to_be_bytes()),
                Value::Integer(number) => hasher.update(&number.to_be_bytes()),
                Value::Boolean(value) => hasher.update(&[u8::from(*value)]),
                Value::Text(text) => hasher
                    .update(&(text.len() as u64).to_be_bytes())
                    .update(text.as_bytes()),
            };
        }
        let mut fingerprint = [0; 16];
        hasher.finalize_xof().fill(&mut fingerprint);
        fingerprint
    }
}

/// Checks the form of the token parameter. The error does not repeat the value; authentication checks the token itself.
fn check_token(pair: &Pair<'_>, errors: &mut ParamErrors) {
    match &pair.value {
        Err(reason) => errors.add(&pair.name, format!("cannot be decoded: {reason}")),
        Ok(text) if text.is_empty() => {
            errors.add(&pair.name, "must not be empty; must be an API token");
        }
        Ok(_) => {}
    }
}

fn parse_pair(pair: &Pair<'_>, param_type: ParamType, errors: &mut ParamErrors) -> Option<Value> {
    let parsed = match &pair.value {
        Ok(text) => parse_value(param_type, text),
        Err(reason) => Err(undecodable(param_type, pair.raw, *reason)),
    };
    match parsed {
        Ok(value) => Some(value),
        Err(message) => {
            errors.add(&pair.name, message);
            None
        }
    }
}

/// The error of a repeated parameter, or of a repeated token (`None`), whose values are not repeated in the answer.
fn repeated(param_type: Option<ParamType>, first: &str, again: &str) -> String {
    match param_type {
        None => "was sent more than once; send it once".to_owned(),
        Some(param_type) => format!(
            "was sent more than once, as {} and as {}; send it once; it must be {}",
            quoted(first),
            quoted(again),
            accepted(param_type)
        ),
    }
}

fn undecodable(param_type: ParamType, raw: &str, reason: Undecodable) -> String {
    format!(
        "cannot be decoded: {reason}; got {}; must be {}",
        quoted(raw),
        accepted(param_type)
    )
}

/// The error of a parameter that is not in the table, after `unknown_names` other ones.
fn unknown(table: &[Param], name: &str, unknown_names: usize) -> String {
    if table.is_empty() {
        return format!("unknown parameter; this endpoint takes no query parameter except {TOKEN}");
    }
    let names = if unknown_names < LISTS {
        let names: Vec<&str> = table
            .iter()
            .map(|param| param.name)
            .chain([TOKEN])
            .collect();
        names.join(", ")
    } else {
        "those listed above".to_owned()
    };
    let nearest = nearest_name(name)
        .filter(|nearest| table.iter().any(|param| param.name == *nearest))
        .map(|nearest| format!("the nearest is {nearest}; "))
        .unwrap_or_default();
    format!("unknown parameter; {nearest}accepted are {names}")
}
