//! Whose a token is: the store's answer, believed for a while.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schema::store::{Db, StoreError, tokens};
use schema::{Account, Timestamp, TokenRecord};
use subtle::ConstantTimeEq;

use crate::auth::roll::Roll;
use crate::auth::token::{Token, TokenKey};

/// Answers kept; beyond them the oldest half of each kind goes.
const KEPT: usize = 10_000;
/// The least time between two readings of the roll of valid tokens.
const ROLL_PACE: Duration = Duration::from_millis(500);

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
    roll: Roll,
    known: Mutex<Kept<Caller>>,
    unknown: Mutex<Kept<()>>,
}

impl TokenDirectory {
    /// A directory over the tokens in `db`, hashed with `key`, that believes an answer for `ttl`.
    pub fn new(db: Db, key: TokenKey, ttl: Duration) -> Self {
        let roll = Roll::new(db.clone(), ROLL_PACE);
        Self {
            db,
            key,
            ttl,
            roll,
            known: Mutex::default(),
            unknown: Mutex::default(),
        }
    }

    /// Whose the token is; `None` where nobody's, or where it was revoked.
    ///
    /// # Errors
    /// Whatever asking the store failed with.
    pub async fn caller(
        &self,
        token: &Token,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = TokenHash(self.key.hash(token));
        match self.remembered(&hash, now) {
            Remembered::Caller(caller) => Ok(Some(caller)),
            Remembered::Nobody => Ok(None),
            Remembered::Nothing => self.look_up(hash, now).await,
        }
    }

    /// As [`TokenDirectory::caller`], for somebody who sent too many wrong tokens: one that was never seen here is looked
    /// up only if it is on the roll of valid ones.
    ///
    /// # Errors
    /// Whatever asking the store failed with.
    pub async fn caller_on_the_roll(
        &self,
        token: &Token,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = TokenHash(self.key.hash(token));
        match self.remembered(&hash, now) {
            Remembered::Caller(caller) => return Ok(Some(caller)),
            Remembered::Nobody => return Ok(None),
            Remembered::Nothing => {}
        }
        if lock(&self.known).has(&hash) || self.roll.names(&hash.0).await? {
            return self.look_up(hash, now).await;
        }
        // Not remembered: the roll may have been read just before the token was made.
        Ok(None)
    }

    /// The answer that is still believed.
    fn remembered(&self, hash: &TokenHash, now: Timestamp) -> Remembered {
        if let Some(caller) = lock(&self.known).get(hash, now, self.ttl) {
            return Remembered::Caller(caller.clone());
        }
        let nobody = lock(&self.unknown).get(hash, now, self.ttl).is_some();
        if nobody {
            Remembered::Nobody
        } else {
            Remembered::Nothing
        }
    }

    async fn look_up(&self, hash: TokenHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        let found = tokens::by_hash(&self.db, &hash.0).await?;
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

/// What is remembered of a token.
enum Remembered {
    Caller(Caller),
    Nobody,
    Nothing,
}

/// A panic elsewhere leaves a cache whole: every change to it is one insertion.
fn lock<T>(kept: &Mutex<Kept<T>>) -> MutexGuard<'_, Kept<T>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The keyed hash of a token. It is compared in constant time: how long it takes tells nothing of the hash that is
/// there, though nobody without the key could choose one that comes close.
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

/// Answers by the token's hash, with the time they were given.
struct Kept<T>(HashMap<TokenHash, (Timestamp, T)>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> Kept<T> {
    fn get(&self, hash: &TokenHash, now: Timestamp, ttl: Duration) -> Option<&T> {
        self.0
            .get(hash)
            .filter(|(at, _)| is_fresh(*at, now, ttl))
            .map(|(_, answer)| answer)
    }

    /// Whether there is an answer, however old.
    fn has(&self, hash: &TokenHash) -> bool {
        self.0.contains_key(hash)
    }

    fn put(&mut self, hash: TokenHash, now: Timestamp, answer: T) {
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

    fn hash(number: usize) -> TokenHash {
        TokenHash(*blake3::hash(&number.to_be_bytes()).as_bytes())
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

    async fn made_known(db: &Db, key: &TokenKey, token: &Token) {
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
    async fn whoever_goes_by_the_roll_costs_one_reading_and_no_look_up() {
        support::on_each_database(async |db| {
            let key = TokenKey::new([7; 32]);
            let [wrong, late] =
                [1, 2].map(|seed| Token::generate(&mut StdRng::seed_from_u64(seed)));
            let mut directory = TokenDirectory::new(db.clone(), key.clone(), TTL);
            directory.roll = Roll::new(db.clone(), Duration::from_hours(1));
            assert_eq!(
                directory
                    .caller_on_the_roll(&wrong, Timestamp(0))
                    .await
                    .unwrap(),
                None
            );
            made_known(&db, &key, &late).await;
            // A look-up would have found it.
            assert_eq!(
                directory
                    .caller_on_the_roll(&late, Timestamp(0))
                    .await
                    .unwrap(),
                None
            );
            assert!(
                directory
                    .caller(&late, Timestamp(0))
                    .await
                    .unwrap()
                    .is_some()
            );
            // Once it was seen it is no stranger.
            let known = directory
                .caller_on_the_roll(&late, Timestamp(60_000))
                .await
                .unwrap();
            assert!(known.is_some());
            directory.roll = Roll::new(db.clone(), Duration::from_hours(1));
            lock(&directory.known).0.clear();
            assert!(
                directory
                    .caller_on_the_roll(&late, Timestamp(0))
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
                    .caller(&token, Timestamp(at))
                    .await
                    .unwrap()
                    .is_some()
            };
            assert!(!is_known(0).await);
            made_known(&db, &key, &token).await;
            assert!(!is_known(19_999).await);
            assert!(is_known(20_000).await);
        })
        .await;
    }
}
