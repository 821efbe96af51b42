//! What a 400 says: every fault at once, what was sent, what is accepted, what is nearest.

use api::params::SEARCH;
use schema::Plan;

use crate::support::on_each;

/// Spec, search 17: 400 lists every offending parameter.
/// Spec, Errors 5: details has one entry for each offending parameter: path and message.
#[tokio::test]
async fn every_parameter_wrong_at_once_is_an_entry_for_each() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let wrong = |name: &str| match name {
            "district" | "neighborhood" | "address" => format!("{name}=%FF"),
            _ => format!("{name}=%3Cwrong%3E"),
        };
        let query: Vec<String> = SEARCH.iter().map(|param| wrong(param.name)).collect();
        let answer = api.get_as(&account, &format!("/v1/offers?unknown=1&{}", query.join("&"))).await;
        let expected: Vec<&str> =
            ["unknown"].into_iter().chain(SEARCH.iter().map(|param| param.name)).collect();
        assert_eq!((answer.status, answer.faulty()), (400, expected));
        for entry in answer.body["error"]["details"].as_array().unwrap() {
            assert_eq!(entry.as_object().unwrap().len(), 2, "{entry}");
        }
    })
    .await;
}
