//! The tools, in the order in which they are listed.

mod compare_offers;
mod explain_offer;
mod get_offer;
mod get_usage;
mod locate_place;
mod price_statistics;
mod query;
mod recent_changes;
mod search_offers;

use std::sync::Arc;

use futures::future::BoxFuture;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::call::{Answer, Call};

/// A tool: what an assistant is told about it, and what it does.
pub(crate) struct Definition {
    /// Its name.
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> JsonObject,
    output: fn() -> JsonObject,
    /// Answers a call.
    pub run: for<'a> fn(Call<'a>) -> BoxFuture<'a, Answer>,
}

/// Every tool.
pub(crate) const TOOLS: [Definition; 8] = [
    search_offers::TOOL,
    get_offer::TOOL,
    compare_offers::TOOL,
    locate_place::TOOL,
    price_statistics::TOOL,
    recent_changes::TOOL,
    explain_offer::TOOL,
    get_usage::TOOL,
];

impl Definition {
    /// The tool of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        const { &TOOLS }.iter().find(|tool| tool.name == name)
    }

    /// The tool as the protocol lists it. Every tool only reads, and reads only jeden's own records.
    pub(crate) fn described(&self) -> Tool {
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new(self.name, self.description, (self.input)())
            .with_title(self.title)
            .with_raw_output_schema(Arc::new((self.output)()))
            .with_annotations(annotations)
    }
}
