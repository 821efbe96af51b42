//! Parsing robots.txt (RFC 9309), with the `Crawl-delay` that some hosts add.

use std::time::Duration;

/// Our product token (RFC 9309, 2.2.1).
const PRODUCT_TOKEN: &str = "jeden";

/// How many bytes of a robots.txt are parsed. RFC 9309, 2.5 demands at least half of that.
const MAX_BYTES: usize = 1024 * 1024;

/// The rules of a robots.txt that apply to us.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RobotsTxt {
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allow: bool,
    pattern: String,
}

/// A group of rules, with the user agents that it names.
#[derive(Default)]
struct Group {
    /// Whether the group names our product token.
    names_us: bool,
    /// Whether the group is for every user agent (`*`).
    names_all: bool,
    robots: RobotsTxt,
}

impl RobotsTxt {
    /// Parses a robots.txt. The groups that name us apply; if there is none, those for every user agent.
    pub(super) fn parse(text: &str) -> Self {
        let end = (0..=MAX_BYTES.min(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end))
            .unwrap_or_default();
        let text = text
            .get(..end)
            .unwrap_or_default()
            .trim_start_matches('\u{feff}');
        let mut groups: Vec<Group> = Vec::new();
        // Consecutive user-agent lines belong to one group.
        let mut in_agent_lines = false;
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if !in_agent_lines {
                    groups.push(Group::default());
                }
                in_agent_lines = true;
                if let Some(group) = groups.last_mut() {
                    group.add_user_agent(value);
                }
            } else if let Some(group) = groups.last_mut()
                && group.robots.add_line(&key, value)
            {
                in_agent_lines = false;
            }
        }
        let any_names_us = groups.iter().any(|group| group.names_us);
        let mut robots = Self::default();
        for group in groups.into_iter().filter(|group| {
            if any_names_us {
                group.names_us
            } else {
                group.names_all
            }
        }) {
            robots.rules.extend(group.robots.rules);
            robots.crawl_delay = robots.crawl_delay.max(group.robots.crawl_delay);
        }
        robots
    }

    /// The least time that the host demands between two requests.
    pub(super) fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Checks a path with its query. The longest matching rule decides; of two equally long ones, the one that allows.
    ///
    /// # Errors
    /// The pattern of the rule that forbids the path.
    pub(super) fn check(&self, path: &str) -> Result<(), String> {
        let path = normalized(path);
        let matching_rules = self
            .rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path));
        match matching_rules.max_by_key(|rule| (rule.pattern.len(), rule.allow)) {
            Some(rule) if !rule.allow && path != "/robots.txt" => Err(rule.pattern.clone()),
            _ => Ok(()),
        }
    }

    /// Adds a line to the group, and returns whether the line ends the group's user-agent lines.
    fn add_line(&mut self, key: &str, value: &str) -> bool {
        match key {
            "allow" | "disallow" => {
                // An empty pattern matches nothing.
                if !value.is_empty() {
                    self.rules.push(Rule {
                        allow: key == "allow",
                        pattern: normalized(value),
                    });
                }
                true
            }
            "crawl-delay" => {
                let seconds = value.parse::<f64>().ok();
                let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.crawl_delay = self.crawl_delay.max(delay);
                true
            }
            _ => false,
        }
    }
}

impl Group {
    fn add_user_agent(&mut self, value: &str) {
        let token = |letter: char| letter.is_ascii_alphabetic() || letter == '-' || letter == '_';
        let product: String = value.chars().take_while(|letter| token(*letter)).collect();
        self.names_us |= product.eq_ignore_ascii_case(PRODUCT_TOKEN);
        self.names_all |= value.starts_with('*');
    }
}

/// A path in the form in which it is compared: escapes that are not needed are decoded, all others are upper case (RFC
/// 9309, 2.2.2).
fn normalized(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut normalized = String::with_capacity(path.len());
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let decoded = (byte == b'%')
            .then(|| decode_hex(bytes.get(index + 1..index + 3)?))
            .flatten();
        let shown = decoded.unwrap_or(byte);
        let unreserved = shown.is_ascii_alphanumeric() || b"-._~".contains(&shown);
        if unreserved || decoded.is_none() && byte.is_ascii_graphic() {
            normalized.push(char::from(shown));
        } else {
            normalized.push('%');
            normalized.extend(
                [shown >> 4, shown & 15]
                    .map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
        index += if decoded.is_some() { 3 } else { 1 };
    }
    normalized
}

fn decode_hex(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether a path starts with the pattern: `*` matches any text, and a final `$` matches the end of the path.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return !to_the_end || rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if to_the_end && pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(robots: &str, path: &str) -> bool {
        RobotsTxt::parse(robots).check(path).is_ok()
    }

    #[test]
    fn the_longest_matching_rule_decides() {
        let robots = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c$\nDisallow: *.pdf\nDisallow: /x*y$";
        for (path, allowed) in [
            ("/", true),
            ("/a", false),
            ("/abc", false),
            ("/a/b/", true),
            ("/a/b/c", false),
            ("/a/b/c/d", true),
            ("/doc.pdf?x=1", false),
            ("/x/1/y", false),
            ("/x/1/y/2", true),
            ("/robots.txt", true),
        ] {
            assert_eq!(allows(robots, path), allowed, "{path}");
        }
        assert!(
            allows("User-agent: *\nDisallow: /a\nAllow: /a", "/a"),
            "of two equally long rules, the one that allows wins"
        );
        assert!(
            allows("User-agent: *\nDisallow:", "/a"),
            "an empty pattern forbids nothing"
        );
        assert!(!allows("User-agent: *\nDisallow: /", "/a"));
        assert!(!allows(
            "User-agent: *\nDisallow: /*?strana=",
            "/byty?strana=2"
        ));
    }

    #[test]
    fn groups_that_name_us_replace_those_for_every_user_agent() {
        let robots = "User-Agent: other\nUser-Agent: Jeden/1.0\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n\
                      \nuser-agent: jeden\nCrawl-delay: 2.5\nDisallow: /c";
        assert!(allows(robots, "/a"));
        assert!(!allows(robots, "/b"));
        assert!(
            !allows(robots, "/c"),
            "groups with the same name are combined"
        );
        assert_eq!(
            RobotsTxt::parse(robots).crawl_delay(),
            Some(Duration::from_millis(2_500))
        );
        assert!(allows("User-agent: other\nDisallow: /", "/a"));
        assert!(allows("<html>not found</html>", "/a"));
    }

    #[test]
    fn paths_are_compared_with_escapes_normalized() {
        let robots = "User-agent: *\nDisallow: /příklad/%7ejan";
        assert!(!allows(robots, "/p%c5%99%C3%ADklad/~jan"));
        assert!(allows("User-agent: *\nDisallow: /a%2Fb", "/a/b"));
        assert!(allows("User-agent: *\nDisallow: /%", "/a"));
    }
}
