//! GET /v1/offers around a position or an address.

use schema::{Location, Plan};

use crate::support::{Account, TestApi, TestOffer, on_each, save, save_all};

async fn found(api: &TestApi, account: &Account, query: &str) -> Vec<String> {
    let answer = api.get_as(account, &format!("/v1/offers?{query}")).await;
    answer.ids().into_iter().map(str::to_owned).collect()
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, Offer 11: location is a position, or null if no portal gave one.
/// Spec, search 10: radiusMeters is in metres around the centre, 2000 by default.
/// Spec, Limits 7: the search radius is 2000 m unless sent.
#[tokio::test]
async fn the_default_radius_is_two_kilometres_and_offers_without_a_position_never_match() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        // 0.009 degrees of latitude are one kilometre.
        let north = |id: &str, metres: f64| {
            TestOffer::new(id).with(move |facts| {
                facts.location = Some(Location {
                    lat: 50.0 + metres / 111_195.08,
                    lng: 15.0,
                });
            })
        };
        let nowhere = TestOffer::new("nowhere").with(|facts| facts.location = None);
        save_all(
            &api.db,
            &[
                nowhere,
                north("far", 2001.0),
                north("near", 1999.0),
                north("here", 0.0),
            ],
        )
        .await;
        assert_eq!(
            found(&api, &account, "lat=50&lng=15").await,
            ["here", "near"]
        );
        assert_eq!(
            found(&api, &account, "lat=50&lng=15&radiusMeters=2002").await,
            ["here", "near", "far"]
        );
        assert_eq!(
            found(&api, &account, "lat=50&lng=15&radiusMeters=1").await,
            ["here"]
        );
        assert_eq!(
            found(&api, &account, "lat=50&lng=15&radiusMeters=100000")
                .await
                .len(),
            3
        );
        assert!(found(&api, &account, "lat=-90&lng=180").await.is_empty());
    })
    .await;
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, search 9: address is geocoded to a centre, and used instead of lat and lng.
#[tokio::test]
async fn an_address_is_located() {
    support::on_each_database(async |db| {
        let brno = |id: &str, street: &str, lat: f64, lng: f64| {
            let street = street.to_owned();
            TestOffer::new(id).with(move |facts| {
                facts.city = Some("Brno".to_owned());
                facts.district = Some("Brno-město".to_owned());
                facts.street = Some(street);
                facts.location = Some(Location { lat, lng });
            })
        };
        save_all(
            &db,
            &[
                brno("stromovka", "Vymyšlená", 49.1951, 16.6068),
                TestOffer::new("praha"),
            ],
        )
        .await;
        let api = TestApi::start(db, |_| ()).await;
        let account = api.account(Plan::Pro).await;
        assert_eq!(
            found(
                &api,
                &account,
                "address=Vymy%C5%A1len%C3%A1,%20Brno&radiusMeters=500"
            )
            .await,
            ["stromovka"]
        );
        assert_eq!(
            found(&api, &account, "address=vymyslena+brno&radiusMeters=500").await,
            ["stromovka"]
        );
        assert_eq!(
            found(&api, &account, "address=Praha&radiusMeters=20000").await,
            ["praha"]
        );
    })
    .await;
}

/// Spec, Silent 12: an address that is not found is 400 and says what was understood.
#[tokio::test]
async fn an_address_not_found_is_an_error_that_says_what_was_understood() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for query in [
            "address=Qwxzkj%20Vbnmpl",
            "address=%20",
            "address=%F0%9F%8F%A0",
        ] {
            let answer = api.get_as(&account, &format!("/v1/offers?{query}")).await;
            assert_eq!(
                (answer.status, answer.faulty()),
                (400, vec!["address"]),
                "{query}"
            );
            assert!(!answer.fault("address").is_empty());
        }
    })
    .await;
}

/// Spec, Silent 13: an address that fits several places means the most important one where it is clearly that; otherwise, and for contradicting parts, a number alone or a far misspelling, it is 400 with the candidates.
#[tokio::test]
async fn an_ambiguous_address_means_the_most_important_place() {
    support::on_each_database(async |db| {
        let street = |id: &str, city: &str, district: &str, lat: f64, lng: f64| {
            let (city, district) = (city.to_owned(), district.to_owned());
            TestOffer::new(id).with(move |facts| {
                facts.city = Some(city);
                facts.district = Some(district);
                facts.street = Some("Vymyšlená".to_owned());
                facts.location = Some(Location { lat, lng });
            })
        };
        let small = street("small", "Letovice", "Blansko", 49.5471, 16.5735);
        save_all(
            &db,
            &[
                small,
                street("large", "Brno", "Brno-město", 49.1951, 16.6068),
            ],
        )
        .await;
        let api = TestApi::start(db, |_| ()).await;
        let account = api.account(Plan::Pro).await;
        assert_eq!(
            found(&api, &account, "address=Vymy%C5%A1len%C3%A1").await,
            ["large"]
        );
        assert_eq!(
            found(&api, &account, "address=Vymy%C5%A1len%C3%A1,+Letovice").await,
            ["small"]
        );
    })
    .await;
}

/// A live flat at an address.
fn flat(id: &str, city: &str, district: &str, street: Option<&str>, at: (f64, f64)) -> TestOffer {
    let (city, district) = (city.to_owned(), district.to_owned());
    let street = street.map(str::to_owned);
    TestOffer::new(id).with(move |facts| {
        facts.city = Some(city);
        facts.district = Some(district);
        facts.street = street;
        facts.location = Some(Location {
            lat: at.0,
            lng: at.1,
        });
    })
}

/// Spec, Silent 12: an address that is not found is 400 and says what was understood.
/// Spec, Silent 13: an address that fits several places means the most important one where it is clearly that; otherwise, and for contradicting parts, a number alone or a far misspelling, it is 400 with the candidates.
#[tokio::test]
async fn an_address_that_no_place_is_meant_by_is_400_with_the_candidates() {
    support::on_each_database(async |db| {
        let street = |id: &str, name: &str| {
            flat(id, "Ostrava", "Ostrava-město", Some(name), (49.835, 18.20))
        };
        let lhota = |id: &str, district: &str, lat: f64, lng: f64| {
            flat(id, "Lhota", district, None, (lat, lng))
        };
        save_all(
            &db,
            &[
                street("madarska", "Maďarská"),
                street("nadrazni", "Nádražní"),
                lhota("zlin", "Zlín", 49.15, 17.65),
                lhota("kladno", "Kladno", 50.24, 14.67),
            ],
        )
        .await;
        let api = TestApi::start(db, |_| ()).await;
        let account = api.account(Plan::Pro).await;
        for (address, candidates) in [
            ("Makarska", &["Maďarská, Ostrava"][..]),
            ("12345", &["Praha"]),
            (
                "Brno Praha",
                &["Brno, okres Brno-město", "Praha, okres Praha"],
            ),
            ("Lhota", &["Lhota, okres Zlín", "Lhota, okres Kladno"]),
        ] {
            let path = format!("/v1/offers?address={}", address.replace(' ', "+"));
            let answer = api.get_as(&account, &path).await;
            assert_eq!(
                (answer.status, answer.faulty()),
                (400, vec!["address"]),
                "{address}"
            );
            for candidate in candidates {
                let fault = answer.fault("address");
                let (_, named) = fault.split_once("candidates: ").unwrap_or_default();
                assert!(named.contains(candidate), "{address}: {fault}");
            }
            assert_eq!(answer.header("x-address-centre"), "", "{address}");
        }
        assert_eq!(
            found(&api, &account, "address=Lhota,+okres+Zl%C3%ADn").await,
            ["zlin"]
        );
    })
    .await;
}

#[tokio::test]
async fn the_answer_says_which_place_was_used() {
    support::on_each_database(async |db| {
        let place = (49.835, 18.20);
        let offers =
            ["a", "b"].map(|id| flat(id, "Ostrava", "Ostrava-město", Some("Maďarská"), place));
        save_all(&db, &offers).await;
        let api = TestApi::start(db, |_| ()).await;
        let account = api.account(Plan::Pro).await;
        let headers = |answer: &crate::support::Answer| {
            ["place", "level", "fit", "centre"]
                .map(|name| answer.header(&format!("x-address-{name}")).to_owned())
        };
        let search = "/v1/offers?address=Madarska,+Ostrava&limit=1";
        let first = api.get_as(&account, search).await;
        let expected = [
            "Ma%C4%8Farsk%C3%A1, Ostrava, okres Ostrava-m%C4%9Bsto, Moravskoslezsk%C3%BD kraj",
            "street",
            "1.00",
            "49.835000,18.200000",
        ];
        assert_eq!(headers(&first), expected);
        let next = format!("{search}&cursor={}", first.next_cursor().unwrap());
        assert_eq!(headers(&api.get_as(&account, &next).await), expected);
        let etag = first.header("etag").to_owned();
        let again = api
            .request(reqwest::Method::GET, search)
            .bearer_auth(&account.token)
            .header("If-None-Match", etag);
        let again = api.send(search, again).await;
        assert_eq!(
            (again.status, headers(&again)),
            (304, expected.map(str::to_owned))
        );
        let misspelt = api
            .get_as(&account, "/v1/offers?address=Makarska,+Ostrava")
            .await;
        assert_eq!(misspelt.header("x-address-level"), "street");
        let fit: f64 = misspelt.header("x-address-fit").parse().unwrap();
        assert!((0.9..1.0).contains(&fit), "{fit}");
        let without = api.get_as(&account, "/v1/offers?lat=50&lng=14").await;
        assert_eq!(headers(&without), ["", "", "", ""]);
    })
    .await;
}

#[tokio::test]
async fn a_street_that_only_listings_name_is_found_beside_those_of_the_registry() {
    support::on_each_database(async |db| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jeden.gazetteer");
        let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ruian");
        let tables = ["20260630_OB_599901_ADR.csv", "UI_OBEC.csv"].map(|name| fixtures.join(name));
        gazetteer::registry::import(&tables, &file, &|_| ()).unwrap();
        let new = flat(
            "new",
            "Kvíčalov",
            "Pelhřimov",
            Some("Nová kolonie"),
            (49.52, 15.2),
        );
        save_all(&db, &[new]).await;
        let api = TestApi::start(db, |config| config.gazetteer = Some(file)).await;
        let account = api.account(Plan::Pro).await;
        let answer = api
            .get_as(&account, "/v1/offers?address=Nova+kolonie+3,+Kvicalov")
            .await;
        assert_eq!(answer.ids(), ["new"]);
        assert_eq!(answer.header("x-address-centre"), "49.520000,15.200000");
        assert_eq!(answer.header("x-address-level"), "street");
        let registered = api
            .get_as(&account, "/v1/offers?address=nam.+Miru+1,+Kvicalov")
            .await;
        assert_eq!(registered.header("x-address-level"), "address");
    })
    .await;
}

#[tokio::test]
async fn the_outside_geocoder_is_asked_only_if_the_gazetteer_knows_nothing() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db, |config| {
            config.outside_geocoder = Some(std::sync::Arc::new(|text: String| {
                let known = text.starts_with("Qwxzkj");
                Box::pin(async move {
                    known.then_some(Location {
                        lat: 50.0755,
                        lng: 14.4378,
                    })
                })
            }));
        })
        .await;
        let account = api.account(Plan::Pro).await;
        save(&api.db, TestOffer::new("praha")).await;
        assert_eq!(found(&api, &account, "address=Qwxzkj").await, ["praha"]);
        assert_eq!(
            api.get_as(&account, "/v1/offers?address=Zzvbnm")
                .await
                .status,
            400
        );
        assert!(found(&api, &account, "address=Brno").await.is_empty());
        let outside = api.get_as(&account, "/v1/offers?address=Qwxzkj").await;
        assert_eq!(outside.header("x-address-centre"), "50.075500,14.437800");
        assert_eq!(outside.header("x-address-place"), "");
    })
    .await;
}
