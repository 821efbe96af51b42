//! The visible text of an HTML element.

use czech::text::clean;
use scraper::{ElementRef, Node};

/// Declares CSS selectors for a portal's pages. Each is parsed once.
macro_rules! selectors {
    ($($name:ident = $css:literal;)+) => {$(
        static $name: std::sync::LazyLock<scraper::Selector> = std::sync::LazyLock::new(|| {
            scraper::Selector::parse($css).expect("the selector is a constant, and tests use it")
        });
    )+};
}
pub(crate) use selectors;

/// The visible text, with line ends where the page shows them: `<br>` and block elements begin a new line, and at most
/// one empty line follows another. Struck-out text (`<del>`, `<s>`), scripts and styles are left out.
pub fn text_of(element: ElementRef) -> String {
    let mut lines = vec![String::new()];
    for node in element.descendants() {
        match node.value() {
            Node::Text(text) => {
                let hidden = node
                    .ancestors()
                    .take_while(|ancestor| ancestor.id() != element.id())
                    .filter_map(|ancestor| ancestor.value().as_element())
                    .any(|ancestor| {
                        matches!(
                            ancestor.name(),
                            "script" | "style" | "del" | "s" | "noscript"
                        )
                    });
                if !hidden && let Some(line) = lines.last_mut() {
                    line.push_str(text);
                }
            }
            Node::Element(tag)
                if matches!(
                    tag.name(),
                    "br" | "p" | "div" | "li" | "tr" | "h1" | "h2" | "h3"
                ) =>
            {
                lines.push(String::new());
            }
            _ => {}
        }
    }
    join(&lines)
}

/// The visible text on one line, as the value of a field.
pub fn value_of(element: ElementRef) -> String {
    clean(&text_of(element))
}

/// The lines joined: each run of white space is one space, and there is no empty line at the ends or next to another. A
/// line end in the source of the page is a space, as in a browser.
fn join(lines: &[String]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            empty += 1;
            continue;
        }
        if !text.is_empty() {
            text.push_str(if empty > 0 { "\n\n" } else { "\n" });
        }
        text.push_str(&words.join(" "));
        empty = 0;
    }
    text
}

#[cfg(test)]
mod tests {
    use scraper::Html;

    use super::*;

    #[track_caller]
    fn shows(html: &str, expected: &str) {
        assert_eq!(
            text_of(Html::parse_fragment(html).root_element()),
            expected,
            "{html}"
        );
    }

    #[test]
    fn line_ends_are_where_the_page_shows_them() {
        shows("<p>a<br>\nb<br>\n<br>\nc  d\ne</p>", "a\nb\n\nc d e");
        shows("<div><h2>Nadpis</h2><p>Text</p></div>", "Nadpis\nText");
        shows("7&zwj;&nbsp;900", "7\u{200d} 900");
    }

    #[test]
    fn struck_out_and_hidden_text_is_left_out() {
        shows(
            "<p><del>6 590 000 Kč</del><strong>6 390 000 Kč</strong><script>1</script></p>",
            "6 390 000 Kč",
        );
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let html = format!("{}x{}", "<div>".repeat(1_000), "</div>".repeat(1_000));
        shows(&html, "x");
    }
}
