//! Making a token for an account.

use rand::{Rng, RngExt};
use schema::store::{Db, StoreError, secrets, tokens};
use schema::{AccountId, Timestamp, TokenRecord};

use crate::auth::token::{Token, TokenKey};

/// Under this name the store keeps the key of the token hashes.
const TOKEN_KEY: &str = "token-key";

/// A token that was just made: the only time that it is there to be shown.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    /// The token, for whoever it was made for.
    pub token: Token,
    /// What the store knows of it.
    pub record: TokenRecord,
}

/// Makes a token for `account` and stores its hash. `rng` must be fit for secrets.
///
/// # Errors
/// Whatever the store failed with.
pub async fn issue_token<R: Rng>(
    db: &Db,
    account: AccountId,
    rng: &mut R,
    now: Timestamp,
) -> Result<IssuedToken, StoreError> {
    let token = Token::generate(rng);
    let record = TokenRecord {
        id: format!("tok_{:016x}", rng.random::<u64>()),
        account_id: account,
        prefix: token.prefix().to_owned(),
        created_at: now,
        revoked_at: None,
    };
    let key = token_key(db, rng.random()).await?;
    tokens::create(db, &record, &key.hash(&token)).await?;
    Ok(IssuedToken { token, record })
}

/// The key of the token hashes; `fresh` becomes it where there is none yet.
///
/// # Errors
/// Whatever the store failed with.
pub async fn token_key(db: &Db, fresh: [u8; 32]) -> Result<TokenKey, StoreError> {
    secrets::get_or_create(db, TOKEN_KEY, fresh)
        .await
        .map(TokenKey::new)
}
