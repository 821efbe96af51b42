//! A call of a tool: who calls, with which arguments, and how it is counted.

use std::panic::AssertUnwindSafe;

use api::beside::{Counted, Refusal, TokenHolder};
use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::records::Records;

/// The code of a refusal because there is no such offer, or the plan does not show it.
pub(crate) const NOT_FOUND: &str = "not-found";

/// What a tool answers: the structured content.
pub(crate) type Answer = Result<Value, Refused>;

/// What a tool does for a call that was counted.
pub(crate) type Work<'a> = Box<dyn FnOnce(Counted) -> BoxFuture<'a, Answer> + Send + 'a>;

/// What is wrong with one argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The name of the argument.
    pub argument: String,
    /// What it accepts.
    pub message: String,
}

/// Why a call is not answered.
#[derive(Debug, Clone)]
pub(crate) enum Refused {
    /// Arguments are wrong. The call was not counted.
    Arguments(Vec<Fault>),
    /// As the API would refuse it.
    Service(Refusal),
}

impl From<Refusal> for Refused {
    /// The cause of a failure is logged, not told.
    fn from(refusal: Refusal) -> Self {
        refusal.log();
        Self::Service(refusal)
    }
}

/// A call of a tool.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    /// What it asks.
    pub records: &'a Records,
    /// Who calls.
    pub holder: &'a TokenHolder,
    /// Its arguments.
    pub arguments: &'a JsonObject,
}

impl<'a> Call<'a> {
    /// Counts the call and does the work. If the service fails, also by a panic, the count is given back.
    pub(crate) async fn counted(&self, work: Work<'a>) -> Answer {
        let api = &self.records.api;
        let counted = api.count(self.holder).await?;
        let asked = counted.clone();
        let answered = AssertUnwindSafe(async move { work(asked).await }).catch_unwind();
        let answer = answered
            .await
            .unwrap_or_else(|_| Err(Refusal::failure("a tool for assistants panicked").into()));
        if let Err(Refused::Service(refusal)) = &answer
            && refusal.is_failure()
        {
            api.give_back(&counted).await;
        }
        answer
    }
}

impl Refused {
    /// What an assistant is told, so that it can mend its call.
    pub(crate) fn in_words(&self, tool: &str) -> String {
        let lines = |faults: Vec<(&str, &str)>| {
            faults
                .into_iter()
                .fold(String::new(), |text, (name, message)| {
                    format!("{text}\n- {name}: {message}")
                })
        };
        match self {
            Self::Arguments(faults) => {
                let faults = faults
                    .iter()
                    .map(|fault| (fault.argument.as_str(), fault.message.as_str()));
                format!(
                    "{tool} was not run, and the call was not counted. Correct these arguments and call it again:{}",
                    lines(faults.collect())
                )
            }
            Self::Service(refusal) => {
                let parameters = refusal.parameters();
                if parameters.is_empty() {
                    return format!("{} ({})", refusal.message(), refusal.code());
                }
                let faults = parameters
                    .iter()
                    .map(|(name, message)| (name.as_str(), message.as_str()));
                format!(
                    "{tool} found nothing to answer. Correct these arguments and call it again:{}",
                    lines(faults.collect())
                )
            }
        }
    }
}
