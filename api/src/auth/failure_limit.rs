//! Limits requests without a valid token, by the network that they come from.
//!
//! This locks no one out: after too many of them, requests with a valid token from that network are still answered. Only
//! its unknown tokens are no longer looked up in the database.
//!
//! The limit is a leaky bucket (the virtual scheduling of GCRA): for each network one number says until when its past
//! attempts count. moka bounds how many networks are remembered.

use std::net::{IpAddr, Ipv6Addr};

use moka::ops::compute::Op;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use schema::Timestamp;

/// How many networks are remembered; the least recently used are forgotten first.
const CAPACITY: u64 = 65_536;
/// The attempts that are allowed in this time may come all at once, in milliseconds.
const WINDOW: i64 = 60_000;

/// What identifies a client: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Network(u64);

impl Network {
    /// The network that contains an address.
    pub(crate) fn containing(address: IpAddr) -> Self {
        // An IPv4 address, whether or not mapped into IPv6, gets a number of ::/64, which is not routed.
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

/// The recent failed attempts of all networks.
#[derive(Debug)]
pub(crate) struct FailedAuthLimiter {
    /// How long an attempt counts, in milliseconds; `None` if there is no limit.
    cost: Option<i64>,
    /// Until when the attempts of each network count, in Unix milliseconds.
    free_at: Cache<Network, i64>,
}

impl FailedAuthLimiter {
    /// Allows each network this many attempts per minute; 0 means no limit.
    pub(crate) fn new(per_minute: u32) -> Self {
        let cost = (per_minute > 0).then(|| (WINDOW / i64::from(per_minute)).max(1));
        let free_at = Cache::builder()
            .max_capacity(CAPACITY)
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self { cost, free_at }
    }

    /// Whether one more attempt of the network would exceed the limit.
    pub(crate) fn is_exceeded(&self, network: Network, now: Timestamp) -> bool {
        let free_at = self.free_at.get(&network);
        self.cost
            .is_some_and(|cost| wait(free_at, cost, now.millis()) > 0)
    }

    /// Records an attempt. If it exceeds the limit, returns how many seconds to wait, at least one.
    pub(crate) fn record(&self, network: Network, now: Timestamp) -> Option<u64> {
        let cost = self.cost?;
        let now = now.millis();
        let mut refused = None;
        self.free_at.entry(network).and_compute_with(|entry| {
            let free_at = entry.map(moka::Entry::into_value);
            match wait(free_at, cost, now) {
                0 => Op::Put(counting_until(free_at, now) + cost),
                wait => {
                    refused = Some(wait.unsigned_abs().div_ceil(1000));
                    Op::Nop
                }
            }
        });
        refused
    }
}

/// Until when attempts count, seen from `now`: at most a whole window ahead, even if the clock was set back.
fn counting_until(free_at: Option<i64>, now: i64) -> i64 {
    free_at.unwrap_or(now).clamp(now, now + WINDOW)
}

/// Milliseconds until an attempt is within the limit.
fn wait(free_at: Option<i64>, cost: i64, now: i64) -> i64 {
    (counting_until(free_at, now) + cost - now - WINDOW).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::containing(text.parse().unwrap())
    }

    #[test]
    fn a_minutes_attempts_may_come_at_once_and_then_one_at_a_time() {
        let (limiter, home) = (FailedAuthLimiter::new(60), network("192.0.2.1"));
        for _ in 0..60 {
            assert!(!limiter.is_exceeded(home, Timestamp(5_000)));
            assert_eq!(limiter.record(home, Timestamp(5_000)), None);
        }
        assert!(limiter.is_exceeded(home, Timestamp(5_000)));
        assert_eq!(limiter.record(home, Timestamp(5_000)), Some(1));
        assert_eq!(limiter.record(home, Timestamp(5_999)), Some(1));
        assert_eq!(limiter.record(home, Timestamp(6_000)), None);
        assert_eq!(limiter.record(home, Timestamp(6_000)), Some(1));
        assert!(
            !limiter.is_exceeded(network("192.0.2.2"), Timestamp(6_000)),
            "another address"
        );
    }

    #[test]
    fn after_a_minute_without_attempts_all_are_allowed_again() {
        let (limiter, home) = (FailedAuthLimiter::new(3), network("2001:db8::1"));
        let recorded = |at| {
            (0..4)
                .map(|_| limiter.record(home, Timestamp(at)))
                .collect::<Vec<_>>()
        };
        assert_eq!(recorded(0), [None, None, None, Some(20)]);
        assert_eq!(recorded(60_000), [None, None, None, Some(20)]);
    }

    #[test]
    fn a_clock_that_is_set_back_blocks_for_a_minute_at_most() {
        let (limiter, home) = (FailedAuthLimiter::new(2), network("192.0.2.1"));
        assert_eq!(
            [1, 2].map(|_| limiter.record(home, Timestamp(9_000_000))),
            [None, None]
        );
        assert_eq!(limiter.record(home, Timestamp(0)), Some(30));
        assert_eq!(limiter.record(home, Timestamp(9_060_000)), None);
    }

    #[test]
    fn zero_means_no_limit() {
        let limiter = FailedAuthLimiter::new(0);
        assert!((0..1_000).all(|_| limiter.record(network("192.0.2.1"), Timestamp(0)).is_none()));
    }

    #[test]
    fn a_client_is_an_ipv4_address_or_a_64_of_ipv6() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    #[test]
    fn the_number_of_remembered_networks_is_bounded() {
        let limiter = FailedAuthLimiter::new(60);
        for number in 0..u32::try_from(3 * CAPACITY).unwrap() {
            let at = Timestamp(i64::from(number) / 100);
            assert_eq!(
                limiter.record(Network::containing(IpAddr::V4(number.into())), at),
                None
            );
            if number % 1_000 == 0 {
                limiter.free_at.run_pending_tasks();
                assert!(limiter.free_at.entry_count() <= CAPACITY);
            }
        }
    }
}
