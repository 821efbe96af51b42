//! Small figures about one property.

use schema::Timestamp;

const DAY: i64 = 86_400_000;

/// Whole days from one instant to another; none if the second is earlier.
pub fn days_between(from: Timestamp, to: Timestamp) -> i64 {
    to.millis().saturating_sub(from.millis()).max(0) / DAY
}

/// By how many per cent a price changed, to one decimal place; 0 if there was none.
pub fn percent_between(from: f64, to: f64) -> f64 {
    if from == 0.0 {
        return 0.0;
    }
    ((to - from) / from * 1000.0).round() / 10.0
}

/// The price of a square metre; `None` without a price or an area.
pub fn price_per_area(price: Option<f64>, area: Option<f64>) -> Option<f64> {
    let (price, area) = price.zip(area)?;
    (price > 0.0 && area > 0.0).then(|| price / area)
}
