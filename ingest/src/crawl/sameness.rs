//! Whether two payloads are of one content: their hash without what differs from answer to answer.

use std::collections::HashSet;

use blake3::Hasher;
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use super::client::Volatile;

/// Elements whose content nobody is shown.
const UNSHOWN: [&str; 4] = ["script", "style", "noscript", "template"];

/// The hash of a payload without its volatile parts. The order of an object's members does not matter.
pub(super) fn stable_hash(volatile: Volatile, payload: &Value) -> [u8; 32] {
    let mut hasher = Hasher::new();
    match volatile {
        Volatile::Members(names) => value(&mut hasher, payload, &|_, _| false, names),
        Volatile::Elements(selectors) => {
            let selectors: Vec<Selector> = selectors
                .iter()
                .filter_map(|selector| Selector::parse(selector).ok())
                .collect();
            let page = |hasher: &mut Hasher, text: &str| {
                let is_page = text.trim_start().starts_with('<');
                if is_page {
                    shown(
                        hasher,
                        Html::parse_document(text).root_element(),
                        &selectors,
                    );
                }
                is_page
            };
            value(&mut hasher, payload, &page, &[]);
        }
    }
    *hasher.finalize().as_bytes()
}

/// Adds a JSON value. A text that `page` takes in itself is left to it.
fn value(
    hasher: &mut Hasher,
    json: &Value,
    page: &dyn Fn(&mut Hasher, &str) -> bool,
    volatile: &[&str],
) {
    match json {
        Value::Null => piece(hasher, b'0', ""),
        Value::Bool(truth) => piece(hasher, b'b', if *truth { "1" } else { "0" }),
        Value::Number(number) => piece(hasher, b'n', &number.to_string()),
        Value::String(text) => {
            if !page(hasher, text) {
                piece(hasher, b's', text);
            }
        }
        Value::Array(items) => {
            piece(hasher, b'[', "");
            for item in items {
                value(hasher, item, page, volatile);
            }
            piece(hasher, b']', "");
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .filter(|(name, _)| !volatile.contains(&name.as_str()))
                .collect();
            members.sort_by_key(|(name, _)| name.as_str());
            piece(hasher, b'{', "");
            for (name, member) in members {
                piece(hasher, b'k', name);
                value(hasher, member, page, volatile);
            }
            piece(hasher, b'}', "");
        }
    }
}

/// Adds what an element shows: its words, and where its links and images lead.
fn shown(hasher: &mut Hasher, root: ElementRef<'_>, volatile: &[Selector]) {
    let mut hidden = HashSet::new();
    for node in root.descendants() {
        let inside = node
            .parent()
            .is_some_and(|parent| hidden.contains(&parent.id()));
        if let Some(element) = ElementRef::wrap(node) {
            if inside || is_hidden(&element, volatile) {
                hidden.insert(node.id());
            } else if let Some(address) = address(&element) {
                piece(hasher, b'a', address);
            }
        } else if let Some(text) = node.value().as_text().filter(|_| !inside) {
            for word in text.split_whitespace() {
                piece(hasher, b'w', word);
            }
        }
    }
}

fn is_hidden(element: &ElementRef<'_>, volatile: &[Selector]) -> bool {
    UNSHOWN.contains(&element.value().name())
        || volatile.iter().any(|selector| selector.matches(element))
}

fn address<'a>(element: &ElementRef<'a>) -> Option<&'a str> {
    match element.value().name() {
        "a" => element.attr("href"),
        "img" => element.attr("src").or(element.attr("data-src")),
        _ => None,
    }
}

fn piece(hasher: &mut Hasher, kind: u8, text: &str) {
    hasher.update(&[kind]);
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn volatile_members_do_not_count_wherever_they_stand() {
        let hash = |payload: Value| stable_hash(Volatile::Members(&["views", "token"]), &payload);
        let one = hash(json!({"price": 5, "views": 1, "images": [{"id": 1, "token": "a"}]}));
        let other = hash(json!({"images": [{"token": "b", "id": 1}], "price": 5}));
        assert_eq!(one, other);
        assert_ne!(one, hash(json!({"price": 6, "images": [{"id": 1}]})));
        assert_ne!(hash(json!(["ab", "c"])), hash(json!(["a", "bc"])));
    }

    #[test]
    fn of_a_page_counts_what_is_shown_without_volatile_elements() {
        let hash = |html: &str| {
            stable_hash(
                Volatile::Elements(&[".seen", "#others"]),
                &json!({"html": html}),
            )
        };
        let page = |price: &str, seen: u32, link: &str| {
            format!(
                "<html><script>t={seen}</script><p class=x{seen}>{price}  Kč</p><b class=seen>{seen}×</b>\
                 <div id=others><a href=/{seen}>other</a></div><a href={link}>more</a></html>"
            )
        };
        assert_eq!(hash(&page("5", 1, "/a")), hash(&page("5", 2, "/a")));
        assert_ne!(hash(&page("5", 1, "/a")), hash(&page("6", 1, "/a")));
        assert_ne!(hash(&page("5", 1, "/a")), hash(&page("5", 1, "/b")));
    }
}
