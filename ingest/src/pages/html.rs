//! Parsing a page's HTML in time proportional to its length.
//!
//! Three things make an HTML parser take quadratic time: deeply nested elements, many attributes in one tag, and an open
//! formatting element such as `<b>`, which the parser repeats in every later paragraph. Each has a limit here. Portals'
//! pages stay far below the limits.

use std::cell::Cell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use scraper::{Html, HtmlTreeSink};

use crate::reading::PayloadError;

/// The deepest nesting of elements. Portals' pages reach 30, and browsers stop at this depth too.
const DEEPEST: usize = 512;
/// The longest tag, in bytes. Portals put records of 30 kB into an attribute.
const LONGEST_TAG: usize = 128 * 1024;
/// How many more nodes than bytes a page may have. HTML adds elements that a page leaves out.
const IMPLIED_NODES: usize = 1_000;
/// How many bytes are parsed between two checks of the limits.
const PIECE: usize = 1024;

/// Parses a page.
///
/// # Errors
/// Returns [`PayloadError::Tangled`] if the page exceeds a limit.
pub(crate) fn parse_html(html: &str) -> Result<Html, PayloadError> {
    let builder = TreeBuilder::new(
        HtmlTreeSink::new(Html::new_document()),
        TreeBuilderOpts::default(),
    );
    let tokenizer = Tokenizer::new(
        CountingBuilder {
            builder,
            tokens: Cell::new(0),
        },
        TokenizerOpts::default(),
    );
    let input = BufferQueue::default();
    let mut growth = Growth::default();
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        input.push_back(StrTendril::from(piece));
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        growth.check(&tokenizer.sink, piece.len())?;
        rest = after;
    }
    tokenizer.end();
    Ok(tokenizer.sink.builder.sink.finish())
}

/// A tree builder that counts its tokens.
struct CountingBuilder {
    builder: TreeBuilder<Node, HtmlTreeSink>,
    tokens: Cell<usize>,
}

type Node = <HtmlTreeSink as TreeSink>::Handle;

impl TokenSink for CountingBuilder {
    type Handle = Node;

    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<Node> {
        self.tokens.set(self.tokens.get() + 1);
        self.builder.process_token(token, line_number)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// How large the tree of a page has become.
#[derive(Default)]
struct Growth {
    bytes: usize,
    nodes: usize,
    tokens: usize,
    /// Bytes parsed since the last token.
    pending: usize,
}

impl Growth {
    /// Checks the limits after `bytes` more were parsed.
    fn check(&mut self, sink: &CountingBuilder, bytes: usize) -> Result<(), PayloadError> {
        self.bytes += bytes;
        self.pending = if sink.tokens.get() == self.tokens {
            self.pending + bytes
        } else {
            0
        };
        self.tokens = sink.tokens.get();
        if self.pending > LONGEST_TAG {
            return Err(PayloadError::Tangled {
                how: "a tag or comment is longer than 128 KiB",
            });
        }
        let html = sink.builder.sink.0.borrow();
        let nodes = html.tree.nodes();
        let all = nodes.len();
        if all > self.bytes + IMPLIED_NODES {
            return Err(PayloadError::Tangled {
                how: "formatting elements that are left open multiply",
            });
        }
        let mut fresh = nodes.rev().take(all - self.nodes);
        if fresh.any(|node| node.ancestors().take(DEEPEST).count() == DEEPEST) {
            return Err(PayloadError::Tangled {
                how: "elements are nested more than 512 deep",
            });
        }
        self.nodes = all;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_do_not_change_the_tree() {
        for html in [
            "",
            "<!DOCTYPE html><title>ž</title><p>a<p>b<table><td>c<div>d</table><script>e</script>f",
            "\u{feff}<b>a<i>b</b>c</i>&amp;&nbsp;\r\n<svg><![CDATA[d]]></svg></body><!--e-->",
        ] {
            let long = format!("{html}{}", "<p>ěšč<b>ř</b>".repeat(400));
            for html in [html, &long] {
                assert_eq!(
                    parse_html(html).map(|tree| tree.html()),
                    Ok(Html::parse_document(html).html())
                );
            }
        }
    }

    #[test]
    fn a_page_made_to_be_slow_is_refused() {
        let attributes = (0..100_000)
            .map(|n| format!(" a{n}"))
            .collect::<Vec<_>>()
            .concat();
        let marks = (0..5_000)
            .map(|n| format!("<b a{n}>"))
            .collect::<Vec<_>>()
            .concat();
        for (html, expected) in [
            ("<div>".repeat(100_000), "512 deep"),
            ("<ul><li></body><!---->".repeat(100_000), "512 deep"),
            (format!("<p{attributes}>"), "128 KiB"),
            (format!("<p>{marks}"), "512 deep"),
            (
                format!("<p>{}", marks.replace("<b", "</p><p><b")),
                "multiply",
            ),
        ] {
            let refusal = parse_html(&html)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(
                refusal.contains(expected),
                "{refusal:?} instead of {expected}"
            );
        }
    }
}
