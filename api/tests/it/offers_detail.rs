//! GET /v1/offers/{offerId}.

use schema::Plan;

use crate::support::{TestApi, TestOffer, on_each, retire, save, save_listing};

async fn with_two_portals(api: &TestApi) {
    save(
        &api.db,
        TestOffer::new("flat").with(|facts| facts.address = Some("Korunní, Praha".to_owned())),
    )
    .await;
    let prices = [
        ("2026-05-01T06:00:00Z", 5_200_000.0),
        ("2026-06-01T06:00:00Z", 5_000_000.0),
    ];
    save_listing(
        &api.db,
        "flat",
        ("sreality", "111"),
        ("2026-05-01T06:00:00Z", None),
        &prices,
    )
    .await;
    let gone = ("2026-05-20T06:00:00Z", Some("2026-07-01T06:00:00Z"));
    save_listing(
        &api.db,
        "flat",
        ("unlinked", "A-2"),
        gone,
        &[("2026-05-20T06:00:00Z", 5_150_000.5)],
    )
    .await;
    let silent = ("2026-05-21T06:00:00Z", None);
    save_listing(&api.db, "flat", ("idnes", "9"), silent, &[]).await;
}

/// Spec, Purpose 5: the look-up of one listing returns every portal listing behind it and its price history.
/// Spec, Offer 2: the detail adds portalLinks and priceHistory.
/// Spec, Offer 16: portalLinks has one entry for each portal listing.
/// Spec, Offer 17: priceHistory has one series for each portal listing, oldest point first, not merged.
/// Spec, States 1: a listing is live while at least one portal advertises it, a link while that portal does.
/// Spec, detail 3: the answer is the detail shape.
#[tokio::test]
async fn it_shows_every_portal_listing_with_its_prices() {
    on_each(async |api| {
        with_two_portals(&api).await;
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/v1/offers/flat").await;
        assert_eq!(answer.status, 200);
        insta::allow_duplicates! {
            insta::assert_json_snapshot!("detail", answer.body);
        }
    })
    .await;
}

#[tokio::test]
async fn a_link_leads_to_a_web_page_or_has_no_url() {
    on_each(async |api| {
        save(&api.db, TestOffer::new("flat")).await;
        let life = ("2026-05-01T06:00:00Z", None);
        for number in ["1", "javascript:alert(1)", "data:text/html,x"] {
            save_listing(&api.db, "flat", ("sreality", number), life, &[]).await;
        }
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/v1/offers/flat").await;
        let links = answer.body["portalLinks"].as_array().unwrap();
        assert_eq!(links.len(), 3);
        for link in links {
            let is_number = link["offerId"] == "1";
            assert_eq!(link["url"].is_string(), is_number, "{link}");
        }
    })
    .await;
}

/// Spec, Offer 1: items of a search and the detail carry the same fields.
/// Spec, Offer 2: the detail adds portalLinks and priceHistory.
#[tokio::test]
async fn its_summary_equals_that_of_the_search() {
    on_each(async |api| {
        with_two_portals(&api).await;
        let account = api.account(Plan::Free).await;
        let mut detail = api.get_as(&account, "/v1/offers/flat").await.body;
        let search = api.get_as(&account, "/v1/offers").await.body;
        let object = detail.as_object_mut().unwrap();
        object.remove("portalLinks").unwrap();
        object.remove("priceHistory").unwrap();
        assert_eq!(detail, search["data"][0]);
    })
    .await;
}

/// Spec, detail 2: any query parameter gives 400.
/// Spec, Silent 8: token is accepted as a query parameter on every /v1 path.
#[tokio::test]
async fn any_query_parameter_is_refused_but_the_token() {
    on_each(async |api| {
        save(&api.db, TestOffer::new("flat")).await;
        let account = api.account(Plan::Free).await;
        let answer = api
            .get_as(&account, "/v1/offers/flat?fields=id&limit=1&fields=x")
            .await;
        assert_eq!(
            (answer.status, answer.code(), answer.faulty()),
            (400, "invalid-request", vec!["fields", "limit"])
        );
        assert!(answer.fault("fields").contains("token"));
        // The query is checked before the listing is searched.
        assert_eq!(
            api.get_as(&account, "/v1/offers/nowhere?fields=id")
                .await
                .status,
            400
        );
        assert_eq!(
            api.get(&format!("/v1/offers/flat?token={}", account.token))
                .await
                .status,
            200
        );
    })
    .await;
}

/// Spec, detail 4: 404 if there is no such listing.
/// Spec, Errors 10: not-found is 404: no such listing, or one outside the window.
#[tokio::test]
async fn an_unknown_listing_is_404() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        for id in [
            "nowhere",
            "a%20b",
            "%ff",
            "%zz",
            "ř",
            "a.b",
            &"x".repeat(65),
            "..%2f..%2fetc",
        ] {
            let answer = api.get_as(&account, &format!("/v1/offers/{id}")).await;
            assert_eq!((answer.status, answer.code()), (404, "not-found"), "{id}");
        }
    })
    .await;
}

/// Spec, Offer 6: id is stable, and opens the detail.
/// Spec, Silent 26: the id of a record that was merged answers with the surviving record.
#[tokio::test]
async fn an_id_that_was_merged_answers_with_the_surviving_record() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        for id in ["first", "second", "third"] {
            save(&api.db, TestOffer::new(id)).await;
        }
        retire(&api.db, "first", "second").await;
        let answer = api.get_as(&account, "/v1/offers/first").await;
        assert_eq!((answer.status, &answer.body["id"]), (200, &"second".into()));
        retire(&api.db, "second", "third").await;
        for id in ["first", "second", "third"] {
            assert_eq!(
                api.get_as(&account, &format!("/v1/offers/{id}")).await.body["id"],
                "third"
            );
        }
    })
    .await;
}

/// Spec, Offer 10: isLive is false only in searches with includeInactive and in details.
/// Spec, detail 5: 404 if it expired outside the plan's window.
/// Spec, Errors 10: not-found is 404: no such listing, or one outside the window.
/// Spec, Limits 9: includeInactive reaches 3 or 6 months back by plan, and so does the detail.
/// Spec, Silent 25: months of history are calendar months; a record expires with its last live link.
#[tokio::test]
async fn a_listing_that_expired_outside_the_plans_window_is_404() {
    on_each(async |api| {
        save(
            &api.db,
            TestOffer::new("edge").expired_at("2026-04-15T12:00:00Z"),
        )
        .await;
        save(
            &api.db,
            TestOffer::new("past").expired_at("2026-04-15T11:59:59Z"),
        )
        .await;
        save(
            &api.db,
            TestOffer::new("long-ago").expired_at("2026-01-15T11:59:59Z"),
        )
        .await;
        for (plan, seen) in [
            (Plan::Free, [404, 404, 404]),
            (Plan::Basic, [404, 404, 404]),
            (Plan::Pro, [200, 404, 404]),
            (Plan::Investor, [200, 200, 404]),
            (Plan::Custom, [200, 200, 404]),
        ] {
            let account = api.account(plan).await;
            for (id, status) in ["edge", "past", "long-ago"].into_iter().zip(seen) {
                let answer = api.get_as(&account, &format!("/v1/offers/{id}")).await;
                assert_eq!(answer.status, status, "{id} for {plan}");
            }
        }
        let account = api.account(Plan::Pro).await;
        assert_eq!(
            api.get_as(&account, "/v1/offers/edge").await.body["isLive"],
            false
        );
        api.advance(1);
        assert_eq!(api.get_as(&account, "/v1/offers/edge").await.status, 404);
    })
    .await;
}
