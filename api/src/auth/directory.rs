//! Finds the account of a token, and caches the answers of the store.
//!
//! moka bounds the caches. Their time to live is checked here, because moka would measure it by the machine's clock
//! and not by the configured one.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use schema::store::{Db, StoreError, tokens};
use schema::{Account, Timestamp, TokenRecord};
use subtle::ConstantTimeEq;

use crate::auth::token::{Token, TokenKey};
use crate::auth::valid_tokens::ValidTokens;

/// How many answers of each kind are cached; the least recently used are dropped first.
const CAPACITY: u64 = 10_000;
/// The shortest time between two reads of the valid tokens.
const VALID_TOKENS_INTERVAL: Duration = Duration::from_millis(500);

/// The token of a request and the account that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The token that was sent.
    pub token: TokenRecord,
    /// The account it belongs to.
    pub account: Account,
}

/// What the cache says about a token.
enum Cached {
    Valid(Caller),
    /// The token is unknown or revoked.
    Invalid,
    /// The cache has no fresh answer.
    Missing,
}

/// An answer of the store, with the time it was given.
type Answers<T> = Cache<TokenHash, (Timestamp, T)>;

/// Finds the accounts of tokens. A process notices that a token was revoked or a plan changed when its cached answer
/// is older than the time to live.
pub(crate) struct TokenDirectory {
    db: Db,
    key: TokenKey,
    ttl: Duration,
    valid: ValidTokens,
    known: Answers<Caller>,
    /// Kept apart from `known`, so that a flood of unknown tokens does not displace the valid ones.
    unknown: Answers<()>,
}

impl TokenDirectory {
    /// A directory of the tokens in `db`, hashed with `key`, that caches answers for `ttl`.
    pub(crate) fn new(db: Db, key: TokenKey, ttl: Duration) -> Self {
        let valid = ValidTokens::new(db.clone(), VALID_TOKENS_INTERVAL);
        Self {
            db,
            key,
            ttl,
            valid,
            known: new_cache(),
            unknown: new_cache(),
        }
    }

    /// The account of the token; `None` if the token is unknown or revoked.
    ///
    /// # Errors
    /// The error of the store.
    pub(crate) async fn find_caller(
        &self,
        token: &Token,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = TokenHash(self.key.hash(token));
        match self.cached(&hash, now) {
            Cached::Valid(caller) => Ok(Some(caller)),
            Cached::Invalid => Ok(None),
            Cached::Missing => self.look_up(hash, now).await,
        }
    }

    /// Like [`TokenDirectory::find_caller`], for a network that sent too many wrong tokens: a token that was never
    /// valid in this process is looked up only if it is in the list of valid tokens.
    ///
    /// # Errors
    /// The error of the store.
    pub(crate) async fn find_caller_if_listed(
        &self,
        token: &Token,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = TokenHash(self.key.hash(token));
        match self.cached(&hash, now) {
            Cached::Valid(caller) => return Ok(Some(caller)),
            Cached::Invalid => return Ok(None),
            Cached::Missing => {}
        }
        if self.known.contains_key(&hash) || self.valid.contains(&hash.0).await? {
            return self.look_up(hash, now).await;
        }
        // This answer is not cached: the list may have been read just before the token was created.
        Ok(None)
    }

    /// The answer of the store, if it is cached and fresh.
    fn cached(&self, hash: &TokenHash, now: Timestamp) -> Cached {
        if let Some(caller) = fresh(&self.known, hash, now, self.ttl) {
            return Cached::Valid(caller);
        }
        match fresh(&self.unknown, hash, now, self.ttl) {
            Some(()) => Cached::Invalid,
            None => Cached::Missing,
        }
    }

    async fn look_up(&self, hash: TokenHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let found = tokens::by_hash(&self.db, &hash.0).await?;
        let caller = found
            .filter(|(token, _)| token.revoked_at.is_none())
            .map(|(token, account)| Caller { token, account });
        match &caller {
            Some(caller) => self.known.insert(hash, (now, caller.clone())),
            None => self.unknown.insert(hash, (now, ())),
        }
        Ok(caller)
    }
}

fn new_cache<T: Clone + Send + Sync + 'static>() -> Answers<T> {
    Cache::builder()
        .max_capacity(CAPACITY)
        .eviction_policy(EvictionPolicy::lru())
        .build()
}

/// The answer about a token, if it is younger than `ttl`. An answer from the future, after the clock was set back, is not
/// used.
fn fresh<T: Clone + Send + Sync + 'static>(
    answers: &Answers<T>,
    hash: &TokenHash,
    now: Timestamp,
    ttl: Duration,
) -> Option<T> {
    let (at, answer) = answers.get(hash)?;
    let age = u128::try_from(now.millis() - at.millis()).ok()?;
    (age < ttl.as_millis()).then_some(answer)
}

/// The keyed hash of a token. It is compared in constant time, so that the duration reveals nothing about a stored
/// hash. This is a second safeguard: without the key, no one can choose a token whose hash is close to a stored one.
#[derive(Clone, Copy)]
struct TokenHash([u8; 32]);

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for TokenHash {}

impl Hash for TokenHash {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use schema::Plan;
    use schema::store::accounts;

    use super::*;

    const TTL: Duration = Duration::from_secs(20);

    fn hash(number: u64) -> TokenHash {
        TokenHash(*blake3::hash(&number.to_be_bytes()).as_bytes())
    }

    #[test]
    fn an_answer_is_used_for_its_time_to_live_only() {
        let cache = new_cache();
        cache.insert(hash(1), (Timestamp(1_000), "answer"));
        let get = |number, now| fresh(&cache, &hash(number), Timestamp(now), TTL);
        assert_eq!(get(1, 20_999), Some("answer"));
        assert_eq!(get(1, 21_000), None);
        assert_eq!(get(1, 999), None);
        assert_eq!(get(2, 1_000), None);
    }

    #[test]
    fn the_number_of_answers_is_bounded() {
        let cache = new_cache();
        for number in 0..3 * CAPACITY {
            cache.insert(hash(number), (Timestamp(0), ()));
            assert!(fresh(&cache, &hash(number), Timestamp(0), TTL).is_some());
        }
        cache.run_pending_tasks();
        assert!(cache.entry_count() <= CAPACITY);
    }

    async fn store_token(db: &Db, key: &TokenKey, token: &Token) {
        let account = accounts::create(db, "late", Plan::Free, None, Timestamp(0))
            .await
            .unwrap();
        let record = TokenRecord {
            id: "tok_1".to_owned(),
            account_id: account.id,
            prefix: token.prefix().to_owned(),
            created_at: Timestamp(0),
            revoked_at: None,
        };
        tokens::create(db, &record, &key.hash(token)).await.unwrap();
    }

    #[tokio::test]
    async fn comparing_with_the_valid_tokens_costs_one_read_and_no_look_up() {
        support::on_each_database(async |db| {
            let key = TokenKey::new([7; 32]);
            let [wrong, late] =
                [1, 2].map(|seed| Token::generate(&mut StdRng::seed_from_u64(seed)));
            let mut directory = TokenDirectory::new(db.clone(), key.clone(), TTL);
            directory.valid = ValidTokens::new(db.clone(), Duration::from_hours(1));
            assert_eq!(
                directory
                    .find_caller_if_listed(&wrong, Timestamp(0))
                    .await
                    .unwrap(),
                None
            );
            store_token(&db, &key, &late).await;
            // A look-up would have found the token.
            assert_eq!(
                directory
                    .find_caller_if_listed(&late, Timestamp(0))
                    .await
                    .unwrap(),
                None
            );
            assert!(
                directory
                    .find_caller(&late, Timestamp(0))
                    .await
                    .unwrap()
                    .is_some()
            );
            // A token that this process has seen is looked up.
            let known = directory
                .find_caller_if_listed(&late, Timestamp(60_000))
                .await
                .unwrap();
            assert!(known.is_some());
            directory.valid = ValidTokens::new(db.clone(), Duration::from_hours(1));
            directory.known.invalidate_all();
            assert!(
                directory
                    .find_caller_if_listed(&late, Timestamp(0))
                    .await
                    .unwrap()
                    .is_some()
            );
        })
        .await;
    }

    #[tokio::test]
    async fn an_unknown_token_is_not_looked_up_again_within_its_time_to_live() {
        support::on_each_database(async |db| {
            let key = TokenKey::new([7; 32]);
            let token = Token::generate(&mut StdRng::seed_from_u64(1));
            let directory = TokenDirectory::new(db.clone(), key.clone(), TTL);
            let is_known = async |at| {
                directory
                    .find_caller(&token, Timestamp(at))
                    .await
                    .unwrap()
                    .is_some()
            };
            assert!(!is_known(0).await);
            store_token(&db, &key, &token).await;
            assert!(!is_known(19_999).await);
            assert!(is_known(20_000).await);
        })
        .await;
    }
}
