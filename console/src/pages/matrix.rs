//! The weights of all pairs of a record.

use std::collections::BTreeMap;

use dedup::explanation::ExplainedPair;
use operations::explained::ExplainedRecord;
use schema::ListingKey;

use crate::format;

/// A record with more adverts than this shows no matrix.
const MOST: usize = 30;

/// One advert with its pairs.
pub(super) struct MatrixRow {
    pub(super) key: String,
    pub(super) cells: Vec<MatrixCell>,
}

/// A pair.
pub(super) struct MatrixCell {
    pub(super) text: String,
    pub(super) class: &'static str,
    pub(super) link: String,
}

/// The matrix; empty for a single advert, or for too many.
pub(super) fn matrix(record: &ExplainedRecord) -> Vec<MatrixRow> {
    let members = &record.members;
    if members.len() < 2 || members.len() > MOST {
        return Vec::new();
    }
    let all = record
        .explained
        .links
        .iter()
        .chain(&record.explained.other_pairs);
    let pairs: BTreeMap<(&ListingKey, &ListingKey), &ExplainedPair> =
        all.map(|pair| ((&pair.left, &pair.right), pair)).collect();
    let cell = |one: &ListingKey, other: &ListingKey| {
        let ordered = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        let Some(pair) = pairs.get(&ordered) else {
            return MatrixCell {
                text: String::new(),
                class: "self",
                link: String::new(),
            };
        };
        let weight = pair.evidence.weight;
        MatrixCell {
            text: format!(
                "{}{}",
                format::weight(weight),
                if pair.decision.is_some() {
                    "\u{a0}●"
                } else {
                    ""
                }
            ),
            class: match weight {
                _ if pair.evidence.veto.is_some() => "veto",
                ..0.0 => "against",
                ..8.0 => "for",
                _ => "strong",
            },
            link: format!("/pairs?one={one}&other={other}"),
        }
    };
    let rows = members.iter().map(|member| MatrixRow {
        key: member.key.to_string(),
        cells: members
            .iter()
            .map(|other| cell(&member.key, &other.key))
            .collect(),
    });
    rows.collect()
}
