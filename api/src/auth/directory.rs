//! Whose a token is: the store's answer, believed for a while.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schema::store::{Db, StoreError, tokens};
use schema::{Account, Timestamp, TokenRecord};

use crate::auth::token::{Token, TokenKey};

/// Answers kept; beyond them the oldest half of each kind goes.
const KEPT: usize = 10_000;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token that was sent.
    pub token: TokenRecord,
    /// The account it belongs to.
    pub account: Account,
}

/// The tokens that were asked for lately. A revoked token and a changed plan are noticed when the answer has grown
/// older than the time to live, in every process by itself.
pub struct TokenDirectory {
    db: Db,
    key: TokenKey,
    ttl: Duration,
    known: Mutex<Kept<Caller>>,
    unknown: Mutex<Kept<()>>,
}

impl TokenDirectory {
    /// A directory over the tokens in `db`, hashed with `key`, that believes an answer for `ttl`.
    pub fn new(db: Db, key: TokenKey, ttl: Duration) -> Self {
        Self { db, key, ttl, known: Mutex::default(), unknown: Mutex::default() }
    }

    /// Whose the token is; `None` where nobody's, or where it was revoked.
    ///
    /// # Errors
    /// Whatever asking the store failed with.
    pub async fn caller(&self, token: &Token, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let hash = self.key.hash(token);
        if let Some(caller) = lock(&self.known).get(&hash, now, self.ttl) {
            return Ok(Some(caller.clone()));
        }
        if lock(&self.unknown).get(&hash, now, self.ttl).is_some() {
            return Ok(None);
        }
        let found = tokens::by_hash(&self.db, &hash).await?;
        let caller = found
            .filter(|(token, _)| token.revoked_at.is_none())
            .map(|(token, account)| Caller { token, account });
        match &caller {
            Some(caller) => lock(&self.known).put(hash, now, caller.clone()),
            None => lock(&self.unknown).put(hash, now, ()),
        }
        Ok(caller)
    }
}

/// A panic elsewhere leaves a cache whole: every change to it is one insertion.
fn lock<T>(kept: &Mutex<Kept<T>>) -> MutexGuard<'_, Kept<T>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers by the token's hash, with the time they were given.
struct Kept<T>(HashMap<[u8; 32], (Timestamp, T)>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> Kept<T> {
    fn get(&self, hash: &[u8; 32], now: Timestamp, ttl: Duration) -> Option<&T> {
        self.0.get(hash).filter(|(at, _)| is_fresh(*at, now, ttl)).map(|(_, answer)| answer)
    }

    fn put(&mut self, hash: [u8; 32], now: Timestamp, answer: T) {
        if self.0.len() >= KEPT {
            let mut ages: Vec<Timestamp> = self.0.values().map(|(at, _)| *at).collect();
            let (_, middle, _) = ages.select_nth_unstable(KEPT / 2);
            let middle = *middle;
            self.0.retain(|_, (at, _)| *at > middle);
        }
        self.0.insert(hash, (now, answer));
    }
}

/// Whether an answer is young enough. One from the future (the clock was set back) is not.
fn is_fresh(at: Timestamp, now: Timestamp, ttl: Duration) -> bool {
    u128::try_from(now.millis() - at.millis()).is_ok_and(|age| age < ttl.as_millis())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use schema::Plan;
    use schema::store::accounts;

    use super::*;

    const TTL: Duration = Duration::from_secs(20);

    fn hash(number: usize) -> [u8; 32] {
        *blake3::hash(&number.to_be_bytes()).as_bytes()
    }

    #[test]
    fn an_answer_is_believed_for_its_time_to_live_only() {
        let mut kept = Kept::default();
        kept.put(hash(1), Timestamp(1_000), "answer");
        assert_eq!(kept.get(&hash(1), Timestamp(20_999), TTL), Some(&"answer"));
        assert_eq!(kept.get(&hash(1), Timestamp(21_000), TTL), None);
        assert_eq!(kept.get(&hash(1), Timestamp(999), TTL), None);
        assert_eq!(kept.get(&hash(2), Timestamp(1_000), TTL), None);
    }

    #[test]
    fn no_more_answers_are_kept_than_the_bound() {
        let mut kept = Kept::default();
        for (number, at) in (0..3 * KEPT).zip(0..) {
            kept.put(hash(number), Timestamp(at), ());
            assert!(kept.0.len() <= KEPT);
            assert!(kept.get(&hash(number), Timestamp(at), TTL).is_some());
        }
    }

    #[test]
    fn a_flood_at_one_instant_stays_within_the_bound() {
        let mut kept = Kept::default();
        for number in 0..2 * KEPT {
            kept.put(hash(number), Timestamp(0), ());
        }
        assert!(kept.0.len() <= KEPT);
    }
    #[tokio::test]
    async fn an_unknown_token_is_not_looked_up_again_within_its_time_to_live() {
        support::on_each_database(async |db| {
            let key = TokenKey::new([7; 32]);
            let token = Token::generate(&mut StdRng::seed_from_u64(1));
            let directory = TokenDirectory::new(db.clone(), key.clone(), TTL);
            let is_known = async |at| directory.caller(&token, Timestamp(at)).await.unwrap().is_some();
            assert!(!is_known(0).await);
            let account = accounts::create(&db, "late", Plan::Free, None, Timestamp(0)).await.unwrap();
            let record = TokenRecord {
                id: "tok_1".to_owned(),
                account_id: account.id,
                prefix: token.prefix().to_owned(),
                created_at: Timestamp(0),
                revoked_at: None,
            };
            tokens::create(&db, &record, &key.hash(&token)).await.unwrap();
            assert!(!is_known(19_999).await);
            assert!(is_known(20_000).await);
        })
        .await;
    }
}
