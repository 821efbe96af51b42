//! Splits a query string into `name=value` pairs: form-urlencoded, in UTF-8.
//!
//! The `form_urlencoded` crate replaces broken bytes silently. Here they are errors.

use std::borrow::Cow;

/// The parameter that may carry a token on every `/v1` path.
pub(crate) const TOKEN: &str = "token";

/// One `name=value` of a query string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair<'a> {
    /// The name; as it was sent, if it cannot be decoded.
    pub name: Cow<'a, str>,
    /// The value, or why it could not be decoded.
    pub value: Result<Cow<'a, str>, Undecodable>,
    /// The value as it was sent.
    pub raw: &'a str,
}

/// Why a name or value could not be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Undecodable {
    /// A `%` is not followed by two hexadecimal digits.
    #[error("the percent-encoding is broken: % must be followed by two hexadecimal digits")]
    Percent,
    /// The bytes are not UTF-8.
    #[error("the text is not UTF-8")]
    Utf8,
}

/// The pairs of a query string, in order. Empty pieces (`a=1&&b=2`) are skipped. A piece without `=` is a name with an
/// empty value.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = Pair<'_>> {
    query
        .split('&')
        .filter(|piece| !piece.is_empty())
        .map(|piece| {
            let (name, raw) = piece.split_once('=').unwrap_or((piece, ""));
            match decode(name) {
                Ok(name) => Pair {
                    name,
                    value: decode(raw),
                    raw,
                },
                // The name stays as it was sent, so that the answer can name it.
                Err(error) => Pair {
                    name: Cow::Borrowed(name),
                    value: Err(error),
                    raw,
                },
            }
        })
}

/// The first value of the token parameter that is not empty.
pub fn token_in_query(query: &str) -> Option<String> {
    pairs(query)
        .filter(|pair| pair.name == TOKEN)
        .filter_map(|pair| pair.value.ok())
        .map(Cow::into_owned)
        .find(|value| !value.is_empty())
}

/// Whether the query has the token parameter, with any value.
pub(crate) fn has_token_param(query: &str) -> bool {
    pairs(query).any(|pair| pair.name == TOKEN)
}

/// Decodes `+` as a space and `%XX` as a byte.
fn decode(text: &str) -> Result<Cow<'_, str>, Undecodable> {
    if !text.contains(['%', '+']) {
        return Ok(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = rest
                    .next()
                    .and_then(hexadecimal)
                    .ok_or(Undecodable::Percent)?;
                let low = rest
                    .next()
                    .and_then(hexadecimal)
                    .ok_or(Undecodable::Percent)?;
                high << 4 | low
            }
            byte => byte,
        });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(_) => Err(Undecodable::Utf8),
    }
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plus_is_a_space_and_a_percent_escape_is_a_byte() {
        assert_eq!(
            decode("Ho%C5%99ej%C5%A1+2%2Bkk"),
            Ok(Cow::Owned("Hořejš 2+kk".to_owned()))
        );
    }

    #[test]
    fn broken_escapes_and_broken_utf8_are_distinguished() {
        for broken in ["%", "a%4", "%zz", "%+1", "100%"] {
            assert_eq!(decode(broken), Err(Undecodable::Percent), "{broken}");
        }
        assert_eq!(decode("%C5"), Err(Undecodable::Utf8));
        assert_eq!(decode("%ff%fe"), Err(Undecodable::Utf8));
    }

    #[test]
    fn the_first_token_that_is_not_empty_is_used() {
        assert_eq!(
            token_in_query("a=1&token=&token=x&token=y"),
            Some("x".to_owned())
        );
        assert_eq!(token_in_query("tok%65n=x"), Some("x".to_owned()));
        assert_eq!(token_in_query("Token=x"), None);
        assert!(has_token_param("token"));
    }

    proptest! {
        #[test]
        fn an_encoded_text_is_decoded(text in "\\PC{0,40}") {
            let encoded = text.bytes().fold(String::new(), |encoded, byte| format!("{encoded}%{byte:02X}"));
            prop_assert_eq!(decode(&encoded), Ok(Cow::Owned::<str>(text)).map(|text: Cow<'_, str>| text));
        }

        #[test]
        fn any_query_is_split_without_a_panic(query in "[ -~%&=+é]{0,80}") {
            prop_assert!(pairs(&query).count() <= query.len() + 1);
        }
    }
}
