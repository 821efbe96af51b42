//! The query of a search: all its errors in one answer.

use api::params::{ParamType, SEARCH_PARAMS, parse_search};
use proptest::prelude::*;
use schema::Plan;

use crate::support::{TestOffer, on_each, save_all};

fn faults(query: &str) -> Vec<(String, String)> {
    let (_, faults) = parse_search(query, |_| true);
    faults
        .into_entries()
        .into_iter()
        .map(|fault| (fault.path, fault.message))
        .collect()
}

fn names(query: &str) -> Vec<String> {
    faults(query).into_iter().map(|(name, _)| name).collect()
}

/// Spec, search 17: 400 lists every offending parameter.
/// Spec, Errors 5: details has one entry for each offending parameter: path and message.
/// Spec, Errors 6: an entry says what the parameter accepts, or that it is unknown and which names are accepted.
/// Spec, Errors 11: invalid-request is 400: an invalid or unknown parameter.
/// Spec, Silent 11: several errors are one 400; an unknown name gets the accepted names and the nearest.
#[tokio::test]
async fn all_errors_are_in_one_answer_one_entry_per_parameter() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let query = "offerType=buy&foo=1&limit=51&lat=50.1&priceMin=abc&Limit=3&foo=2&district=&arrangement=2+kk\
                     &floorMin=3&floorMax=1&type=house&type=house&includeInactive=yes&cursor=x&radiusMeters=0";
        let answer = api.get_as(&account, &format!("/v1/offers?{query}")).await;
        assert_eq!((answer.status, answer.code()), (400, "invalid-request"));
        insta::allow_duplicates! {
            insta::assert_json_snapshot!("faults", answer.body["error"]);
        }
    })
    .await;
}

#[tokio::test]
async fn errors_that_need_a_look_up_are_in_the_same_answer() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &["a", "b"].map(TestOffer::new)).await;
        let first = api.get_as(&account, "/v1/offers?limit=1").await;
        let cursor = first.next_cursor().unwrap();
        for (query, faulty) in [
            (
                "limit=0&address=Qwxzkj".to_owned(),
                vec!["limit", "address"],
            ),
            (
                "radiusMeters=0&address=Qwxzkj".to_owned(),
                vec!["radiusMeters", "address"],
            ),
            (
                format!("limit=0&type=house&cursor={cursor}"),
                vec!["limit", "cursor"],
            ),
            (
                format!("address=Qwxzkj&cursor={cursor}"),
                vec!["cursor", "address"],
            ),
            // If the filters are invalid, it is not known whether the cursor belongs to them.
            (format!("typ=house&cursor={cursor}"), vec!["typ"]),
            (format!("limit=0&cursor={cursor}"), vec!["limit"]),
        ] {
            let answer = api.get_as(&account, &format!("/v1/offers?{query}")).await;
            assert_eq!((answer.status, answer.faulty()), (400, faulty), "{query}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_address_not_found_is_reported_before_the_plan_is_checked() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let answer = api
            .get_as(&account, "/v1/offers?includeInactive=true&address=Qwxzkj")
            .await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["address"]));
    })
    .await;
}

/// Spec, search 8: lat and lng are sent together.
/// Spec, search 20: lat without lng, and address beside them (not shown): 400 on each at fault.
#[test]
fn lat_without_lng_is_an_error_of_the_missing_one() {
    assert_eq!(names("lat=50"), ["lng"]);
    assert_eq!(names("lng=14&radiusMeters=100"), ["lat"]);
    assert_eq!(names("lat=50&lng=14"), [""; 0]);
}

/// Spec, search 9: address is geocoded to a centre, and used instead of lat and lng.
/// Spec, search 20: lat without lng, and address beside them (not shown): 400 on each at fault.
#[test]
fn an_address_together_with_a_point_is_an_error_of_each_of_them() {
    assert_eq!(
        names("address=Praha&lat=50&lng=14"),
        ["lat", "lng", "address"]
    );
    assert_eq!(names("address=Praha&lat=50"), ["lat", "address"]);
    assert_eq!(names("lng=14&address=Praha"), ["lng", "address"]);
}

/// Spec, search 21: a minimum over its maximum, and bounds of the radius (not shown): 400; 1 to 100000.
#[test]
fn a_radius_needs_a_centre_and_has_bounds() {
    assert_eq!(names("radiusMeters=100"), ["radiusMeters"]);
    for fine in ["1", "100000", "1500.5", "1e3", "1.5E%2B3"] {
        assert_eq!(
            names(&format!("lat=50&lng=14&radiusMeters={fine}")),
            [""; 0],
            "{fine}"
        );
        assert_eq!(
            names(&format!("address=Praha&radiusMeters={fine}")),
            [""; 0],
            "{fine}"
        );
    }
    for wrong in ["0", "0.99", "100000.1", "-5", "NaN", "1e6", "1e+3", ""] {
        assert_eq!(
            names(&format!("lat=50&lng=14&radiusMeters={wrong}")),
            ["radiusMeters"],
            "{wrong}"
        );
    }
    // An invalid centre is still a centre: one error, not two.
    assert_eq!(names("lat=x&lng=14&radiusMeters=100"), ["lat"]);
}

#[test]
fn latitude_and_longitude_have_bounds() {
    for (lat, lng) in [("90", "180"), ("-90", "-180"), ("0", "0")] {
        assert_eq!(names(&format!("lat={lat}&lng={lng}")), [""; 0]);
    }
    assert_eq!(names("lat=90.0001&lng=180.1"), ["lat", "lng"]);
    assert_eq!(names("lat=inf&lng="), ["lat", "lng"]);
}

/// Spec, search 21: a minimum over its maximum, and bounds of the radius (not shown): 400; 1 to 100000.
#[test]
fn a_minimum_above_its_maximum_is_an_error_of_both() {
    for name in ["price", "livingArea", "landArea", "floor", "floorCount"] {
        let (min, max) = (format!("{name}Min"), format!("{name}Max"));
        assert_eq!(names(&format!("{min}=2&{max}=1.5")), [min.as_str(), &max]);
        assert_eq!(names(&format!("{max}=2&{min}=2.0")), [""; 0]);
        assert_eq!(names(&format!("{min}=-1&{max}=999999999999999")), [""; 0]);
        assert_eq!(names(&format!("{min}=x&{max}=1")), [min.as_str()]);
    }
}

/// Spec, Endpoints 4: parameter names are case-sensitive.
/// Spec, Errors 6: an entry says what the parameter accepts, or that it is unknown and which names are accepted.
#[test]
fn names_are_case_sensitive_and_the_nearest_is_suggested() {
    for (sent, nearest) in [
        ("Limit", "limit"),
        ("pricemin", "priceMin"),
        ("neighbourhood", "neighborhood"),
        ("radius", "radiusMeters"),
    ] {
        let faults = faults(&format!("{sent}=1"));
        assert_eq!(faults.len(), 1, "{sent}");
        assert_eq!(faults[0].0, sent);
        assert!(
            faults[0].1.contains(&format!("nearest is {nearest};")),
            "{}",
            faults[0].1
        );
        for param in SEARCH_PARAMS {
            assert!(faults[0].1.contains(param.name), "{}", faults[0].1);
        }
        assert!(faults[0].1.contains("token"));
    }
}

/// Spec, Silent 10: a parameter twice, an empty value and broken UTF-8 are 400.
#[test]
fn repeated_empty_and_undecodable_parameters_are_errors() {
    assert_eq!(names("type=house&type=house"), ["type"]);
    assert!(faults("type=house&type=")[0].1.contains("more than once"));
    assert!(
        faults("type=nonsense&type=house")[0]
            .1
            .contains("more than once")
    );
    for param in SEARCH_PARAMS {
        assert!(
            names(&format!("{}=", param.name)).contains(&param.name.to_owned()),
            "{}",
            param.name
        );
        assert!(
            names(param.name).contains(&param.name.to_owned()),
            "{}",
            param.name
        );
    }
    for broken in [
        "district=%C5",
        "district=%ff",
        "district=%",
        "district=%4",
        "district=%zz",
    ] {
        assert_eq!(names(broken), ["district"], "{broken}");
    }
    assert_eq!(names("=5"), [""]);
    assert_eq!(names("%ff=5"), ["%ff"]);
    assert_eq!(names("&&district=Praha&"), [""; 0]);
}

/// Spec, Silent 9: numbers are finite decimals, booleans true or false.
#[test]
fn limits_and_booleans_are_strict() {
    for limit in ["1", "25", "50"] {
        assert_eq!(names(&format!("limit={limit}")), [""; 0]);
    }
    for limit in ["0", "51", "-1", "2.5", "25.0", "x", "4294967296", "%2B5"] {
        assert_eq!(names(&format!("limit={limit}")), ["limit"], "{limit}");
    }
    for truth in ["True", "1", "yes", "TRUE", " true"] {
        assert_eq!(
            names(&format!("includeInactive={truth}")),
            ["includeInactive"],
            "{truth}"
        );
    }
}

#[test]
fn a_token_is_accepted_and_never_repeated_to_the_client() {
    assert_eq!(names("token=jdn_secret&limit=5"), [""; 0]);
    for query in [
        "token=jdn_secret&token=jdn_secret",
        "token=jdn_secret%ff",
        "Token=jdn_secret",
        "limit=x&token=jdn_secret",
    ] {
        assert!(
            faults(query)
                .iter()
                .all(|(_, message)| !message.contains("secret")),
            "{query}"
        );
    }
}

#[test]
fn equal_filters_have_equal_fingerprints_however_they_are_written() {
    let fingerprint = |query: &str| parse_search(query, |_| true).0.fingerprint;
    let one = fingerprint("type=house&priceMin=100&lat=50&lng=14&includeInactive=true");
    for same in [
        "priceMin=100.00&includeInactive=true&type=house&lng=14.0&lat=50.0",
        "type=house&priceMin=100&lat=50&lng=14&includeInactive=true&radiusMeters=2000&limit=50&cursor=x&token=y",
        "%74ype=house&priceMin=100&lat=50&lng=14&includeInactive=true",
    ] {
        assert_eq!(fingerprint(same), one, "{same}");
    }
    assert_eq!(
        fingerprint("includeInactive=false&radiusMeters=2000&lat=0&lng=-0"),
        fingerprint("lat=-0.0&lng=0")
    );
    for other in [
        "type=house&priceMin=100&lat=50&lng=14",
        "type=house&priceMax=100&lat=50&lng=14&includeInactive=true",
        "type=land&priceMin=100&lat=50&lng=14&includeInactive=true",
        "type=house&priceMin=100&lat=50&lng=14&includeInactive=true&radiusMeters=2001",
    ] {
        assert_ne!(fingerprint(other), one, "{other}");
    }
    assert_ne!(
        fingerprint("district=ab"),
        fingerprint("district=a&neighborhood=b")
    );
}

/// Values of a parameter, and whether they are valid.
fn values(param_type: ParamType) -> BoxedStrategy<(String, bool)> {
    let wrong = prop_oneof![
        Just(String::new()),
        "[<>]{1,5}",
        Just("%ff".to_owned()),
        Just("%".to_owned())
    ];
    let fine = match param_type {
        ParamType::OneOf(texts) => proptest::sample::select(texts.to_vec())
            .prop_map(|text| text.replace('+', "%2B"))
            .boxed(),
        ParamType::Text { .. } => {
            return prop_oneof![
                ("[a-zA-Z]{1,20}", Just(true)),
                (Just("%ff".to_owned()), Just(false))
            ]
            .boxed();
        }
        ParamType::Number { min: Some(_), .. } => {
            "[1-9][0-9]?".prop_map(|text: String| text).boxed()
        }
        ParamType::Number { .. } => "-?[0-9]{1,9}(\\.[0-9]{1,4})?".boxed(),
        ParamType::Integer { .. } => "[1-4][0-9]?".boxed(),
        ParamType::Boolean => {
            proptest::sample::select(vec!["true".to_owned(), "false".to_owned()]).boxed()
        }
        ParamType::Cursor => {
            return prop_oneof![
                ("[a-zA-Z]{1,20}", Just(true)),
                (Just(String::new()), Just(false))
            ]
            .boxed();
        }
    };
    prop_oneof![3 => fine.prop_map(|text| (text, true)), 1 => wrong.prop_map(|text| (text, false))]
        .boxed()
}

proptest! {
    #[test]
    fn every_error_is_reported_and_nothing_else(
        chosen in proptest::sample::subsequence((0..SEARCH_PARAMS.len()).collect::<Vec<_>>(), 0..12)
            .prop_flat_map(|places| {
                let values: Vec<_> = places.iter().map(|place| values(SEARCH_PARAMS[*place].param_type)).collect();
                (Just(places), values)
            }),
        unknown in proptest::collection::btree_set("x[a-z]{1,6}", 0..3),
    ) {
        let (places, values) = chosen;
        let mut query: Vec<String> = Vec::new();
        let mut wrong: Vec<&str> = Vec::new();
        for (place, (value, fine)) in places.iter().zip(&values) {
            query.push(format!("{}={value}", SEARCH_PARAMS[*place].name));
            if !fine {
                wrong.push(SEARCH_PARAMS[*place].name);
            }
        }
        query.extend(unknown.iter().map(|name| format!("{name}=1")));
        let reported = names(&query.join("&"));
        // Rules between parameters may add errors of these parameters only.
        let related = ["lat", "lng", "address", "radiusMeters"];
        for name in &wrong {
            prop_assert!(reported.iter().any(|other| other == name), "{name} of {query:?}");
        }
        for name in &unknown {
            prop_assert!(reported.contains(name));
        }
        for name in &reported {
            let known = wrong.contains(&name.as_str()) || unknown.contains(name) || related.contains(&name.as_str());
            prop_assert!(known || name.ends_with("Min") || name.ends_with("Max"), "{name} of {query:?}");
            prop_assert_eq!(reported.iter().filter(|other| *other == name).count(), 1);
        }
    }

    #[test]
    fn no_query_causes_a_panic(query in "[ -~éřž]{0,200}") {
        let _ = parse_search(&query, |_| false);
    }

    #[test]
    fn no_mix_of_parameters_causes_a_panic(
        pairs in proptest::collection::vec(
            (proptest::sample::select(SEARCH_PARAMS.iter().map(|param| param.name).collect::<Vec<_>>()), "[ -~]{0,12}"), 0..20,
        ),
    ) {
        let query: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = parse_search(&query.join("&"), |text| text.len() > 3);
    }
}
