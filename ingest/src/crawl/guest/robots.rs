//! robots.txt (RFC 9309), and the delay that some add to it.

use std::time::Duration;

/// Our name in it.
const PRODUCT: &str = "jeden";

/// How much of one is read, in bytes (RFC 9309, 2.5 asks for half of that at least).
const READ: usize = 1024 * 1024;

/// What a robots.txt says to us.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Robots {
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    allow: bool,
    pattern: String,
}

/// What belongs to the user agents that are named before it.
#[derive(Default)]
struct Group {
    ours: bool,
    everybodys: bool,
    robots: Robots,
}

impl Robots {
    /// Reads a robots.txt: the groups that name us, or else those for everybody.
    pub(super) fn parse(text: &str) -> Self {
        let end = (0..=READ.min(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end))
            .unwrap_or_default();
        let text = text
            .get(..end)
            .unwrap_or_default()
            .trim_start_matches('\u{feff}');
        let mut groups: Vec<Group> = Vec::new();
        let mut naming = false;
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if !naming {
                    groups.push(Group::default());
                }
                naming = true;
                if let Some(group) = groups.last_mut() {
                    group.name(value);
                }
            } else if let Some(group) = groups.last_mut()
                && group.robots.rule(&key, value)
            {
                naming = false;
            }
        }
        let named = groups.iter().any(|group| group.ours);
        let mut robots = Self::default();
        for group in groups
            .into_iter()
            .filter(|group| if named { group.ours } else { group.everybodys })
        {
            robots.rules.extend(group.robots.rules);
            robots.crawl_delay = robots.crawl_delay.max(group.robots.crawl_delay);
        }
        robots
    }

    /// How long it asks to wait between two requests.
    pub(super) fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// Whether a path with its query may be asked for: the longest rule that matches decides, of two of one length the
    /// one that allows.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub(super) fn verdict(&self, path: &str) -> Result<(), String> {
        let path = comparable(path);
        let matching = self
            .rules
            .iter()
            .filter(|rule| matches(&rule.pattern, &path));
        match matching.max_by_key(|rule| (rule.pattern.len(), rule.allow)) {
            Some(rule) if !rule.allow && path != "/robots.txt" => Err(rule.pattern.clone()),
            _ => Ok(()),
        }
    }

    /// Takes in a line that is a rule, and says whether it is one.
    fn rule(&mut self, key: &str, value: &str) -> bool {
        match key {
            "allow" | "disallow" => {
                // An empty one says nothing.
                if !value.is_empty() {
                    self.rules.push(Rule {
                        allow: key == "allow",
                        pattern: comparable(value),
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
    fn name(&mut self, value: &str) {
        let token = |letter: char| letter.is_ascii_alphabetic() || letter == '-' || letter == '_';
        let product: String = value.chars().take_while(|letter| token(*letter)).collect();
        self.ours |= product.eq_ignore_ascii_case(PRODUCT);
        self.everybodys |= value.starts_with('*');
    }
}

/// A path as it is compared: what needs no escape is not escaped, what does is, in capitals.
fn comparable(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut comparable = String::with_capacity(path.len());
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        let escaped = (byte == b'%')
            .then(|| escaped(bytes.get(place + 1..place + 3)?))
            .flatten();
        let shown = escaped.unwrap_or(byte);
        let unreserved = shown.is_ascii_alphanumeric() || b"-._~".contains(&shown);
        if unreserved || escaped.is_none() && byte.is_ascii_graphic() {
            comparable.push(char::from(shown));
        } else {
            comparable.push('%');
            comparable.extend(
                [shown >> 4, shown & 15]
                    .map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
        place += if escaped.is_some() { 3 } else { 1 };
    }
    comparable
}

fn escaped(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether a path begins as the pattern says: `*` is any text, `$` at the end is the path's end.
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
        Robots::parse(robots).verdict(path).is_ok()
    }

    #[test]
    fn the_longest_rule_decides() {
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
            "of two equal ones the one that allows"
        );
        assert!(
            allows("User-agent: *\nDisallow:", "/a"),
            "an empty rule forbids nothing"
        );
        assert!(!allows("User-agent: *\nDisallow: /", "/a"));
        assert!(!allows(
            "User-agent: *\nDisallow: /*?strana=",
            "/byty?strana=2"
        ));
    }

    #[test]
    fn our_own_group_goes_before_everybodys() {
        let robots = "User-Agent: other\nUser-Agent: Jeden/1.0\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n\
                      \nuser-agent: jeden\nCrawl-delay: 2.5\nDisallow: /c";
        assert!(allows(robots, "/a"));
        assert!(!allows(robots, "/b"));
        assert!(!allows(robots, "/c"), "groups of one name are one");
        assert_eq!(
            Robots::parse(robots).crawl_delay(),
            Some(Duration::from_millis(2_500))
        );
        assert!(allows("User-agent: other\nDisallow: /", "/a"));
        assert!(allows("<html>not found</html>", "/a"));
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        let robots = "User-agent: *\nDisallow: /příklad/%7ejan";
        assert!(!allows(robots, "/p%c5%99%C3%ADklad/~jan"));
        assert!(allows("User-agent: *\nDisallow: /a%2Fb", "/a/b"));
        assert!(allows("User-agent: *\nDisallow: /%", "/a"));
    }
}
