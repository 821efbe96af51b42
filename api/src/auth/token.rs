//! The token itself: `jdn_`, 32 random characters, 6 characters of checksum.
//!
//! The 32 characters of `[0-9A-Za-z]` hold 190 random bits. The checksum makes a typing error, or a secret scanner's
//! false alarm, visible without asking the database. The store keeps only a keyed hash: a stolen database gives no
//! token away, and a secret this long needs no slow hash.

use std::fmt;

use rand::{Rng, RngExt};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// What every token begins with, so that it is recognised.
pub const PREFIX: &str = "jdn_";
const SECRET_LENGTH: usize = 32;
const CHECKSUM_LENGTH: usize = 6;
const LENGTH: usize = PREFIX.len() + SECRET_LENGTH + CHECKSUM_LENGTH;
/// `jdn_` and six of the random characters: enough to tell tokens apart, and 154 bits short of a token.
const SHOWN: usize = 10;

/// An API token. Its `Debug` shows the public prefix only.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// A text that is no token of this service: another form, or a checksum that does not fit (a typing error).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not a token of this service: one has the form jdn_ and 38 letters and digits")]
pub struct MalformedToken;

impl Token {
    /// A fresh token drawn from `rng`, which must be fit for secrets.
    pub fn generate(rng: &mut impl Rng) -> Self {
        let secret =
            (0..SECRET_LENGTH).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())]));
        let text: String = PREFIX.chars().chain(secret).collect();
        let checksum = checksum(&text);
        Self(text + &checksum)
    }

    /// Reads a token as a client sent it.
    ///
    /// # Errors
    /// [`MalformedToken`] where the form or the checksum is wrong.
    pub fn parse(text: &str) -> Result<Self, MalformedToken> {
        let fits = text.len() == LENGTH
            && text
                .strip_prefix(PREFIX)
                .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric()));
        // The text is ASCII from here on: `fits` is asked first.
        let (body, given) = text
            .split_at_checked(LENGTH - CHECKSUM_LENGTH)
            .ok_or(MalformedToken)?;
        if fits && checksum(body) == given {
            Ok(Self(text.to_owned()))
        } else {
            Err(MalformedToken)
        }
    }

    /// The leading characters, fit to be shown and stored.
    pub fn prefix(&self) -> &str {
        self.0.get(..SHOWN).unwrap_or_default()
    }

    /// The whole token: to be shown once, to whoever it was made for.
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

/// The secret that token hashes are keyed with.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

impl TokenKey {
    /// The key with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// What the store knows a token by.
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
    fn a_generated_token_reads_back_and_is_recognisable() {
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
        fn another_character_anywhere_is_noticed(seed: u64, place in 0..42usize, other in "[0-9A-Za-z]") {
            let token = token(seed);
            let mut text = token.expose().to_owned();
            text.replace_range(place..=place, &other);
            prop_assert_eq!(Token::parse(&text).is_ok(), text == token.expose());
        }

        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,60}") {
            let _ = Token::parse(&text);
        }
    }
}
