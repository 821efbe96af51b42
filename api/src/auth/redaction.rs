//! Removes tokens from texts. Clients sometimes paste their token into a path or into another parameter.

use std::borrow::Cow;

use crate::auth::token::PREFIX;

/// The longest run of letters and digits that is kept. A token without its prefix is a run of 38.
const LONGEST_KEPT: usize = 32;

/// The text with `…` in place of everything that may be a token or the secret part of one.
pub(crate) fn redact_tokens(text: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut rest = text;
    let mut is_changed = false;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, run) = rest.split_at(start);
        let (run, after) = run.split_at(
            run.find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(run.len()),
        );
        kept.push_str(before);
        // What follows the prefix is secret, however short: the rest of a truncated token can be guessed.
        if run.len() > LONGEST_KEPT || kept.ends_with(PREFIX) {
            kept.push('…');
            is_changed = true;
        } else {
            kept.push_str(run);
        }
        rest = after;
    }
    if is_changed {
        Cow::Owned(kept + rest)
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::auth::Token;

    #[test]
    fn what_follows_the_prefix_is_removed_however_short() {
        assert_eq!(redact_tokens("/v1/offers/jdn_secret"), "/v1/offers/jdn_…");
        assert_eq!(
            redact_tokens("limit=jdn_ab&jdn_cd;x"),
            "limit=jdn_…&jdn_…;x"
        );
        assert_eq!(
            redact_tokens("the form jdn_ and 38 letters"),
            "the form jdn_ and 38 letters"
        );
    }

    #[test]
    fn other_texts_are_unchanged() {
        for text in [
            "",
            "/v1/offers/56Ju1C53B79DwEQD",
            "Hořejší 2+kk",
            "must be 1 to 50, not \"51\"",
        ] {
            assert!(matches!(redact_tokens(text), Cow::Borrowed(_)), "{text}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_removed_from_any_place(seed: u64, before in "\\PC{0,20}", after in "\\PC{0,20}") {
            let token = Token::generate(&mut StdRng::seed_from_u64(seed));
            let text = format!("{before}{}{after}", token.expose());
            let shown = redact_tokens(&text).into_owned();
            let secret = token.expose().get(4..).unwrap_or_default();
            prop_assert!(!shown.contains(secret), "{shown}");
            let encoded = format!("{before}%6Adn%5F{secret}{after}");
            prop_assert!(!redact_tokens(&encoded).contains(secret));
        }
    }
}
