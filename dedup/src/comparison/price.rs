//! Price and its history.

use schema::{PricePoint, Timestamp};

use super::{Levels, are_small, relative_gap};
use crate::profile::Profile;
use crate::weights::{Level, price};

/// Two portals may show the same price change this far apart in time.
const SAME_STEP_MILLIS: u64 = 14 * 24 * 3_600_000;

/// The highest share of a price that an agency adds for itself.
const HIGHEST_COMMISSION: f64 = 0.08;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    levels.reach(match (a.prices.last(), b.prices.last()) {
        (Some(one), Some(other)) => level(a, b, one.price_total, other.price_total),
        (None, None) => price::NEITHER,
        _ => price::ONLY_ONE,
    });
}

/// Whether a third advert explains why two adverts ask different prices: it asked both prices, one
/// after the other, or it asks one of them and its text states the difference.
pub(crate) fn explains_prices(third: &Profile, a: &Profile, b: &Profile) -> bool {
    let asked = |other: &Profile| {
        third.prices.iter().any(|point| {
            other
                .prices
                .iter()
                .any(|there| same(point.price_total, there.price_total))
        })
    };
    if third.prices.len() > 1 && asked(a) && asked(b) {
        return true;
    }
    let last = |profile: &Profile| profile.prices.last().map(|point| point.price_total);
    (asked(a) || asked(b))
        && last(a)
            .zip(last(b))
            .is_some_and(|(one, other)| adds_up((one - other).abs(), third))
}

fn level(a: &Profile, b: &Profile, last: f64, other_last: f64) -> Level {
    let shared = shared_steps(&a.prices, &b.prices);
    if shared >= 2 {
        return price::HISTORY;
    }
    let compared = Compared::between(a, b);
    if let Some(price) = compared.equal_price() {
        return if is_distinctive(price) {
            price::EQUAL_DISTINCTIVE
        } else if are_small(a, b) {
            price::EQUAL_SMALL
        } else {
            price::EQUAL
        };
    }
    let asked_by_both = |point: &PricePoint| {
        b.prices
            .iter()
            .any(|other| same(point.price_total, other.price_total))
    };
    if a.prices.iter().any(asked_by_both) || was_asked(a, b) || was_asked(b, a) {
        return price::EQUAL_ONCE;
    }
    if stands_in_text(last, b) || stands_in_text(other_last, a) {
        return price::IN_TEXT;
    }
    let fees = (last - other_last).abs();
    if relative_gap(last, other_last) <= 0.4 && (adds_up(fees, a) || adds_up(fees, b)) {
        return price::WITH_FEES;
    }
    if compared.adds_commission(a, b) {
        return price::WITH_COMMISSION;
    }
    if compared.at_once {
        match compared.least_gap() {
            gap if gap <= 0.08 => price::CLOSE,
            gap if gap <= 0.2 => price::OFF,
            _ => price::DIFFERENT,
        }
    } else {
        match compared.least_gap().min(least_gap(&a.prices, &b.prices)) {
            gap if gap <= 0.08 => price::CLOSE_LATER,
            gap if gap <= 0.2 => price::OFF_LATER,
            _ => price::DIFFERENT_LATER,
        }
    }
}

/// The prices of two listings that can be compared, each pair in the order of the listings: those
/// that both asked at the same time, or, if they were never live together, the last price of the
/// earlier and the first price of the later.
struct Compared {
    at_once: bool,
    pairs: Vec<(f64, f64)>,
}

impl Compared {
    /// Both listings have a price.
    fn between(a: &Profile, b: &Profile) -> Self {
        let (one, other) = (a.lifetime, b.lifetime);
        if one.overlap(other) <= 0 || a.follows_unwatched(b) || b.follows_unwatched(a) {
            let a_is_earlier = (one.first_seen, &a.key) <= (other.first_seen, &b.key);
            let first = |prices: &[PricePoint]| prices[0].price_total;
            let last = |prices: &[PricePoint]| prices[prices.len() - 1].price_total;
            let pair = if a_is_earlier {
                (last(&a.prices), first(&b.prices))
            } else {
                (first(&a.prices), last(&b.prices))
            };
            return Self {
                at_once: false,
                pairs: vec![pair],
            };
        }
        let from = one.first_seen.max(other.first_seen);
        let until = [one.gone_at, other.gone_at].into_iter().flatten().min();
        let changes = a.prices.iter().chain(&b.prices).map(|point| point.at);
        let within = changes.filter(|at| *at > from && until.is_none_or(|until| *at < until));
        let asked = |at: Timestamp| (price_at(&a.prices, at), price_at(&b.prices, at));
        Self {
            at_once: true,
            pairs: std::iter::once(from).chain(within).map(asked).collect(),
        }
    }

    /// The most distinctive price that both asked.
    fn equal_price(&self) -> Option<f64> {
        let equal = self.pairs.iter().filter(|(one, other)| same(*one, *other));
        let prices = equal.map(|(one, other)| one.min(*other));
        prices.max_by(|one, other| {
            let rank = |price: f64| (is_distinctive(price), price);
            let ((one, by_one), (other, by_other)) = (rank(*one), rank(*other));
            one.cmp(&other).then(by_one.total_cmp(&by_other))
        })
    }

    /// Whether one is offered by its owner without an agency, and the other asks more than that at
    /// every time, by what a commission can be.
    fn adds_commission(&self, a: &Profile, b: &Profile) -> bool {
        let is_added = |owner: f64, agency: f64| {
            owner < agency && relative_gap(owner, agency) <= HIGHEST_COMMISSION
        };
        match (a.marks.no_agency, b.marks.no_agency) {
            (true, false) => self.pairs.iter().all(|(one, other)| is_added(*one, *other)),
            (false, true) => self.pairs.iter().all(|(one, other)| is_added(*other, *one)),
            _ => false,
        }
    }

    fn least_gap(&self) -> f64 {
        let gaps = self
            .pairs
            .iter()
            .map(|(one, other)| relative_gap(*one, *other));
        gaps.fold(f64::INFINITY, f64::min)
    }
}

/// The price asked at a time; the first price if that is before it.
fn price_at(prices: &[PricePoint], at: Timestamp) -> f64 {
    let asked = prices.iter().rev().find(|point| point.at <= at);
    asked.unwrap_or(&prices[0]).price_total
}

/// Whether few strangers ask exactly this price: it has at least four digits before its zeros, and is
/// not a round price less one (4 899 000).
fn is_distinctive(price: f64) -> bool {
    let mut digits = price.round() as u64;
    while digits > 0 && digits.is_multiple_of(10) {
        digits /= 10;
    }
    digits >= 1_000 && digits % 10 != 9
}

/// How many prices both asked from about the same time on.
fn shared_steps(a: &[PricePoint], b: &[PricePoint]) -> usize {
    let together = |one: &PricePoint, other: &PricePoint| {
        same(one.price_total, other.price_total)
            && one.at.millis().abs_diff(other.at.millis()) <= SAME_STEP_MILLIS
    };
    a.iter()
        .filter(|one| b.iter().any(|other| together(one, other)))
        .count()
}

/// Whether two prices are equal to the crown.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1.0
}

fn least_gap(a: &[PricePoint], b: &[PricePoint]) -> f64 {
    let gaps = a.iter().flat_map(|one| {
        b.iter()
            .map(|other| relative_gap(one.price_total, other.price_total))
    });
    gaps.fold(f64::INFINITY, f64::min)
}

fn stands_in_text(price: f64, profile: &Profile) -> bool {
    price >= 500.0 && profile.marks.amounts.binary_search(&(price as u64)).is_ok()
}

/// Whether one shows a former price that the other asks or asked.
fn was_asked(one: &Profile, other: &Profile) -> bool {
    one.former_price.is_some_and(|former| {
        let mut asked = other.prices.iter();
        asked.any(|point| same(point.price_total, former))
    })
}

/// Whether the text states this amount, or two amounts that add up to it, such as services and
/// energy.
fn adds_up(amount: f64, profile: &Profile) -> bool {
    let amount = amount as u64;
    let stated = |wanted: u64| profile.marks.amounts.binary_search(&wanted).is_ok();
    amount >= 500
        && profile
            .marks
            .amounts
            .iter()
            .any(|one| *one == amount || (*one < amount && stated(amount - one)))
}

pub(super) fn show(profile: &Profile) -> String {
    let prices: Vec<_> = profile
        .prices
        .iter()
        .map(|point| format!("{}", point.price_total))
        .collect();
    prices.join(" → ")
}
