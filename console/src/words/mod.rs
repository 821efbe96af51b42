//! What the engine and the concerns say, in the language of the page. In English it is what the commands print
//! (`operations::words`); in Czech it is said here, by tables that tests compare with the engine's lists.

mod concerns;
mod levels;
mod names;
mod reasons;

use schema::Bar;

use crate::language::Language;

pub(crate) use concerns::concern;
pub(crate) use names::{applied_rule, blocking_rules, comparison, merge_rule, veto};
pub(crate) use reasons::{confidence, decision, reason};

/// A level of a comparison.
pub(crate) fn level(words: &str, l: Language) -> &str {
    translated(levels::LEVELS, words, l)
}

/// The compared values.
pub(crate) fn values(bar: &Bar, l: Language) -> String {
    match (bar.left.as_str(), bar.right.as_str()) {
        (left, right) if left == right && !left.is_empty() => {
            format!("{}: {left}", l.t("both", "oba"))
        }
        _ => operations::words::values(bar).unwrap_or_default(),
    }
}

/// An English text of a table in this language. A text that is not in the table stays as it is.
fn translated<'a>(
    table: &'static [(&'static str, &'static str)],
    english: &'a str,
    l: Language,
) -> &'a str {
    let czech = || table.iter().find(|(known, _)| *known == english);
    match l {
        Language::English => english,
        Language::Czech => czech().map_or(english, |(_, czech)| czech),
    }
}
