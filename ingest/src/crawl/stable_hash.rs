//! A hash of a payload without its volatile parts, to tell whether an advert has really changed.

use std::collections::HashSet;

use blake3::Hasher;
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

use crate::crawl_definition::Volatile;

/// Elements that a browser does not show.
const INVISIBLE: [&str; 4] = ["script", "style", "noscript", "template"];

/// The hash of a payload without its volatile parts. It does not depend on the order of object members.
pub(super) fn stable_hash(volatile: Volatile, payload: &Value) -> [u8; 32] {
    let mut hasher = Hasher::new();
    match volatile {
        Volatile::Members(names) => hash_json(&mut hasher, payload, &|_, _| false, names),
        Volatile::Elements(selectors) => {
            let selectors: Vec<Selector> = selectors
                .iter()
                .filter_map(|selector| Selector::parse(selector).ok())
                .collect();
            let hash_page = |hasher: &mut Hasher, text: &str| {
                let is_page = text.trim_start().starts_with('<');
                if is_page {
                    hash_visible(
                        hasher,
                        Html::parse_document(text).root_element(),
                        &selectors,
                    );
                }
                is_page
            };
            hash_json(&mut hasher, payload, &hash_page, &[]);
        }
    }
    *hasher.finalize().as_bytes()
}

/// Hashes a JSON value. `hash_page` hashes a text that is an HTML page and returns whether it did.
fn hash_json(
    hasher: &mut Hasher,
    json: &Value,
    hash_page: &dyn Fn(&mut Hasher, &str) -> bool,
    volatile: &[&str],
) {
    match json {
        Value::Null => add_token(hasher, b'0', ""),
        Value::Bool(truth) => add_token(hasher, b'b', if *truth { "1" } else { "0" }),
        Value::Number(number) => add_token(hasher, b'n', &number.to_string()),
        Value::String(text) => {
            if !hash_page(hasher, text) {
                add_token(hasher, b's', text);
            }
        }
        Value::Array(items) => {
            add_token(hasher, b'[', "");
            for item in items {
                hash_json(hasher, item, hash_page, volatile);
            }
            add_token(hasher, b']', "");
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .filter(|(name, _)| !volatile.contains(&name.as_str()))
                .collect();
            members.sort_by_key(|(name, _)| name.as_str());
            add_token(hasher, b'{', "");
            for (name, member) in members {
                add_token(hasher, b'k', name);
                hash_json(hasher, member, hash_page, volatile);
            }
            add_token(hasher, b'}', "");
        }
    }
}

/// Hashes what an element shows: its words, and the addresses of its links and images.
fn hash_visible(hasher: &mut Hasher, root: ElementRef<'_>, volatile: &[Selector]) {
    let mut invisible = HashSet::new();
    for node in root.descendants() {
        let is_inside = node
            .parent()
            .is_some_and(|parent| invisible.contains(&parent.id()));
        if let Some(element) = ElementRef::wrap(node) {
            if is_inside || is_ignored(&element, volatile) {
                invisible.insert(node.id());
            } else if let Some(address) = address(&element) {
                add_token(hasher, b'a', address);
            }
        } else if let Some(text) = node.value().as_text().filter(|_| !is_inside) {
            for word in text.split_whitespace() {
                add_token(hasher, b'w', word);
            }
        }
    }
}

fn is_ignored(element: &ElementRef<'_>, volatile: &[Selector]) -> bool {
    INVISIBLE.contains(&element.value().name())
        || volatile.iter().any(|selector| selector.matches(element))
}

fn address<'a>(element: &ElementRef<'a>) -> Option<&'a str> {
    match element.value().name() {
        "a" => element.attr("href"),
        "img" => element.attr("src").or(element.attr("data-src")),
        _ => None,
    }
}

/// Hashes one token with its kind and length, so that no two sequences of tokens hash alike.
fn add_token(hasher: &mut Hasher, kind: u8, text: &str) {
    hasher.update(&[kind]);
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn volatile_members_are_ignored_at_any_depth() {
        let hash = |payload: Value| stable_hash(Volatile::Members(&["views", "token"]), &payload);
        let one = hash(json!({"price": 5, "views": 1, "images": [{"id": 1, "token": "a"}]}));
        let other = hash(json!({"images": [{"token": "b", "id": 1}], "price": 5}));
        assert_eq!(one, other);
        assert_ne!(one, hash(json!({"price": 6, "images": [{"id": 1}]})));
        assert_ne!(hash(json!(["ab", "c"])), hash(json!(["a", "bc"])));
    }

    #[test]
    fn of_a_page_only_the_visible_stable_part_is_hashed() {
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
