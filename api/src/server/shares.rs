//! How many connections one network may keep without a token.
//!
//! A connection counts until a request on it has shown a valid token, also if its answer waits. If a network has its share and opens one
//! more, its oldest connection that counts is reset. So clients without a token cannot take all connections, and a
//! client with a token is served even if others at its address, or behind its proxy, open as many as they can.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::auth::Network;

/// The connections of all networks that have shown no valid token.
#[derive(Debug)]
pub(crate) struct Shares {
    /// The most of them in one network.
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By the order in which they were opened.
    tokenless: HashMap<Network, BTreeMap<u64, CancellationToken>>,
    next: u64,
}

impl Shares {
    /// Allows each network this many, at least one.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most: most.max(1),
            state: Mutex::default(),
        })
    }

    /// Counts a new connection. If its network has its share already, the oldest one that counts must be reset.
    pub(crate) fn open(self: &Arc<Self>, network: Network) -> Arc<Share> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        let evicted = CancellationToken::new();
        let own = state.tokenless.entry(network).or_default();
        if own.len() >= self.most
            && let Some((_, oldest)) = own.pop_first()
        {
            oldest.cancel();
        }
        own.insert(number, evicted.clone());
        drop(state);
        Arc::new(Share {
            shares: Arc::clone(self),
            network,
            number,
            evicted,
        })
    }

    /// A poisoned lock is not a problem, because no change to the state can panic halfway.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's place in the share of its network, until it shows a valid token or is closed.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Arc<Shares>,
    network: Network,
    number: u64,
    evicted: CancellationToken,
}

impl Share {
    /// Completes when the connection must be reset because a newer one took its place.
    pub(crate) async fn lost(&self) {
        self.evicted.cancelled().await;
    }

    /// Gives the place back: the connection has shown a valid token, or is closed.
    pub(crate) fn give_back(&self) {
        let mut state = self.shares.state();
        if let Some(own) = state.tokenless.get_mut(&self.network) {
            own.remove(&self.number);
            if own.is_empty() {
                state.tokenless.remove(&self.network);
            }
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::containing(text.parse().unwrap())
    }

    #[test]
    fn the_oldest_connection_without_a_token_gives_way_to_one_beyond_the_share() {
        let shares = Shares::new(2);
        let (home, other) = (network("192.0.2.1"), network("192.0.2.2"));
        let first = shares.open(home);
        let second = shares.open(home);
        let elsewhere = shares.open(other);
        first.give_back();
        let third = shares.open(home);
        assert!(!second.evicted.is_cancelled(), "the first has a token");
        let _fourth = shares.open(home);
        assert!(second.evicted.is_cancelled());
        for kept in [&first, &third, &elsewhere] {
            assert!(!kept.evicted.is_cancelled());
        }
    }

    #[test]
    fn closed_connections_are_forgotten() {
        let shares = Shares::new(1);
        for _ in 0..3 {
            let open = shares.open(network("192.0.2.1"));
            assert!(!open.evicted.is_cancelled());
        }
        assert!(shares.state().tokenless.is_empty());
    }
}
