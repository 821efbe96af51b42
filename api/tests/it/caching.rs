//! `ETag`, `Cache-Control`, `Vary` and compression.

use std::io::Read;

use reqwest::Method;
use schema::Plan;

use crate::support::{Account, Answer, TestApi, TestOffer, on_each, save, save_all};

async fn get(api: &TestApi, account: &Account, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = api.request(Method::GET, path).bearer_auth(&account.token);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    api.send(path, request).await
}

/// Spec, Silent 24: 200s carry an `ETag`; `If-None-Match` gets 304.
#[tokio::test]
async fn a_body_that_the_client_has_is_not_sent_again() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save(&api.db, TestOffer::new("flat")).await;
        for path in ["/v1/offers", "/v1/offers/flat", "/openapi.json"] {
            let first = get(&api, &account, path, &[]).await;
            let etag = first.header("etag");
            assert!(etag.starts_with('"') && etag.len() > 10, "{path}: {etag}");
            let again = get(&api, &account, path, &[("If-None-Match", etag)]).await;
            assert_eq!(
                (again.status, again.bytes.len(), again.header("etag")),
                (304, 0, etag),
                "{path}"
            );
            assert_eq!(again.header("cache-control"), first.header("cache-control"));
            let other = get(&api, &account, path, &[("If-None-Match", "\"other\"")]).await;
            assert_eq!(other.status, 200, "{path}");
        }
        let etag = get(&api, &account, "/v1/offers", &[])
            .await
            .header("etag")
            .to_owned();
        save(&api.db, TestOffer::new("another")).await;
        assert_eq!(
            get(&api, &account, "/v1/offers", &[("If-None-Match", &etag)])
                .await
                .status,
            200
        );
    })
    .await;
}

#[tokio::test]
async fn v1_answers_stay_out_of_shared_caches() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        for path in [
            "/v1/offers",
            "/v1/me",
            "/v1/offers/nowhere",
            "/v1/offers?x=1",
        ] {
            let answer = get(&api, &account, path, &[]).await;
            assert_eq!(
                answer.header("cache-control"),
                "private, no-cache",
                "{path}"
            );
            assert!(
                answer.header("vary").contains("X-Api-Key"),
                "{path}: {}",
                answer.header("vary")
            );
        }
        assert_eq!(
            api.get("/openapi.json").await.header("cache-control"),
            "public, max-age=300"
        );
    })
    .await;
}

/// Spec, Authentication 2: it is sent as Authorization: Bearer, as X-Api-Key, or as ?token=.
#[tokio::test]
async fn every_answer_to_a_token_in_the_query_is_uncached_and_advises_rotation() {
    on_each(async |api| {
        let (account, free) = (api.account(Plan::Pro).await, api.account(Plan::Free).await);
        save(&api.db, TestOffer::new("flat")).await;
        let etag = api
            .get_as(&account, "/v1/offers/flat")
            .await
            .header("etag")
            .to_owned();
        let long = format!("/v1/offers?address={}&", "x".repeat(9000));
        let (plain, held, large) = (
            Vec::new(),
            [("If-None-Match", etag.as_str())],
            vec![b'x'; 20_000],
        );
        for (status, path, token, headers, body) in [
            (200, "/v1/offers?", &account.token, &[][..], &plain),
            (304, "/v1/offers/flat?", &account.token, &held[..], &plain),
            (400, "/v1/offers?limit=0&", &account.token, &[], &plain),
            (401, "/v1/me?", &"nonsense".to_owned(), &[], &plain),
            (
                403,
                "/v1/offers?includeInactive=true&",
                &free.token,
                &[],
                &plain,
            ),
            (404, "/v1/nowhere?", &account.token, &[], &plain),
            (413, "/v1/me?", &account.token, &[], &large),
            (414, long.as_str(), &account.token, &[], &plain),
            // No other path accepts a token, but their URLs contain it.
            (400, "/health?", &account.token, &[], &plain),
            (400, "/openapi.json?", &account.token, &[], &plain),
            (404, "/nowhere?x=1&", &account.token, &[], &plain),
            (404, "/v1?", &account.token, &[], &plain),
            (400, "/v1/me?token=&", &account.token, &[], &plain),
            (
                401,
                "/v1/me?%74oken=%zz&",
                &"nonsense".to_owned(),
                &[],
                &plain,
            ),
        ] {
            let path = format!("{path}token={token}");
            let mut request = api.request(Method::GET, &path).body(body.clone());
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let answer = api.send(&path, request).await;
            assert_eq!(
                (answer.status, answer.header("cache-control")),
                (status, "no-store")
            );
            assert!(
                answer.header("x-token-advice").contains("rotate"),
                "{status}"
            );
        }
    })
    .await;
}

/// The same for failures of the service and for methods that are not allowed.
#[tokio::test]
async fn errors_for_a_token_in_the_query_are_not_cached() {
    support::on_each_database(async |db| {
        let api = TestApi::start(db.clone(), |config| {
            config.search_timeout = std::time::Duration::ZERO;
        })
        .await;
        let spent = api.account(Plan::Free).await;
        for _ in 0..10 {
            api.get_as(&spent, "/v1/offers/none").await;
        }
        let ask = async |method: Method, path: &str| {
            let path = format!("{path}?token={}", spent.token);
            let answer =
                Answer::from_response(api.request(method, &path).send().await.unwrap()).await;
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert!(answer.header("x-token-advice").contains("rotate"), "{path}");
            answer.status
        };
        assert_eq!(ask(Method::GET, "/v1/offers").await, 429);
        assert_eq!(ask(Method::HEAD, "/v1/offers/none").await, 429);
        assert_eq!(ask(Method::POST, "/v1/offers").await, 405);
        assert_eq!(ask(Method::POST, "/health").await, 405);
        api.set_clock("2026-08-01T00:00:00Z");
        assert_eq!(ask(Method::GET, "/v1/offers").await, 504);
        db.close().await;
        assert_eq!(ask(Method::GET, "/v1/me").await, 500);
        assert_eq!(ask(Method::GET, "/health").await, 400);
    })
    .await;
}

#[tokio::test]
async fn an_answer_to_a_token_under_another_name_or_in_the_path_is_not_cached() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let token = &account.token;
        for path in [
            format!("/v1/offers?Token={token}"),
            format!("/v1/offers?address=x;token={token}"),
            format!("/v1/offers/{token}"),
            format!("/{token}"),
            format!("/openapi.json?{token}"),
        ] {
            let answer = api.get_as(&account, &path).await;
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert!(answer.header("x-token-advice").contains("rotate"), "{path}");
            assert!(
                !String::from_utf8_lossy(&answer.bytes).contains(&token[4..]),
                "{path}"
            );
        }
        assert_eq!(
            api.get_as(&account, "/v1/offers?address=x")
                .await
                .header("x-token-advice"),
            ""
        );
    })
    .await;
}

/// Any cache may store statuses such as 404 and 405 unless told otherwise (RFC 9110, 15.1).
#[tokio::test]
async fn no_error_is_stored_by_a_shared_cache() {
    on_each(async |api| {
        for (path, method) in [
            ("/nowhere", Method::GET),
            ("/v1", Method::GET),
            ("/health?x=1", Method::GET),
            ("/openapi.json?x=1", Method::GET),
            ("/openapi.json", Method::POST),
            ("/v1/me", Method::GET),
            ("/v1/nowhere", Method::GET),
            ("/v1/offers", Method::DELETE),
        ] {
            let answer =
                Answer::from_response(api.request(method.clone(), path).send().await.unwrap())
                    .await;
            assert!(answer.status >= 400, "{method} {path}");
            let control = answer.header("cache-control");
            assert!(
                ["no-store", "private, no-cache"].contains(&control),
                "{method} {path}: {control:?}"
            );
        }
    })
    .await;
}

/// The headers of the 200 that a 304 must repeat (RFC 9110, 15.4.5), so that a cached answer stays private.
#[tokio::test]
async fn a_304_has_the_cache_headers_of_the_200() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let offers: Vec<TestOffer> = (0..30)
            .map(|number| TestOffer::new(&format!("offer-{number}")))
            .collect();
        save_all(&api.db, &offers).await;
        for path in [
            "/v1/offers",
            "/v1/offers/offer-1",
            "/v1/me",
            "/openapi.json",
        ] {
            for accepted in ["identity", "gzip"] {
                let whole = get(&api, &account, path, &[("Accept-Encoding", accepted)]).await;
                let held = [
                    ("Accept-Encoding", accepted),
                    ("If-None-Match", whole.header("etag")),
                ];
                let held = get(&api, &account, path, &held).await;
                assert_eq!((whole.status, held.status), (200, 304), "{path}");
                for name in ["etag", "cache-control"] {
                    assert_eq!(held.header(name), whole.header(name), "{path} {name}");
                }
                let varies = |answer: &Answer, on: &str| {
                    let listed = answer
                        .headers
                        .get_all("vary")
                        .iter()
                        .flat_map(|value| value.to_str().unwrap().split(", "));
                    listed
                        .filter(|listed| listed.eq_ignore_ascii_case(on))
                        .count()
                };
                for on in ["Authorization", "X-Api-Key", "Accept-Encoding"] {
                    assert!(varies(&held, on) >= varies(&whole, on), "{path} {on}");
                }
                for header in ["date", "x-request-id", "x-ratelimit-remaining"] {
                    assert!(held.headers.contains_key(header), "{path} {header}");
                }
                assert!(!held.headers.contains_key("content-encoding"), "{path}");
            }
        }
    })
    .await;
}

/// The compressed length reveals a secret if the attacker chooses what is compressed with it (BREACH). So no answer may
/// contain both: no answer repeats a token, and the only one with parts of a token is too small to be compressed.
#[tokio::test]
async fn no_compressed_answer_contains_both_a_secret_and_parts_of_the_request() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let all = [("Accept-Encoding", "gzip, br, zstd")];
        let me = get(&api, &account, "/v1/me", &all).await;
        assert_eq!((me.status, me.header("content-encoding")), (200, ""));
        // It would stay too small with the longest numbers and names.
        assert!(me.bytes.len() + 100 < 1024, "{}", me.bytes.len());
        let refused = get(&api, &account, "/v1/me?chosen=1", &all).await;
        assert_eq!(
            (refused.status, refused.header("content-encoding")),
            (400, "")
        );
        let chosen = (0..60)
            .map(|number| format!("guess{number}=x"))
            .collect::<Vec<_>>()
            .join("&");
        let path = format!("/v1/offers?token={}&{chosen}", account.token);
        let request = api
            .request(Method::GET, &path)
            .header("Accept-Encoding", "gzip");
        let large = Answer::from_response(request.send().await.unwrap()).await;
        assert_eq!(
            (large.status, large.header("content-encoding")),
            (400, "gzip")
        );
        let text = String::from_utf8(decompress("gzip", &large.bytes)).unwrap();
        assert!(
            text.contains("guess7")
                && !text.contains(&account.token[4..])
                && !text.contains(&account.token_id)
        );
    })
    .await;
}

fn decompress(encoding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match encoding {
        "gzip" => drop(
            flate2::read::GzDecoder::new(bytes)
                .read_to_end(&mut plain)
                .unwrap(),
        ),
        "zstd" => plain = zstd::decode_all(bytes).unwrap(),
        "br" => drop(
            brotli::Decompressor::new(bytes, 4096)
                .read_to_end(&mut plain)
                .unwrap(),
        ),
        _ => panic!("unknown encoding {encoding}"),
    }
    plain
}

/// Spec, Silent 23: answers of a kilobyte and more are compressed by Accept-Encoding.
#[tokio::test]
async fn a_kilobyte_and_more_is_compressed_as_the_client_accepts() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let offers: Vec<TestOffer> = (0..30)
            .map(|number| TestOffer::new(&format!("offer-{number}")))
            .collect();
        save_all(&api.db, &offers).await;
        let plain = get(&api, &account, "/v1/offers", &[]).await;
        assert_eq!(plain.header("content-encoding"), "");
        for (accepted, encoding) in [
            ("gzip", "gzip"),
            ("gzip, br, zstd", "zstd"),
            ("br", "br"),
            ("zstd;q=0.1, gzip;q=0.9", "gzip"),
        ] {
            let answer = get(
                &api,
                &account,
                "/v1/offers",
                &[("Accept-Encoding", accepted)],
            )
            .await;
            assert_eq!(
                (answer.status, answer.header("content-encoding")),
                (200, encoding),
                "{accepted}"
            );
            let vary: Vec<&str> = answer
                .headers
                .get_all("vary")
                .iter()
                .map(|value| value.to_str().unwrap())
                .collect();
            assert!(
                vary.iter()
                    .any(|value| value.eq_ignore_ascii_case("accept-encoding")),
                "{vary:?}"
            );
            assert!(answer.bytes.len() < plain.bytes.len() / 2);
            assert_eq!(
                decompress(encoding, &answer.bytes),
                plain.bytes,
                "{encoding}"
            );
        }
        for refused in ["identity", "deflate", "*;q=0", "identity;q=0"] {
            let answer = get(
                &api,
                &account,
                "/v1/offers",
                &[("Accept-Encoding", refused)],
            )
            .await;
            assert_eq!(
                (answer.status, answer.header("content-encoding")),
                (200, ""),
                "{refused}"
            );
        }
        let small = get(&api, &account, "/v1/me", &[("Accept-Encoding", "gzip")]).await;
        assert_eq!(small.header("content-encoding"), "");
    })
    .await;
}

#[tokio::test]
async fn each_encoding_has_its_own_etag_and_all_of_them_match() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let offers: Vec<TestOffer> = (0..30)
            .map(|number| TestOffer::new(&format!("offer-{number}")))
            .collect();
        save_all(&api.db, &offers).await;
        let plain = get(&api, &account, "/v1/offers", &[])
            .await
            .header("etag")
            .to_owned();
        let gzip = get(&api, &account, "/v1/offers", &[("Accept-Encoding", "gzip")])
            .await
            .header("etag")
            .to_owned();
        assert_ne!(plain, gzip);
        for held in [&plain, &gzip] {
            for accepted in ["gzip", "identity", "zstd"] {
                let headers = [
                    ("Accept-Encoding", accepted),
                    ("If-None-Match", held.as_str()),
                ];
                assert_eq!(
                    get(&api, &account, "/v1/offers", &headers).await.status,
                    304,
                    "{held} {accepted}"
                );
            }
        }
    })
    .await;
}
