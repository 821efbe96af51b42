//! `jeden demo` replays, deduplicates and serves the authored dumps, and prints calls to try.

use schema::Location;
use serde_json::Value;

use super::jeden::{Jeden, program, ran};

/// The token and the address of a printed call.
fn pasted(call: &str) -> (String, String) {
    let quoted: Vec<&str> = call.split('\'').collect();
    assert_eq!(
        (quoted[0], quoted[2], quoted.len()),
        ("curl -H ", " ", 5),
        "{call}"
    );
    let token = quoted[1]
        .strip_prefix("Authorization: Bearer ")
        .expect("a token in the header");
    (token.to_owned(), quoted[3].to_owned())
}

async fn answer(call: &str) -> Value {
    let (token, url) = pasted(call);
    let answer = support::http_client()
        .get(&url)
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    assert_eq!(status, 200, "{url}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The call with this part in its address.
fn call<'a>(calls: &'a [String], part: &str) -> &'a str {
    calls
        .iter()
        .find(|call| call.contains(part))
        .unwrap_or_else(|| panic!("no call with {part}: {calls:#?}"))
}

fn offers(page: &Value) -> &Vec<Value> {
    page["data"]
        .as_array()
        .unwrap_or_else(|| panic!("no offers: {page}"))
}

fn metres(one: &Value, lat: f64, lng: f64) -> f64 {
    let one = Location {
        lat: one["lat"].as_f64().unwrap(),
        lng: one["lng"].as_f64().unwrap(),
    };
    one.great_circle_metres_to(Location { lat, lng })
}

fn parameter(url: &str, name: &str) -> f64 {
    let query = url.split_once('?').expect("a query").1;
    let found = query
        .split('&')
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    found
        .expect("the parameter")
        .trim_end_matches('\'')
        .parse()
        .expect("a number")
}

/// Spec, Purpose 2: a property advertised on several portals is one record, once in the data.
/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, Purpose 5: the look-up of one listing returns every portal listing behind it and its price history.
#[tokio::test(flavor = "multi_thread")]
async fn the_calls_that_the_demo_prints_return_what_they_promise() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Jeden::on("sqlite:///nowhere/unused.db").serve(&[
        "demo",
        "--dir",
        folder.path().to_str().unwrap(),
    ]);
    let calls = server.stdout_lines(6);

    assert_eq!(offers(&answer(call(&calls, "?limit=2")).await).len(), 2);

    let flats = answer(call(&calls, "arrangement=")).await;
    assert!(!offers(&flats).is_empty());
    for offer in offers(&flats) {
        assert_eq!(
            (&offer["offerType"], &offer["arrangement"]),
            (&"sale".into(), &"2+kk".into()),
            "{offer}"
        );
    }

    let nearby = call(&calls, "lat=");
    let (lat, lng) = (parameter(nearby, "lat"), parameter(nearby, "lng"));
    let found = answer(nearby).await;
    assert!(!offers(&found).is_empty());
    for offer in offers(&found) {
        assert!(metres(&offer["location"], lat, lng) <= 1_005.0, "{offer}");
    }

    let by_address = answer(call(&calls, "address=")).await;
    assert!(!offers(&by_address).is_empty(), "{by_address}");

    let record = calls
        .iter()
        .find(|call| call.contains("/v1/offers/"))
        .expect("a call for a record");
    let record = answer(record).await;
    let links = record["portalLinks"].as_array().unwrap();
    assert!(
        links.len() >= 3,
        "the record on most portals is shown: {record:#}"
    );
    let series = record["priceHistory"].as_array().unwrap();
    assert!(
        !series.is_empty() && series.iter().all(|series| series["points"].is_array()),
        "{record:#}"
    );
    let found = offers(&found)
        .iter()
        .any(|offer| offer["id"] == record["id"]);
    assert!(found, "the radius is drawn around that record");

    let me = answer(call(&calls, "/v1/me")).await;
    assert_eq!(me["plan"]["name"], "Investor", "{me}");

    let (code, log, _) = server.stop();
    assert_eq!(code, Some(0), "{log}");
    let explain = log
        .lines()
        .find_map(|line| line.split_once("jeden explain "))
        .expect("a command that explains a record");
    let mut command = program();
    let explained = ran(command.arg("explain").args(explain.1.split(' '))).done();
    assert!(
        explained.contains("Sources of the merged values"),
        "{explained}"
    );
}

#[test]
fn without_serving_the_demo_ends_after_the_calls() {
    let run = ran(program().args(["demo", "--no-serve"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 6, "{}", run.stdout);
    assert!(
        run.stdout.lines().all(|line| line.starts_with("curl ")),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("168 portal listings are"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("--dir FOLDER keeps it"),
        "{}",
        run.stderr
    );
    assert!(
        !run.stderr.contains("jeden explain"),
        "the deleted database is not mentioned: {}",
        run.stderr
    );
}

#[test]
fn the_demo_needs_a_fresh_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("jeden.db"), "").unwrap();
    let run = ran(program()
        .args(["demo", "--no-serve", "--dir"])
        .arg(folder.path()));
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(
        run.stderr.contains("jeden.db already exists"),
        "{}",
        run.stderr
    );
}
