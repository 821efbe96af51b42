//! Every described parameter compared with the service: described values are accepted, values just outside are not.

use schema::store::accounts;
use schema::{Location, Plan};
use serde_json::Value;

use crate::support::{Account, TestApi, TestOffer, on_each, resolved, save};

/// The query parameters that the served description has for a search.
async fn described(api: &TestApi) -> Vec<Value> {
    let description = api.get("/openapi.json").await.body;
    let parameters = description["paths"]["/v1/offers"]["get"]["parameters"]
        .as_array()
        .unwrap();
    let in_query = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query");
    let with_its_shape = |mut parameter: Value| {
        parameter["schema"] = resolved(&description, &parameter["schema"]).clone();
        parameter
    };
    in_query.cloned().map(with_its_shape).collect()
}

/// An account with history and a large quota, and an offer at the address of the example.
async fn start(api: &TestApi) -> Account {
    let street = TestOffer::new("flat").with(|facts| {
        facts.street = Some("Korunní".to_owned());
        facts.location = Some(Location {
            lat: 50.0755,
            lng: 14.4378,
        });
    });
    save(&api.db, street).await;
    let created = accounts::create(&api.db, "driver", Plan::Custom, Some(100_000), api.now())
        .await
        .unwrap();
    api.token_for(created.id, "driver").await
}

/// The query that sends `name` with `value`, and the other parameters that it needs.
fn query(name: &str, value: &str) -> String {
    let encoded = value.bytes().fold(String::new(), |encoded, byte| {
        format!("{encoded}%{byte:02X}")
    });
    let beside = match name {
        "lat" => "&lng=14.4378",
        "lng" => "&lat=50.0755",
        "radiusMeters" => "&lat=50.0755&lng=14.4378",
        _ => "",
    };
    format!("/v1/offers?{name}={encoded}{beside}")
}

/// A JSON value of the description as it is written in a query.
fn written(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Values that a schema accepts, and values just outside.
fn inside_and_outside(parameter: &Value) -> (Vec<String>, Vec<String>) {
    let schema = &parameter["schema"];
    if let Some(listed) = schema["enum"].as_array() {
        let inside: Vec<String> = listed.iter().map(written).collect();
        let outside = inside
            .iter()
            .flat_map(|value| [format!("{value}x"), format!(" {value}")])
            .collect();
        return (inside, outside);
    }
    let bound = |name: &str| schema[name].as_f64();
    let text = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>();
    match (
        schema["type"].as_str().unwrap(),
        bound("minimum"),
        bound("maximum"),
    ) {
        ("integer", Some(min), Some(max)) => (
            text(&[min, max, min + 1.0]),
            text(&[min - 1.0, max + 1.0, min + 0.5]),
        ),
        ("number", Some(min), Some(max)) => (
            text(&[min, max, max - 0.5]),
            text(&[min - 0.001, max + 0.001]),
        ),
        ("number", None, None) => {
            let as_json_writes_it = ["1e6", "-2.5E-3", "1e+16"].map(str::to_owned);
            let inside = text(&[0.0, -1.5, 1e15])
                .into_iter()
                .chain(as_json_writes_it)
                .collect();
            (
                inside,
                ["NaN", "inf", "1e999", "1,5", "0x10", "1 000", "05"]
                    .map(str::to_owned)
                    .to_vec(),
            )
        }
        ("boolean", ..) => (
            vec!["true".to_owned(), "false".to_owned()],
            ["True", "1", "no"].map(str::to_owned).to_vec(),
        ),
        ("string", ..) => {
            let longest = schema["maxLength"].as_u64().unwrap_or(100) as usize;
            (
                vec!["ř".to_owned()],
                vec![String::new(), "ř".repeat(longest + 1)],
            )
        }
        other => panic!("{}: {other:?}", parameter["name"]),
    }
}

/// Spec, search 3: the parameters are those of the table, each of its type.
/// Spec, search 4: enumerated parameters take the values of their fields, and filter by them.
/// Spec, search 12: limit is a whole number from 1 to 50, 25 unless sent.
/// Spec, Silent 9: numbers are finite decimals, booleans true or false.
#[tokio::test]
async fn values_inside_the_described_bounds_are_accepted_and_outside_refused() {
    on_each(async |api| {
        let account = start(&api).await;
        let parameters = described(&api).await;
        assert_eq!(parameters.len(), 27);
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap();
            let (mut inside, outside) = inside_and_outside(&parameter);
            if name == "cursor" {
                inside.clear();
            } else {
                inside.push(written(&parameter["example"]));
            }
            for value in inside {
                let answer = api.get_as(&account, &query(name, &value)).await;
                // A single letter is a valid text but not an address.
                let leads_nowhere = name == "address" && value == "ř";
                assert_eq!(
                    answer.status,
                    if leads_nowhere { 400 } else { 200 },
                    "{name}={value}: {}",
                    answer.body
                );
            }
            for value in outside {
                let answer = api.get_as(&account, &query(name, &value)).await;
                assert_eq!(
                    (answer.status, answer.faulty()),
                    (400, vec![name]),
                    "{name}={value}"
                );
            }
        }
    })
    .await;
}

/// The longest accepted text has exactly the described length.
#[tokio::test]
async fn the_longest_described_text_is_accepted_and_a_longer_one_is_not() {
    on_each(async |api| {
        let account = start(&api).await;
        for parameter in described(&api).await {
            let Some(longest) = parameter["schema"]["maxLength"].as_u64() else {
                continue;
            };
            let name = parameter["name"].as_str().unwrap();
            for (length, is_read) in [(longest, true), (longest + 1, false)] {
                let answer = api
                    .get_as(&account, &query(name, &"ř".repeat(length as usize)))
                    .await;
                let is_too_long = answer.fault(name).contains(&format!("at most {longest}"));
                assert_eq!(!is_too_long, is_read, "{name} of {length}: {}", answer.body);
            }
        }
    })
    .await;
}

/// Spec, search 2: all parameters are optional.
/// Spec, search 11: includeInactive is false unless sent, and needs a plan with history.
/// Spec, Limits 6: page size: 25 unless sent, 1 to 50.
#[tokio::test]
async fn the_described_defaults_apply_if_nothing_is_sent() {
    on_each(async |api| {
        let account = start(&api).await;
        save(
            &api.db,
            TestOffer::new("gone").expired_at("2026-07-10T12:00:00Z"),
        )
        .await;
        let silent = api.get_as(&account, "/v1/offers").await;
        assert_eq!(
            (silent.ids(), silent.body["pagination"]["limit"].as_u64()),
            (vec!["flat"], Some(25))
        );
        let mut defaults = Vec::new();
        for parameter in described(&api).await {
            assert_eq!(parameter["required"], false, "{}", parameter["name"]);
            let (name, default) = (
                parameter["name"].as_str().unwrap(),
                &parameter["schema"]["default"],
            );
            if !default.is_null() {
                let sent = api.get_as(&account, &query(name, &written(default))).await;
                assert_eq!(sent.bytes, silent.bytes, "{name}={default}");
                defaults.push(name.to_owned());
            }
        }
        assert_eq!(defaults, ["includeInactive", "limit"]);
    })
    .await;
}
