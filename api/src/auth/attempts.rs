//! Requests without a valid token, counted by the network they come from.
//!
//! Nobody is locked out: a network that sent too many still gets every request with a valid token answered. What it
//! loses is that each new wrong token is looked up in the database.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use schema::Timestamp;

/// Networks remembered; beyond them the half that is forgiven soonest goes.
const KEPT: usize = 65_536;
/// As many attempts as are allowed in this time may come at once, in milliseconds.
const WINDOW: i64 = 60_000;

/// What one client is known by: an IPv4 address, or the /64 of an IPv6 address, which one client has as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(u64);

impl Network {
    /// The network that an address belongs to.
    pub fn of(address: IpAddr) -> Self {
        // An IPv4 address, mapped into IPv6 or not, is one number apart from all /64s: those of ::/64 are not routed.
        let address = match address {
            IpAddr::V6(address) => address
                .to_ipv4_mapped()
                .map_or(IpAddr::V6(address), IpAddr::V4),
            address @ IpAddr::V4(_) => address,
        };
        match address {
            IpAddr::V4(address) => Self(u64::from(address.to_bits())),
            IpAddr::V6(address) => Self(first_half(address)),
        }
    }
}

fn first_half(address: Ipv6Addr) -> u64 {
    (address.to_bits() >> 64) as u64
}

/// The attempts of all networks lately.
#[derive(Debug)]
pub struct Attempts {
    /// Milliseconds that an attempt costs; `None` where any number is allowed.
    cost: Option<i64>,
    /// When each network has none left that count against it (the virtual scheduling of a leaky bucket).
    forgiven_at: Mutex<HashMap<Network, i64>>,
}

impl Attempts {
    /// Allows so many attempts a minute to each network; 0 allows any number.
    pub fn new(per_minute: u32) -> Self {
        let cost = (per_minute > 0).then(|| (WINDOW / i64::from(per_minute)).max(1));
        Self {
            cost,
            forgiven_at: Mutex::default(),
        }
    }

    /// Whether the network has sent so many that its next one is over the limit.
    pub fn are_exhausted(&self, network: Network, now: Timestamp) -> bool {
        let Some(cost) = self.cost else { return false };
        let forgiven_at = self
            .forgiven_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        wait(forgiven_at.get(&network).copied(), cost, now.millis()) > 0
    }

    /// Notes an attempt. Over the limit it returns how many seconds to wait, at least one.
    pub fn note(&self, network: Network, now: Timestamp) -> Option<u64> {
        let cost = self.cost?;
        let now = now.millis();
        let mut forgiven_at = self
            .forgiven_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = forgiven_at.get(&network).copied();
        let wait = wait(before, cost, now);
        if wait > 0 {
            return Some(wait.unsigned_abs().div_ceil(1000));
        }
        if forgiven_at.len() >= KEPT && before.is_none() {
            forget(&mut forgiven_at, now);
        }
        forgiven_at.insert(network, standing(before, now) + cost);
        None
    }
}

/// When the network is forgiven everything, seen from `now`: no later than a full window ahead, also where the clock
/// was set back.
fn standing(forgiven_at: Option<i64>, now: i64) -> i64 {
    forgiven_at.unwrap_or(now).clamp(now, now + WINDOW)
}

/// Milliseconds until an attempt is within the limit.
fn wait(forgiven_at: Option<i64>, cost: i64, now: i64) -> i64 {
    (standing(forgiven_at, now) + cost - now - WINDOW).max(0)
}

fn forget(forgiven_at: &mut HashMap<Network, i64>, now: i64) {
    forgiven_at.retain(|_, at| *at > now);
    if forgiven_at.len() < KEPT {
        return;
    }
    let mut times: Vec<i64> = forgiven_at.values().copied().collect();
    let (_, middle, _) = times.select_nth_unstable(KEPT / 2);
    let middle = *middle;
    forgiven_at.retain(|_, at| *at > middle);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn as_many_as_are_allowed_in_a_minute_may_come_at_once_and_then_one_at_a_time() {
        let (attempts, home) = (Attempts::new(60), network("192.0.2.1"));
        for _ in 0..60 {
            assert!(!attempts.are_exhausted(home, Timestamp(5_000)));
            assert_eq!(attempts.note(home, Timestamp(5_000)), None);
        }
        assert!(attempts.are_exhausted(home, Timestamp(5_000)));
        assert_eq!(attempts.note(home, Timestamp(5_000)), Some(1));
        assert_eq!(attempts.note(home, Timestamp(5_999)), Some(1));
        assert_eq!(attempts.note(home, Timestamp(6_000)), None);
        assert_eq!(attempts.note(home, Timestamp(6_000)), Some(1));
        assert!(
            !attempts.are_exhausted(network("192.0.2.2"), Timestamp(6_000)),
            "another address"
        );
    }

    #[test]
    fn after_a_minute_of_silence_everything_is_forgiven() {
        let (attempts, home) = (Attempts::new(3), network("2001:db8::1"));
        let noted = |at| {
            (0..4)
                .map(|_| attempts.note(home, Timestamp(at)))
                .collect::<Vec<_>>()
        };
        assert_eq!(noted(0), [None, None, None, Some(20)]);
        assert_eq!(noted(60_000), [None, None, None, Some(20)]);
    }

    #[test]
    fn a_clock_that_was_set_back_punishes_no_longer_than_a_minute() {
        let (attempts, home) = (Attempts::new(2), network("192.0.2.1"));
        assert_eq!(
            [1, 2].map(|_| attempts.note(home, Timestamp(9_000_000))),
            [None, None]
        );
        assert_eq!(attempts.note(home, Timestamp(0)), Some(30));
        assert_eq!(attempts.note(home, Timestamp(9_060_000)), None);
    }

    #[test]
    fn zero_is_no_limit() {
        let attempts = Attempts::new(0);
        assert!((0..1_000).all(|_| attempts.note(network("192.0.2.1"), Timestamp(0)).is_none()));
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_a_64_of_ipv6() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    #[test]
    fn no_more_networks_are_remembered_than_the_bound() {
        let attempts = Attempts::new(60);
        for number in 0..u32::try_from(3 * KEPT).unwrap() {
            let at = Timestamp(i64::from(number) / 100);
            assert_eq!(
                attempts.note(Network::of(IpAddr::V4(number.into())), at),
                None
            );
            if number % 1_000 == 0 {
                assert!(attempts.forgiven_at.lock().unwrap().len() <= KEPT);
            }
        }
    }
}
