//! A waterfall: each comparison's weight begins where the one before ended.

use super::at;

const WIDTH: f64 = 260.0;

/// The bar of one step of a waterfall, from `before` to `after` on a scale from `low` to `high`. The line is at 0, where a
/// pair becomes a link.
pub(crate) fn waterfall_bar(before: f64, after: f64, (low, high): (f64, f64)) -> String {
    let range = (high - low).max(1.0);
    let x = |weight: f64| (weight - low) / range * (WIDTH - 4.0) + 2.0;
    let (start, end) = (x(before.min(after)), x(before.max(after)));
    let class = if after >= before { "for" } else { "against" };
    format!(
        "<svg class=\"step {class}\" viewBox=\"0 0 {w} 14\" width=\"{w}\" height=\"14\" aria-hidden=\"true\">\
         <path class=\"zero\" d=\"M{} 0v14\"/><rect x=\"{}\" y=\"2\" width=\"{}\" height=\"10\"/></svg>",
        at(x(0.0)),
        at(start),
        at((end - start).max(1.0)),
        w = at(WIDTH),
    )
}
