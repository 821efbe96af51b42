//! One document: the JSON of a detail, which begins with that of the summary.

use crate::documents::Version;

/// The strong validator of a document: the beginning of the hash of its bytes.
pub(crate) type Tag = [u8; 16];

/// The tag of some bytes.
pub(crate) fn tag_of(bytes: &[u8]) -> Tag {
    let mut tag = [0; 16];
    blake3::Hasher::new()
        .update(bytes)
        .finalize_xof()
        .fill(&mut tag);
    tag
}

/// The JSON of a detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// Whose it is.
    pub version: Version,
    /// The detail.
    pub detail: Vec<u8>,
    /// The length of the summary, with its closing brace. The detail has a comma in place of the brace.
    pub summary_length: usize,
}

impl Document {
    /// Joins a stored summary and what a detail adds to it. `None` if either is not an object with a member, which the
    /// store does not write.
    pub(crate) fn join(version: Version, summary: &[u8], detail_only: &[u8]) -> Option<Self> {
        let open = summary.strip_suffix(b"}").filter(|open| open.len() > 1)?;
        let rest = detail_only
            .strip_prefix(b"{")
            .filter(|rest| rest.len() > 1)?;
        Some(Self {
            version,
            detail: [open, b",", rest].concat(),
            summary_length: summary.len(),
        })
    }

    /// The summary without its closing brace.
    pub(crate) fn summary(&self) -> &[u8] {
        let end = self.summary_length.saturating_sub(1);
        self.detail.get(..end).unwrap_or_default()
    }

    /// The tag of the detail.
    pub(crate) fn tag(&self) -> Tag {
        tag_of(&self.detail)
    }

    /// Whether it is of the offer with this id. The id is the first member, and ids need no escapes.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        let rest = self.detail.strip_prefix(b"{\"id\":\"");
        let rest = rest.and_then(|rest| rest.strip_prefix(id.as_bytes()));
        rest.is_some_and(|rest| rest.starts_with(b"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_the_summary_with_the_members_of_the_rest() {
        let version = Version { row: 1, change: 2 };
        let document = Document::join(version, br#"{"id":"ab","x":{}}"#, br#"{"y":[]}"#).unwrap();
        assert_eq!(document.detail, br#"{"id":"ab","x":{},"y":[]}"#);
        assert_eq!(document.summary(), br#"{"id":"ab","x":{}"#);
        for (id, is_its) in [("ab", true), ("a", false), ("abc", false), ("", false)] {
            assert_eq!(document.has_id(id), is_its, "{id}");
        }
        for (summary, rest) in [
            ("{}", "{\"y\":1}"),
            ("{\"x\":1}", "{"),
            ("", ""),
            ("[1]", "[2]"),
        ] {
            assert_eq!(
                Document::join(version, summary.as_bytes(), rest.as_bytes()),
                None
            );
        }
    }
}
