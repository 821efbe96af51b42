//! Hashes of passwords: argon2id, in the PHC string format.

use argon2::Argon2;
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use subtle::ConstantTimeEq;

/// The parameters of the hash: 19 MiB, two passes, one lane, as OWASP recommends and as `argon2` has by default.
const PARAMETERS: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

/// The fewest characters of a password.
const SHORTEST: usize = 10;

/// Whether a password is long enough: ten characters or more.
pub fn is_acceptable_password(password: &str) -> bool {
    password.chars().count() >= SHORTEST
}

/// The hash of a password, with a random salt.
///
/// # Errors
/// When memory is short.
pub fn hash_password(password: &str, salt: [u8; 16]) -> Result<String, argon2::Error> {
    let mut hash = [0; 32];
    Argon2::default().hash_password_into(password.as_bytes(), &salt, &mut hash)?;
    let [salt, hash] = [&salt[..], &hash[..]].map(|bytes| STANDARD_NO_PAD.encode(bytes));
    Ok(format!("{PARAMETERS}{salt}${hash}"))
}

/// Whether a password has this hash. A hash that was made otherwise fits no password.
pub(crate) fn verify_password(password: &str, stored: &str) -> bool {
    let salt = stored
        .strip_prefix(PARAMETERS)
        .and_then(|rest| rest.split('$').next())
        .and_then(|salt| STANDARD_NO_PAD.decode(salt).ok())
        .and_then(|salt| <[u8; 16]>::try_from(salt).ok());
    // A name that does not exist takes as long as a wrong password.
    let again = hash_password(password, salt.unwrap_or_default()).unwrap_or_default();
    salt.is_some() && bool::from(again.as_bytes().ct_eq(stored.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_itself_fits_its_hash() {
        let stored = hash_password("correct horse", [7; 16]).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(!stored.contains("correct horse"));
        assert!(verify_password("correct horse", &stored));
        assert!(!verify_password("correct horsf", &stored));
        assert!(!verify_password("correct horse", ""));
        assert_ne!(stored, hash_password("correct horse", [8; 16]).unwrap());
    }
}
