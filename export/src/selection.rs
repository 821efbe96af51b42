//! Which records are exported: those that a search with the same filters finds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use api::index::{Batch, Circle, Filter, PageRequest, Reach, Stop, Stopped, View};
use api::params::{Centre, SEARCH_PARAMS, parse_search};
use schema::Timestamp;
use schema::store::offers::IndexRow;

/// The parameters of a search that choose a page and not records.
const NOT_FILTERS: [&str; 2] = ["limit", "cursor"];

/// A search of one page of records takes milliseconds.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The records that a search with some filters finds.
#[derive(Debug, Clone)]
pub struct Selection {
    filter: Filter,
    given: BTreeMap<String, String>,
}

/// A filter that is not one of a search, or has a wrong value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(|(name, message)| format!("{name} {message}")).collect::<Vec<_>>().join("; "))]
pub struct WrongFilter(pub Vec<(String, String)>);

impl Selection {
    /// The records that `GET /v1/offers` finds with these parameters: live ones only, unless `includeInactive` is
    /// `true`, which includes expired ones however long ago they expired. `address` has to be given as a position.
    ///
    /// # Errors
    /// Every filter that is wrong, with what is accepted.
    pub fn parse(filters: &[(String, String)]) -> Result<Self, WrongFilter> {
        let unknown = |name: &str| {
            NOT_FILTERS.contains(&name) || SEARCH_PARAMS.iter().all(|param| param.name != name)
        };
        let accepted: Vec<&str> = SEARCH_PARAMS
            .iter()
            .map(|param| param.name)
            .filter(|name| !NOT_FILTERS.contains(name))
            .collect();
        let accepted = accepted.join(", ");
        let wrong: Vec<(String, String)> = filters
            .iter()
            .filter(|(name, _)| unknown(name))
            .map(|(name, _)| {
                (
                    name.clone(),
                    format!("is not a filter; accepted are {accepted}"),
                )
            })
            .collect();
        if !wrong.is_empty() {
            return Err(WrongFilter(wrong));
        }
        let query = query_of(filters.iter().map(|(name, value)| (name, value)));
        let (params, errors) = parse_search(&query, |_| false);
        let mut wrong: Vec<(String, String)> = errors
            .into_entries()
            .into_iter()
            .map(|error| (error.path, error.message))
            .collect();
        let circle = match params.centre {
            Some(Centre::Point(centre)) => Some(Circle::new(centre, params.radius_meters)),
            Some(Centre::Address(_)) if wrong.is_empty() => {
                let message = "must be given as a position: lat and lng".to_owned();
                wrong.push(("address".to_owned(), message));
                None
            }
            _ => None,
        };
        if !wrong.is_empty() {
            return Err(WrongFilter(wrong));
        }
        Ok(Self {
            filter: Filter {
                criteria: params.criteria,
                circle,
                reach: if params.include_inactive {
                    Reach::ExpiredSince(Timestamp(i64::MIN))
                } else {
                    Reach::Live
                },
            },
            given: filters.iter().cloned().collect(),
        })
    }

    /// The filters as the query of a request.
    pub fn query(&self) -> String {
        query_of(self.given.iter())
    }

    /// The filters as they were given, by name.
    pub fn given(&self) -> &BTreeMap<String, String> {
        &self.given
    }

    /// The rows of the chosen records of a page, in order. The search index of the API decides, so that an export and a
    /// search agree.
    ///
    /// # Errors
    /// [`Stopped`] if that took minutes.
    pub(crate) fn rows(&self, page: &[IndexRow]) -> Result<Vec<i64>, Stopped> {
        let empty = View::default();
        let mut batch = Batch::new(&empty);
        for row in page {
            batch.changed(row);
        }
        let view = empty.after(batch, i64::MAX);
        let everything = PageRequest {
            after: None,
            as_of: None,
            limit: page.len(),
        };
        let stop = Stop::new(Instant::now() + TIMEOUT, Arc::new(AtomicBool::new(false)));
        let hits = view.search(&self.filter, everything, &stop)?.hits;
        let mut rows: Vec<i64> = hits.into_iter().map(|hit| hit.position.row).collect();
        rows.sort_unstable();
        Ok(rows)
    }
}

fn query_of<'a>(filters: impl Iterator<Item = (&'a String, &'a String)>) -> String {
    let pairs = filters.map(|(name, value)| format!("{name}={}", encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// A value as a query string has it: every byte that is not a letter or digit is escaped.
fn encoded(value: &str) -> String {
    let escaped = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    value.bytes().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(filters: &[(&str, &str)]) -> Result<Selection, WrongFilter> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Selection::parse(&filters.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_value_is_taken_as_it_is_written() {
        let selection = parse(&[("arrangement", "2+kk"), ("district", "Hradec Králové")]).unwrap();
        let criteria = &selection.filter.criteria;
        assert_eq!(criteria.arrangement.unwrap().to_string(), "2+kk");
        assert_eq!(criteria.district.as_deref(), Some("Hradec Králové"));
    }

    #[test]
    fn every_wrong_filter_is_named() {
        let wrong = parse(&[("limit", "5"), ("colour", "red")]).unwrap_err();
        let names: Vec<&str> = wrong.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["limit", "colour"]);
        let wrong = parse(&[("priceMin", "5"), ("priceMax", "3"), ("type", "castle")]).unwrap_err();
        assert_eq!(wrong.0.len(), 3, "{wrong}");
        assert!(parse(&[("address", "Brno")]).is_err());
    }
}
