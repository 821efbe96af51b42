//! Creates tokens for accounts.

use futures::future::BoxFuture;
use rand::{Rng, RngExt};
use schema::store::{Db, StoreError, secrets, tokens};
use schema::{AccountId, Timestamp, TokenRecord};

use crate::auth::token::{Token, TokenKey};

/// The name under which the store keeps the key of the token hashes.
const TOKEN_KEY: &str = "token-key";

/// A new token. Only now can it be shown: the store keeps just its hash.
#[derive(Debug, Clone)]
pub struct IssuedToken {
    /// The token.
    pub token: Token,
    /// The record that the store keeps.
    pub record: TokenRecord,
}

/// Creates a token for `account` and stores its hash. `rng` must be cryptographically secure.
///
/// # Errors
/// The error of the store.
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

/// The key of the token hashes. If the store has none yet, `fresh` becomes the key.
///
/// # Errors
/// The error of the store.
pub fn token_key(db: &Db, fresh: [u8; 32]) -> BoxFuture<'_, Result<TokenKey, StoreError>> {
    Box::pin(async move {
        secrets::get_or_create(db, TOKEN_KEY, fresh)
            .await
            .map(TokenKey::new)
    })
}
