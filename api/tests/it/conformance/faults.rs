//! The content of a 400: all errors at once, what was sent, what is accepted, and the nearest accepted value.

use api::params::SEARCH_PARAMS;
use schema::Plan;

use crate::support::on_each;

/// Spec, search 17: 400 lists every offending parameter.
/// Spec, Errors 5: details has one entry for each offending parameter: path and message.
#[tokio::test]
async fn wrong_values_of_all_parameters_get_an_entry_each() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let wrong = |name: &str| match name {
            "district" | "neighborhood" | "address" => format!("{name}=%FF"),
            _ => format!("{name}=%3Cwrong%3E"),
        };
        let query: Vec<String> = SEARCH_PARAMS
            .iter()
            .map(|param| wrong(param.name))
            .collect();
        let answer = api
            .get_as(
                &account,
                &format!("/v1/offers?unknown=1&{}", query.join("&")),
            )
            .await;
        let expected: Vec<&str> = ["unknown"]
            .into_iter()
            .chain(SEARCH_PARAMS.iter().map(|param| param.name))
            .collect();
        assert_eq!((answer.status, answer.faulty()), (400, expected));
        for entry in answer.body["error"]["details"].as_array().unwrap() {
            assert_eq!(entry.as_object().unwrap().len(), 2, "{entry}");
            let message = entry["message"].as_str().unwrap();
            let says_what_is_accepted =
                message.contains("must be ") || message.contains("; accepted are ");
            assert!(says_what_is_accepted, "{entry}");
            let shows_what_was_sent =
                message.contains("\"<wrong>\"") || message.contains("\"%FF\"");
            assert!(shows_what_was_sent || entry["path"] == "unknown", "{entry}");
        }
    })
    .await;
}

/// Spec, Errors 6: an entry says what the parameter accepts, or that it is unknown and which names are accepted.
#[tokio::test]
async fn an_error_says_what_was_sent_what_is_accepted_and_what_is_nearest() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for (sent, path, message) in [
            ("limit=51", "limit", "must be a whole number from 1 to 50; got \"51\"; the nearest is 50"),
            ("limit=0", "limit", "must be a whole number from 1 to 50; got \"0\"; the nearest is 1"),
            ("offerType=sell", "offerType", "must be one of sale, rent, exchange, auction; got \"sell\"; the nearest is sale"),
            ("equipment=Full", "equipment", "must be one of full, none, partial; got \"Full\"; the nearest is full"),
            ("includeInactive=TRUE", "includeInactive", "must be true or false; got \"TRUE\"; the nearest is true"),
            (
                "priceMax=%2B5",
                "priceMax",
                "must be a finite decimal number, such as 12, -1 or 12.5; got \"+5\"; the nearest is 5",
            ),
            ("lat=91&lng=14", "lat", "must be a number from -90 to 90; got \"91\"; the nearest is 90"),
            ("lat=50", "lng", "is missing, but lat was sent; must be a number from -180 to 180"),
            ("lat=50&address=Brno", "lat", "lat, address were sent together; send either address, or lat and lng"),
            (
                "radiusMeters=500",
                "radiusMeters",
                "needs a centre: send lat and lng, or address, with it; must be a number from 1 to 100000",
            ),
            (
                "priceMin=5&priceMax=3",
                "priceMin",
                "must not be greater than priceMax: 5 > 3; the nearest is 3",
            ),
            (
                "type=Flats",
                "type",
                "must be one of apartment, house, commercial, other, land; got \"Flats\"; the nearest is apartment",
            ),
            (
                "buildingType=panel+",
                "buildingType",
                "must be one of brick, panel, wood, eco, skeleton, mix, assemble, stone; got \"panel \"; the nearest is panel",
            ),
            (
                "address=Qwxzkj",
                "address",
                "must be an address in the Czech Republic; got \"Qwxzkj\": no known place is named \"Qwxzkj\"; write a \
                 municipality, perhaps with street, quarter, district (okres) or postal code",
            ),
            (
                "address=a",
                "address",
                "must be an address in the Czech Republic; got \"a\": the address names no known place; write a \
                 municipality, perhaps with street, quarter, district (okres) or postal code",
            ),
            ("cursor=x", "cursor", "must be the pagination.nextCursor of the previous page, unchanged; got \"x\""),
            (
                "equipment=full&equipment=%6Eone",
                "equipment",
                "was sent more than once, as \"full\" and as \"%6Eone\"; send it once; it must be one of full, none, partial",
            ),
            (
                "district=Most%ff",
                "district",
                "cannot be decoded: the text is not UTF-8; got \"Most%ff\"; must be a text of at most 200 \
                 characters",
            ),
        ] {
            let answer = api.get_as(&account, &format!("/v1/offers?{sent}")).await;
            assert_eq!((answer.status, answer.fault(path)), (400, message), "{sent}");
        }
    })
    .await;
}

/// Spec, Errors 3: message says in English what went wrong and how to fix it.
/// Spec, Errors 6: an entry says what the parameter accepts, or that it is unknown and which names are accepted.
/// Spec, Silent 11: several errors are one 400; an unknown name gets the accepted names and the nearest.
#[tokio::test]
async fn an_unknown_parameter_is_answered_with_every_name_and_the_nearest() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for (sent, nearest) in [
            ("pricemin", "priceMin"),
            ("livingArea", "livingAreaMin"),
            ("radius", "radiusMeters"),
        ] {
            let answer = api.get_as(&account, &format!("/v1/offers?{sent}=1")).await;
            let names: Vec<&str> = SEARCH_PARAMS
                .iter()
                .map(|param| param.name)
                .chain(["token"])
                .collect();
            let expected = format!(
                "unknown parameter; the nearest is {nearest}; accepted are {}",
                names.join(", ")
            );
            assert_eq!(
                (answer.status, answer.fault(sent)),
                (400, expected.as_str())
            );
            assert!(
                answer
                    .message()
                    .contains(&format!("Correct or remove these parameters: {sent}")),
                "{}",
                answer.message()
            );
        }
    })
    .await;
}

#[tokio::test]
async fn no_name_is_suggested_for_one_that_is_near_to_none() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for (query, name) in [("foo=1", "foo"), ("=5", ""), ("utm_source=x", "utm_source")] {
            let answer = api.get_as(&account, &format!("/v1/offers?{query}")).await;
            let message = answer.fault(name);
            assert_eq!((answer.status, answer.faulty()), (400, vec![name]));
            assert!(
                message.starts_with("unknown parameter; accepted are offerType, "),
                "{message}"
            );
        }
        let nameless = api.get_as(&account, "/v1/offers?=5").await;
        assert!(
            nameless.message().contains("a parameter without a name"),
            "{}",
            nameless.message()
        );
    })
    .await;
}

/// The documentation says that numbers are written as in JSON.
///
/// Spec, Silent 9: numbers are finite decimals, booleans true or false.
#[tokio::test]
async fn a_number_with_a_leading_zero_is_refused_and_its_meaning_suggested() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for (name, sent, nearest) in [
            ("priceMin", "05", "5"),
            ("priceMax", "-01.5", "-1.5"),
            ("limit", "010", "10"),
        ] {
            let answer = api
                .get_as(&account, &format!("/v1/offers?{name}={sent}"))
                .await;
            assert_eq!((answer.status, answer.faulty()), (400, vec![name]));
            let nearest = format!("the nearest is {nearest}");
            assert!(answer.fault(name).ends_with(&nearest), "{}", answer.body);
        }
        let answer = api
            .get_as(&account, "/v1/offers?priceMin=0&priceMax=0.5e07")
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    })
    .await;
}

/// The longest possible query of names: all get an entry, and the size of the answer is bounded.
///
/// Spec, search 17: 400 lists every offending parameter.
/// Spec, Errors 6: an entry says what the parameter accepts, or that it is unknown and which names are accepted.
#[tokio::test]
async fn the_answer_to_thousands_of_names_is_bounded() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        let mut names: Vec<String> = letters.chars().map(String::from).collect();
        names.extend(
            letters
                .chars()
                .flat_map(|one| letters.chars().map(move |other| format!("{one}{other}"))),
        );
        let mut query = names.join("&");
        query.truncate(8_192 - "/v1/offers?".len());
        // The last name may be truncated.
        query.truncate(query.rfind('&').unwrap());
        let sent: Vec<&str> = query.split('&').collect();
        assert!(sent.len() > 2_700);
        let answer = api.get_as(&account, &format!("/v1/offers?{query}")).await;
        assert_eq!((answer.status, answer.faulty()), (400, sent));
        assert!(answer.bytes.len() < 300_000, "{} bytes", answer.bytes.len());
        assert!(answer.message().ends_with(" more. See details.") && answer.message().len() < 300);
        for (place, entry) in answer.body["error"]["details"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            let message = entry["message"].as_str().unwrap();
            assert!(message.starts_with("unknown parameter; "), "{message}");
            let accepted = if place < 16 {
                "; accepted are offerType, type,"
            } else {
                "; accepted are those listed above"
            };
            assert!(message.contains(accepted), "{entry}");
        }
    })
    .await;
}
