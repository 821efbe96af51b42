//! A search that is kept as text, to filter what a webhook is sent.

use api::index::{Circle, Filter, Reach};
use api::params::{Centre, ParamErrors, parse_search};
use schema::Timestamp;

/// What a saved search cannot have, with the way out.
const REFUSED: [(&str, &str); 4] = [
    (
        "address",
        "is not kept; send lat and lng, which `jeden gazetteer locate` prints",
    ),
    ("limit", "is of a page, and a saved search has none"),
    ("cursor", "is of a page, and a saved search has none"),
    ("token", "is not kept"),
];

/// The filter of a query as `/v1/offers` accepts it. Without `includeInactive=true`, it shows live records only; with it,
/// all of them.
///
/// # Errors
/// Each parameter that is wrong, with what is wrong about it.
pub fn saved_search(query: &str) -> Result<Filter, Vec<(String, String)>> {
    let (params, found) = parse_search(query, |_| false);
    let mut errors = ParamErrors::default();
    for pair in query.split('&') {
        let name = pair.split('=').next().unwrap_or_default();
        if let Some((name, message)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            errors.add(name, *message);
        }
    }
    for error in found.into_entries() {
        errors.add(&error.path, error.message);
    }
    if !errors.is_empty() {
        let entries = errors.into_entries().into_iter();
        return Err(entries.map(|error| (error.path, error.message)).collect());
    }
    let centre = match params.centre {
        Some(Centre::Point(point)) => Some(point),
        _ => None,
    };
    Ok(Filter {
        criteria: params.criteria,
        circle: centre.map(|centre| Circle::new(centre, params.radius_meters)),
        reach: if params.include_inactive {
            Reach::ExpiredSince(Timestamp(i64::MIN))
        } else {
            Reach::Live
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_search_has_the_filters_of_a_search_and_no_page() {
        let filter = saved_search("district=Praha&priceMax=6000000&lat=50&lng=14").unwrap();
        assert_eq!(filter.fields(), ["district", "priceTotal", "location"]);
        assert_eq!(saved_search("").unwrap(), Filter::everything(Reach::Live));
        let wrong = saved_search("limit=5&address=Brno&cursor=x&prize=7&priceMin=a").unwrap_err();
        let names: Vec<&str> = wrong.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["limit", "address", "cursor", "prize", "priceMin"]);
    }
}
