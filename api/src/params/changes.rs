//! The parameters of a read of changes: the filters of a search, and where to read and how long to wait.

use std::time::Duration;

use crate::params::definitions::SEARCH_PARAMS;
use crate::params::errors::ParamErrors;
use crate::params::param::{Param, ParamName, ParamType};
use crate::params::parsed::ParsedQuery;
use crate::params::search::{SearchParams, read_search};

/// The largest number that JSON readers in every language keep exactly.
const LARGEST: u64 = 9_007_199_254_740_991;

/// The largest number of changes in one answer.
pub const MOST_CHANGES: u32 = 500;
/// The number of changes in one answer if `limit` is not sent.
const DEFAULT_CHANGES: u32 = 100;
/// The longest wait for a change, in seconds.
const LONGEST_WAIT: u64 = 300;

/// In the places of `limit` and `cursor`, which a read of changes does not have.
const LIMIT: usize = ParamName::Limit as usize;
const AFTER: usize = ParamName::Cursor as usize;
const WAIT: usize = SEARCH_PARAMS.len();

/// Every parameter of a read of changes.
pub const CHANGES_PARAMS: [Param; SEARCH_PARAMS.len() + 1] = {
    let wait = Param {
        name: "wait",
        param_type: ParamType::Integer {
            min: 0,
            max: LONGEST_WAIT,
        },
        description: "The longest time in seconds to wait for a change when there is none yet. A stream always waits and does not accept `wait`.",
        default: Some("0"),
        example: "60",
    };
    let mut params = [wait; SEARCH_PARAMS.len() + 1];
    let mut index = 0;
    while index < SEARCH_PARAMS.len() {
        params[index] = SEARCH_PARAMS[index];
        index += 1;
    }
    params[LIMIT] = Param {
        name: "limit",
        param_type: ParamType::Integer {
            min: 1,
            max: MOST_CHANGES as u64,
        },
        description: "The largest number of changes in the answer.",
        default: Some("100"),
        example: "100",
    };
    params[AFTER] = Param {
        name: "after",
        param_type: ParamType::Integer {
            min: 0,
            max: LARGEST,
        },
        description: "The number after which to read: `pagination.nextAfter` of the answer before, or the number that an \
                      export names. Without it the answer has no changes and says which number is the last.",
        default: None,
        example: "184467",
    };
    params
};

/// The parameters of a read of changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangesParams {
    /// The filters. Its `limit` is the largest number of changes, and it has no cursor.
    pub search: SearchParams,
    /// The number after which to read; `None` if it was not sent.
    pub after: Option<i64>,
    /// How long to wait for a change; `None` if it was not sent.
    pub wait: Option<Duration>,
}

/// Parses the query of a read of changes as far as possible, and returns all its errors, one for each parameter.
pub fn parse_changes(query: &str) -> (ChangesParams, ParamErrors) {
    let mut errors = ParamErrors::default();
    let parsed = ParsedQuery::parse(query, &CHANGES_PARAMS, &mut errors);
    let mut search = read_search(&parsed, &mut errors);
    search.limit = parsed
        .whole_number(LIMIT)
        .map_or(DEFAULT_CHANGES, |limit| limit as u32);
    let params = ChangesParams {
        search,
        after: parsed.whole_number(AFTER).map(u64::cast_signed),
        wait: parsed.whole_number(WAIT).map(Duration::from_secs),
    };
    (params, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_occurs_twice_and_none_of_a_search_page_is_left() {
        let mut names: Vec<&str> = CHANGES_PARAMS.iter().map(|param| param.name).collect();
        assert!(!names.contains(&"cursor"));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CHANGES_PARAMS.len());
    }

    #[test]
    fn numbers_are_read_and_wrong_ones_named() {
        let (params, errors) = parse_changes("after=184467&limit=500&wait=300&district=Praha");
        assert_eq!(errors.into_entries(), []);
        assert_eq!(
            (params.after, params.search.limit, params.wait),
            (Some(184_467), 500, Some(Duration::from_mins(5)))
        );
        assert_eq!(params.search.criteria.district.as_deref(), Some("Praha"));
        let (_, errors) = parse_changes("after=-1&limit=501&wait=x&cursor=1&count=7");
        let paths: Vec<String> = errors
            .into_entries()
            .into_iter()
            .map(|one| one.path)
            .collect();
        assert_eq!(paths, ["after", "limit", "wait", "cursor", "count"]);
    }
}
