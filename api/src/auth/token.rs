//! A token: `jdn_`, 32 random characters, 6 characters of checksum.
//!
//! The 32 characters of `[0-9A-Za-z]` hold 190 random bits. The checksum reveals typing errors, and false alarms of
//! secret scanners, without a query to the database. The store keeps only a keyed hash, so a stolen database reveals no
//! token. A secret of this length needs no slow hash.

use std::fmt;

use rand::{Rng, RngExt};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The prefix of every token, by which people and secret scanners recognise one.
pub(crate) const PREFIX: &str = "jdn_";
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX.len() + SECRET_LENGTH + CHECKSUM_LENGTH;
/// The length of the public prefix: `jdn_` and six random characters. That is enough to tell tokens apart, and leaves 154
/// secret bits.
const PUBLIC_LENGTH: usize = 10;

/// An API token. Its `Debug` shows the public prefix only.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// A text that is not a token of this service: it has another form, or its checksum is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a token of this service: a token is jdn_ followed by 38 letters and digits")]
pub struct MalformedToken;

impl Token {
    /// A new random token. `rng` must be cryptographically secure.
    pub fn generate(rng: &mut impl Rng) -> Self {
        let secret =
            (0..SECRET_LENGTH).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())]));
        let text: String = PREFIX.chars().chain(secret).collect();
        let checksum = checksum(&text);
        Self(text + &checksum)
    }

    /// Parses a token as a client sent it.
    ///
    /// # Errors
    /// [`MalformedToken`] if the form or the checksum is wrong.
    pub fn parse(text: &str) -> Result<Self, MalformedToken> {
        let fits = text.len() == LENGTH
            && text
                .strip_prefix(PREFIX)
                .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric()));
        let (body, given) = text
            .split_at_checked(LENGTH - CHECKSUM_LENGTH)
            .ok_or(MalformedToken)?;
        if fits && checksum(body) == given {
            Ok(Self(text.to_owned()))
        } else {
            Err(MalformedToken)
        }
    }

    /// The leading characters, which may be shown and stored.
    pub fn prefix(&self) -> &str {
        self.0.get(..PUBLIC_LENGTH).unwrap_or_default()
    }

    /// The whole token. Show it once, to the person it was created for.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}…)", self.prefix())
    }
}

/// The first 32 bits of BLAKE3 in base 62.
fn checksum(text: &str) -> String {
    let hash = blake3::hash(text.as_bytes());
    let mut rest = hash
        .as_bytes()
        .iter()
        .take(4)
        .fold(0u32, |sum, byte| (sum << 8) | u32::from(*byte));
    let mut characters = ['0'; CHECKSUM_LENGTH];
    for character in characters.iter_mut().rev() {
        *character = char::from(ALPHABET[(rest % 62) as usize]);
        rest /= 62;
    }
    characters.iter().collect()
}

/// The key of the token hashes.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

impl TokenKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash by which the store knows a token.
    pub fn hash(&self, token: &Token) -> [u8; 32] {
        *blake3::keyed_hash(&self.0, token.0.as_bytes()).as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    fn token(seed: u64) -> Token {
        Token::generate(&mut StdRng::seed_from_u64(seed))
    }

    #[test]
    fn a_generated_token_can_be_parsed_and_recognised() {
        let token = token(1);
        assert_eq!(Token::parse(token.expose()), Ok(token.clone()));
        assert!(token.expose().starts_with("jdn_"));
        assert_eq!(token.expose().len(), 42);
        assert_eq!(token.prefix().len(), 10);
    }

    #[test]
    fn debug_shows_the_prefix_only() {
        let token = token(2);
        let shown = format!("{token:?}");
        assert!(shown.contains(token.prefix()));
        assert!(!shown.contains(token.expose()));
    }

    #[test]
    fn the_hash_depends_on_the_key() {
        let token = token(3);
        assert_ne!(
            TokenKey::new([1; 32]).hash(&token),
            TokenKey::new([2; 32]).hash(&token)
        );
    }

    proptest! {
        #[test]
        fn a_changed_character_is_noticed(seed: u64, place in 0..42usize, other in "[0-9A-Za-z]") {
            let token = token(seed);
            let mut text = token.expose().to_owned();
            text.replace_range(place..=place, &other);
            prop_assert_eq!(Token::parse(&text).is_ok(), text == token.expose());
        }

        #[test]
        fn any_text_is_parsed_without_a_panic(text in "\\PC{0,60}") {
            let _ = Token::parse(&text);
        }
    }
}
