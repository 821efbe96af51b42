//! Where a request may carry its token, and which one takes precedence (spec, Authentication 2 and 3).

use axum::http::{HeaderMap, header};

use crate::auth::token::Token;
use crate::params::token_in_query;

/// Why a request has no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenError {
    /// No token was sent.
    #[error("No API token was sent.")]
    Missing,
    /// The token is malformed, unknown or revoked. The answer does not say which, because only its owner may know.
    #[error("The API token is unknown or was revoked.")]
    Invalid,
}

impl TokenError {
    /// The challenge that a 401 carries (RFC 6750).
    pub(crate) fn challenge(self) -> &'static str {
        match self {
            Self::Missing => "Bearer realm=\"jeden\"",
            Self::Invalid => "Bearer realm=\"jeden\", error=\"invalid_token\"",
        }
    }
}

/// The token of a request: from `X-Api-Key`, else from the query, else from `Authorization`. An empty one counts as not
/// sent. A malformed one is never replaced by another.
///
/// # Errors
/// [`TokenError::Missing`] if none was sent, [`TokenError::Invalid`] if it is malformed.
pub(crate) fn sent_token(headers: &HeaderMap, query: &str) -> Result<Token, TokenError> {
    let sent = api_key(headers)
        .or_else(|| token_in_query(query).map(String::into_bytes))
        .or_else(|| bearer(headers))
        .ok_or(TokenError::Missing)?;
    let text = std::str::from_utf8(&sent).map_err(|_not_ascii| TokenError::Invalid)?;
    Token::parse(text).map_err(|_malformed| TokenError::Invalid)
}

fn api_key(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers
        .get_all("x-api-key")
        .iter()
        .map(|value| value.as_bytes().trim_ascii())
        .find(|key| !key.is_empty())
        .map(<[u8]>::to_vec)
}

/// The token of a `Bearer` authorization. Any other scheme is the client's own sign-in.
fn bearer(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers
        .get_all(header::AUTHORIZATION)
        .iter()
        .find_map(|value| {
            let value = value.as_bytes().trim_ascii();
            let (scheme, token) = value.split_at_checked("bearer".len())?;
            let separated = token.first().is_some_and(u8::is_ascii_whitespace);
            let token = token.trim_ascii();
            (scheme.eq_ignore_ascii_case(b"bearer") && separated && !token.is_empty())
                .then(|| token.to_vec())
        })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    fn token(seed: u64) -> Token {
        Token::generate(&mut StdRng::seed_from_u64(seed))
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        headers
    }

    #[test]
    fn the_api_key_comes_first_then_the_query_then_the_authorization() {
        let (key, query, bearer) = (token(1), token(2), token(3));
        let authorization = format!("Bearer {}", bearer.expose());
        let all = headers(&[
            ("x-api-key", key.expose()),
            ("authorization", &authorization),
        ]);
        let own = headers(&[("authorization", &authorization)]);
        let sent = format!("token={}", query.expose());
        assert_eq!(sent_token(&all, &sent), Ok(key));
        assert_eq!(sent_token(&own, &sent), Ok(query));
        assert_eq!(sent_token(&own, ""), Ok(bearer));
    }

    #[test]
    fn an_empty_token_counts_as_not_sent() {
        let bearer = token(4);
        let authorization = format!("bEARER   {} ", bearer.expose());
        let headers = headers(&[("x-api-key", "  "), ("authorization", &authorization)]);
        assert_eq!(sent_token(&headers, "token="), Ok(bearer));
    }

    #[test]
    fn a_wrong_token_is_not_replaced_by_another() {
        let authorization = format!("Bearer {}", token(5).expose());
        let headers = headers(&[("x-api-key", "wrong"), ("authorization", &authorization)]);
        assert_eq!(sent_token(&headers, ""), Err(TokenError::Invalid));
    }

    #[test]
    fn another_scheme_is_not_a_token() {
        for sign_in in ["Basic YTpi", "Bearer", "Bearer ", "Bearerx", "", "é"] {
            assert_eq!(
                sent_token(&headers(&[("authorization", sign_in)]), ""),
                Err(TokenError::Missing),
                "{sign_in}"
            );
        }
    }
}
