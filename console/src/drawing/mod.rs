//! Charts and maps as SVG text. Colours and fonts are classes of the style sheet, because the policy of the pages allows no
//! style inside them.

mod bars;
mod country;
mod pin_map;
mod prices;
mod timeline;
mod view;
mod waterfall;

pub(crate) use bars::{Bars, sparkbars, sparkline};
pub(crate) use country::{CountryMap, Marker, country_background, country_map};
pub(crate) use pin_map::{Ground, Pin, pin_map};
pub(crate) use prices::{Series, price_chart};
pub(crate) use timeline::{Span, SpanMark, timeline};
pub(crate) use view::View;
pub(crate) use waterfall::waterfall_bar;

/// A text as content or attribute of SVG.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// A coordinate with one digit after the point.
pub(crate) fn at(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0")
        .map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(
            escaped("<script>alert(\"1\")</script> & 'x'"),
            "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;"
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(at(12.0), "12");
        assert_eq!(at(12.34), "12.3");
    }
}
