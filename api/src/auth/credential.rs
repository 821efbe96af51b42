//! Where a request may carry its token, and which one counts (spec, Authentication 2 and 3).

use axum::http::{HeaderMap, header};

use crate::auth::token::Token;
use crate::params::token_of;

/// Why a request has no account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// No token was sent.
    #[error("No API token was sent.")]
    Missing,
    /// What was sent is no token, or none that this service knows, or one that was revoked: which of these, only its
    /// owner may know.
    #[error("The API token is unknown or was revoked.")]
    Refused,
}

impl TokenFault {
    /// The challenge that a 401 carries (RFC 6750).
    pub fn challenge(self) -> &'static str {
        match self {
            Self::Missing => "Bearer realm=\"jeden\"",
            Self::Refused => "Bearer realm=\"jeden\", error=\"invalid_token\"",
        }
    }
}

/// The token that counts: `X-Api-Key`, else the query's, else `Authorization`. An empty one counts as not sent, and
/// there is no falling back from a wrong one.
///
/// # Errors
/// [`TokenFault::Missing`] where there is none, [`TokenFault::Refused`] where it does not have the form of a token.
pub fn credential(headers: &HeaderMap, query: &str) -> Result<Token, TokenFault> {
    let sent = api_key(headers)
        .or_else(|| token_of(query).map(String::into_bytes))
        .or_else(|| bearer(headers))
        .ok_or(TokenFault::Missing)?;
    let text = std::str::from_utf8(&sent).map_err(|_not_ascii| TokenFault::Refused)?;
    Token::parse(text).map_err(|_malformed| TokenFault::Refused)
}

fn api_key(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers
        .get_all("x-api-key")
        .iter()
        .map(|value| value.as_bytes().trim_ascii())
        .find(|key| !key.is_empty())
        .map(<[u8]>::to_vec)
}

/// The token of a `Bearer` authorization; whatever else stands there is the client's own sign-in.
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
        assert_eq!(credential(&all, &sent), Ok(key));
        assert_eq!(credential(&own, &sent), Ok(query));
        assert_eq!(credential(&own, ""), Ok(bearer));
    }

    #[test]
    fn an_empty_one_counts_as_not_sent() {
        let bearer = token(4);
        let authorization = format!("bEARER   {} ", bearer.expose());
        let headers = headers(&[("x-api-key", "  "), ("authorization", &authorization)]);
        assert_eq!(credential(&headers, "token="), Ok(bearer));
    }

    #[test]
    fn there_is_no_falling_back_from_a_wrong_one() {
        let authorization = format!("Bearer {}", token(5).expose());
        let headers = headers(&[("x-api-key", "wrong"), ("authorization", &authorization)]);
        assert_eq!(credential(&headers, ""), Err(TokenFault::Refused));
    }

    #[test]
    fn another_scheme_is_no_token() {
        for sign_in in ["Basic YTpi", "Bearer", "Bearer ", "Bearerx", "", "é"] {
            assert_eq!(
                credential(&headers(&[("authorization", sign_in)]), ""),
                Err(TokenFault::Missing),
                "{sign_in}"
            );
        }
    }
}
