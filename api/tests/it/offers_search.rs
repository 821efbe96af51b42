//! GET /v1/offers: which offers are found, and in which order.

use schema::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, Plan, PropertyState, PropertyType,
    Subtype,
};
use serde_json::json;

use crate::support::{Account, TestApi, TestOffer, on_each, retire, save, save_all};

async fn found(api: &TestApi, account: &Account, query: &str) -> Vec<String> {
    let answer = api.get_as(account, &format!("/v1/offers?{query}")).await;
    answer.ids().into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_search_of_an_empty_database_returns_one_empty_page() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!(
            String::from_utf8(answer.bytes).unwrap(),
            r#"{"data":[],"pagination":{"limit":25,"count":0,"hasMore":false,"nextCursor":null}}"#
        );
    })
    .await;
}

/// Spec, Offer 3: only the fields marked always are on every record; others are left out, never null.
/// Spec, Offer 11: location is a position, or null if no portal gave one.
/// Spec, Offer 15: titles and descriptions are as the portal wrote them.
#[tokio::test]
async fn items_are_the_stored_summaries_byte_for_byte() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let offer = TestOffer::new("one").with(|facts| {
            facts.title = Some("Byt „U lípy“ \\ \"2+kk\"\n".to_owned());
            facts.floor = Some(-1);
            facts.living_area = Some(54.5);
        });
        save_all(&api.db, &[offer, TestOffer::new("two").with(|facts| *facts = schema::Attributes::default())]).await;
        let answer = api.get_as(&account, "/v1/offers").await;
        assert_eq!(
            answer.body["data"],
            json!([
                {
                    "id": "two", "firstSeenAt": "2026-05-01T06:00:00Z", "lastChangedAt": "2026-07-01T06:00:00Z",
                    "isLive": true, "location": null,
                },
                {
                    "id": "one", "firstSeenAt": "2026-05-01T06:00:00Z", "lastChangedAt": "2026-07-01T06:00:00Z",
                    "isLive": true, "location": { "lat": 50.0755, "lng": 14.4378 },
                    "title": "Byt „U lípy“ \\ \"2+kk\"\n", "city": "Praha", "district": "Praha", "type": "apartment",
                    "offerType": "sale", "priceTotal": 5_000_000, "livingArea": 54.5, "floor": -1,
                },
            ])
        );
    })
    .await;
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, Offer 9: searches are sorted by lastChangedAt, newest first.
#[tokio::test]
async fn the_newest_change_comes_first_in_any_order_of_storing() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let days = [("third", 3), ("first", 9), ("second", 5), ("last", 1)];
        let offers = days
            .map(|(id, day)| TestOffer::new(id).changed_at(&format!("2026-07-0{day}T00:00:00Z")));
        save_all(&api.db, &offers).await;
        assert_eq!(
            found(&api, &account, "").await,
            ["first", "second", "third", "last"]
        );
        save(
            &api.db,
            TestOffer::new("last").changed_at("2026-07-10T00:00:00Z"),
        )
        .await;
        assert_eq!(
            found(&api, &account, "").await,
            ["last", "first", "second", "third"]
        );
    })
    .await;
}

#[tokio::test]
async fn a_search_finds_everything_stored_before_it() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        for number in 0..5 {
            save(&api.db, TestOffer::new(&format!("offer-{number}"))).await;
            assert_eq!(found(&api, &account, "").await.len(), number + 1);
        }
        save(
            &api.db,
            TestOffer::new("offer-2").with(|facts| facts.price_total = Some(1.0)),
        )
        .await;
        assert_eq!(found(&api, &account, "priceMax=1").await, ["offer-2"]);
        retire(&api.db, "offer-2", "offer-3").await;
        assert!(found(&api, &account, "priceMax=1").await.is_empty());
        assert_eq!(found(&api, &account, "").await.len(), 4);
    })
    .await;
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, search 4: enumerated parameters take the values of their fields, and filter by them.
/// Spec, search 5: the + of an arrangement must be URL-encoded.
/// Spec, Silent 14: a record without a filtered field does not match.
#[tokio::test]
async fn every_enumeration_filters_exactly() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        let other = TestOffer::new("other").with(|facts| {
            facts.offer_type = Some(OfferType::Auction);
            facts.property_type = Some(PropertyType::Land);
            facts.subtype = Some(Subtype::Meadow);
            facts.arrangement = Some(Arrangement::SixAndMore);
            facts.equipment = Some(Equipment::Full);
            facts.ownership = Some(Ownership::State);
            facts.property_state = Some(PropertyState::Bad);
            facts.building_type = Some(BuildingType::Stone);
        });
        let wanted = TestOffer::new("wanted").with(|facts| {
            facts.offer_type = Some(OfferType::Rent);
            facts.property_type = Some(PropertyType::House);
            facts.subtype = Some(Subtype::WineCellar);
            facts.arrangement = Some(Arrangement::R2Kk);
            facts.equipment = Some(Equipment::Partial);
            facts.ownership = Some(Ownership::Communal);
            facts.property_state = Some(PropertyState::AfterRenovation);
            facts.building_type = Some(BuildingType::Skeleton);
        });
        let silent = TestOffer::new("silent").with(|facts| *facts = schema::Attributes::default());
        save_all(&api.db, &[other, wanted, silent]).await;
        for query in [
            "offerType=rent",
            "type=house",
            "subtype=wine_cellar",
            "arrangement=2%2Bkk",
            "equipment=partial",
            "ownership=communal",
            "propertyState=after_renovation",
            "buildingType=skeleton",
            "offerType=rent&type=house&subtype=wine_cellar&arrangement=2%2Bkk&equipment=partial",
        ] {
            assert_eq!(found(&api, &account, query).await, ["wanted"], "{query}");
        }
        assert_eq!(
            found(&api, &account, "arrangement=6%2B%2B").await,
            ["other"]
        );
        assert!(
            found(&api, &account, "offerType=rent&type=land")
                .await
                .is_empty()
        );
    })
    .await;
}

/// A record in a district and a quarter.
fn place(id: &str, district: &str, quarter: &str) -> TestOffer {
    let (district, quarter) = (district.to_owned(), quarter.to_owned());
    TestOffer::new(id).with(move |facts| {
        facts.district = Some(district);
        facts.neighborhood = Some(quarter);
    })
}

/// Spec, search 6: district and neighborhood are exact names.
#[tokio::test]
async fn names_filter_exactly() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        save_all(
            &api.db,
            &[
                place("east", "Praha-východ", "Říčany"),
                place("west", "Praha-západ", "Černošice"),
            ],
        )
        .await;
        assert_eq!(
            found(&api, &account, "district=Praha-v%C3%BDchod").await,
            ["east"]
        );
        assert_eq!(
            found(&api, &account, "neighborhood=%C4%8Cerno%C5%A1ice").await,
            ["west"]
        );
        for query in [
            "district=Praha",
            "district=praha-z%C3%A1pad",
            "neighborhood=Cernosin",
            "district=%20Praha",
            "district=Praha%205",
        ] {
            assert!(found(&api, &account, query).await.is_empty(), "{query}");
        }
    })
    .await;
}

/// Spec, search 6: district and neighborhood are exact names.
#[tokio::test]
async fn usual_forms_of_a_name_filter_like_the_name() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        save_all(
            &api.db,
            &[
                place("prague", "Praha", "Záběhlice"),
                place("brno", "Brno-město", "Bystrc"),
                place("zdar", "Žďár nad Sázavou", "Stržanov"),
            ],
        )
        .await;
        for (query, id) in [
            ("district=Hlavn%C3%AD%20m%C4%9Bsto%20Praha", "prague"),
            ("district=okres%20Praha", "prague"),
            ("district=Brno", "brno"),
            ("district=Brno%20-%20mesto", "brno"),
            ("district=okres%20Zdar%20nad%20Sazavou", "zdar"),
            // In the normal form NFD, as file names on macOS are.
            (
                "district=Z%CC%8Cd%CC%8Ca%CC%81r%20nad%20Sa%CC%81zavou",
                "zdar",
            ),
            ("neighborhood=Zabehlice", "prague"),
            ("neighborhood=Za%CC%81be%CC%8Chlice", "prague"),
            (
                "neighborhood=Praha%2010%20-%20Z%C3%A1b%C4%9Bhlice",
                "prague",
            ),
            ("neighborhood=Brno-Bystrc", "brno"),
        ] {
            assert_eq!(found(&api, &account, query).await, [id], "{query}");
        }
    })
    .await;
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, search 7: minimum and maximum of price, areas, floor and floors are inclusive.
/// Spec, Silent 14: a record without a filtered field does not match.
#[tokio::test]
async fn bounds_are_inclusive_and_a_missing_value_never_matches() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let offer = TestOffer::new("known").with(|facts| {
            facts.price_total = Some(4_999_999.5);
            facts.living_area = Some(54.3);
            facts.land_area = Some(0.1);
            facts.floor = Some(-1);
            facts.floor_count = Some(8);
        });
        let silent = TestOffer::new("silent").with(|facts| *facts = schema::Attributes::default());
        save_all(&api.db, &[offer, silent]).await;
        for (name, value, below, above) in [
            ("price", "4999999.5", "4999999.4", "4999999.6"),
            ("livingArea", "54.3", "54.29999", "54.30001"),
            ("landArea", "0.1", "0.0999999999", "0.1000000001"),
            ("floor", "-1", "-1.5", "-0.5"),
            ("floorCount", "8", "7.99", "8.01"),
        ] {
            let both = format!("{name}Min={value}&{name}Max={value}");
            for query in [
                both,
                format!("{name}Min={below}"),
                format!("{name}Max={above}"),
            ] {
                assert_eq!(found(&api, &account, &query).await, ["known"], "{query}");
            }
            for query in [format!("{name}Min={above}"), format!("{name}Max={below}")] {
                assert!(found(&api, &account, &query).await.is_empty(), "{query}");
            }
        }
    })
    .await;
}

/// Spec, Offer 10: isLive is false only in searches with includeInactive and in details.
/// Spec, search 1: only live listings are returned unless includeInactive is true.
/// Spec, search 11: includeInactive is false unless sent, and needs a plan with history.
/// Spec, Limits 9: includeInactive reaches 3 or 6 months back by plan, and so does the detail.
/// Spec, Silent 25: months of history are calendar months; a record expires with its last live link.
#[tokio::test]
async fn expired_listings_are_found_only_on_request_and_inside_the_window() {
    on_each(async |api| {
        let (pro, investor) = (
            api.account(Plan::Pro).await,
            api.account(Plan::Investor).await,
        );
        save_all(
            &api.db,
            &[
                TestOffer::new("live"),
                TestOffer::new("edge").expired_at("2026-04-15T12:00:00Z"),
                TestOffer::new("past").expired_at("2026-04-15T11:59:59Z"),
                TestOffer::new("half-a-year").expired_at("2026-01-15T12:00:00Z"),
                TestOffer::new("long-ago").expired_at("2026-01-15T11:59:59Z"),
            ],
        )
        .await;
        assert_eq!(found(&api, &pro, "").await, ["live"]);
        assert_eq!(found(&api, &pro, "includeInactive=false").await, ["live"]);
        assert_eq!(
            found(&api, &pro, "includeInactive=true").await,
            ["edge", "live"]
        );
        assert_eq!(
            found(&api, &investor, "includeInactive=true").await,
            ["half-a-year", "past", "edge", "live"]
        );
        let answer = api.get_as(&pro, "/v1/offers?includeInactive=true").await;
        assert_eq!(answer.body["data"][0]["isLive"], false);
    })
    .await;
}

/// Spec, Purpose 6: access needs a token; each plan has a quota and a depth of history.
/// Spec, search 18: 403 if the request needs a higher plan.
/// Spec, Authentication 7: what needs a higher plan is 403 plan-limit-exceeded.
/// Spec, Errors 9: plan-limit-exceeded is 403: the request needs a higher plan.
/// Spec, Limits 9: includeInactive reaches 3 or 6 months back by plan, and so does the detail.
#[tokio::test]
async fn history_needs_a_plan_with_history() {
    on_each(async |api| {
        for plan in [Plan::Free, Plan::Basic] {
            let account = api.account(plan).await;
            let answer = api
                .get_as(&account, "/v1/offers?includeInactive=true")
                .await;
            assert_eq!((answer.status, answer.code()), (403, "plan-limit-exceeded"));
            assert!(
                answer.message().contains("Investor"),
                "{}",
                answer.message()
            );
            // An invalid query is an error for every plan.
            let answer = api
                .get_as(&account, "/v1/offers?includeInactive=true&limit=0")
                .await;
            assert_eq!((answer.status, answer.faulty()), (400, vec!["limit"]));
        }
    })
    .await;
}

/// Spec, Pagination 1: limit is the page size in effect.
/// Spec, Pagination 2: count is the number of items on this page.
/// Spec, Pagination 3: hasMore is false on the last page.
/// Spec, search 12: limit is a whole number from 1 to 50, 25 unless sent.
/// Spec, Limits 6: page size: 25 unless sent, 1 to 50.
#[tokio::test]
async fn a_page_has_the_requested_size() {
    on_each(async |api| {
        let account = api.account(Plan::Basic).await;
        let offers: Vec<TestOffer> = (0..60)
            .map(|number| TestOffer::new(&format!("offer-{number:02}")))
            .collect();
        save_all(&api.db, &offers).await;
        for (query, limit) in [("", 25), ("?limit=1", 1), ("?limit=50", 50)] {
            let answer = api.get_as(&account, &format!("/v1/offers{query}")).await;
            let pagination = &answer.body["pagination"];
            assert_eq!(
                (
                    answer.ids().len(),
                    &pagination["limit"],
                    &pagination["count"]
                ),
                (limit, &json!(limit), &json!(limit))
            );
            assert_eq!(pagination["hasMore"], true);
            assert!(answer.next_cursor().is_some());
        }
        // A page that is exactly full is the last one.
        let offers: Vec<TestOffer> = (0..50)
            .map(|number| {
                TestOffer::new(&format!("rent-{number:02}"))
                    .with(|facts| facts.offer_type = Some(OfferType::Rent))
            })
            .collect();
        save_all(&api.db, &offers).await;
        let answer = api
            .get_as(&account, "/v1/offers?offerType=rent&limit=50")
            .await;
        assert_eq!((answer.ids().len(), answer.next_cursor()), (50, None));
        assert_eq!(answer.body["pagination"]["hasMore"], false);
    })
    .await;
}

#[tokio::test]
async fn pages_are_complete_and_correct_while_offers_change() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let priced = |number: usize, price: f64| {
            TestOffer::new(&format!("offer-{number}")).with(|facts| facts.price_total = Some(price))
        };
        save_all(
            &api.db,
            &(0..12)
                .map(|number| priced(number, 2.0))
                .collect::<Vec<_>>(),
        )
        .await;
        let db = api.db.clone();
        let writer = tokio::spawn(async move {
            for round in 0..60_u8 {
                for number in 0..12 {
                    save(
                        &db,
                        priced(number, f64::from(1 + (round + number as u8) % 2)),
                    )
                    .await;
                }
            }
        });
        while !writer.is_finished() {
            let answer = api.get_as(&account, "/v1/offers?priceMin=2&limit=5").await;
            if answer.status == 429 {
                break;
            }
            let data = answer.body["data"].as_array().unwrap();
            assert_eq!(
                answer.body["pagination"]["count"].as_u64(),
                Some(data.len() as u64)
            );
            assert!(
                data.iter().all(|offer| offer["priceTotal"] == 2),
                "{data:?}"
            );
        }
        writer.await.unwrap();
        assert_eq!(
            found(&api, &api.account(Plan::Pro).await, "priceMin=2")
                .await
                .len(),
            6
        );
    })
    .await;
}
