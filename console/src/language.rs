//! The two languages of the console.
//!
//! Each text stands where it is used, in both languages beside each other: `l.t("Portals", "Portály")`.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

/// The name of the cookie with the chosen language.
pub(crate) const COOKIE: &str = "language";

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Czech,
    English,
}

impl Language {
    /// The language of this code.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        match code {
            "cs" => Some(Self::Czech),
            "en" => Some(Self::English),
            _ => None,
        }
    }

    /// Its code in HTML and in the cookie.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Czech => "cs",
            Self::English => "en",
        }
    }

    /// The text in this language.
    pub(crate) fn t(self, english: &'static str, czech: &'static str) -> &'static str {
        match self {
            Self::Czech => czech,
            Self::English => english,
        }
    }

    /// The noun that a number takes: one, two to four, more.
    pub(crate) fn counted(self, count: u64, english: [&str; 2], czech: [&str; 3]) -> String {
        let noun = match (self, count) {
            (Self::English, 1) => english[0],
            (Self::English, _) => english[1],
            (Self::Czech, 1) => czech[0],
            (Self::Czech, 2..=4) => czech[1],
            (Self::Czech, _) => czech[2],
        };
        format!("{}\u{a0}{noun}", crate::format::count(count))
    }

    /// The chosen language, or else the first of the two that the browser prefers.
    pub(crate) fn of_request(headers: &HeaderMap) -> Self {
        let chosen = cookie(headers, COOKIE).and_then(Self::from_code);
        chosen.unwrap_or_else(|| {
            let accepted = headers.get(header::ACCEPT_LANGUAGE);
            let accepted = accepted.and_then(|value| value.to_str().ok());
            let mut codes = accepted.unwrap_or_default().split(',');
            let known = |part: &str| Self::from_code(part.trim().get(..2)?);
            codes.find_map(known).unwrap_or(Self::English)
        })
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter();
    let mut cookies = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    cookies.find_map(|one| one.trim().strip_prefix(name)?.strip_prefix('='))
}

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of_request(&parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(accepted: &str, cookies: &str) -> &'static str {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        Language::of_request(&headers).code()
    }

    #[test]
    fn the_chosen_language_counts_before_the_browsers() {
        assert_eq!(language("cs,en;q=0.8", "a=b"), "cs");
        assert_eq!(language("de-DE, cs;q=0.5, en;q=0.3", ""), "cs");
        assert_eq!(language("de-DE", ""), "en");
        assert_eq!(language("cs", "session=x; language=en"), "en");
    }

    #[test]
    fn nouns_follow_their_number() {
        let advert = |l: Language, count| {
            l.counted(
                count,
                ["advert", "adverts"],
                ["inzerát", "inzeráty", "inzerátů"],
            )
        };
        assert_eq!(advert(Language::Czech, 3), "3\u{a0}inzeráty");
        assert_eq!(advert(Language::Czech, 5), "5\u{a0}inzerátů");
        assert_eq!(advert(Language::English, 1), "1\u{a0}advert");
    }
}
