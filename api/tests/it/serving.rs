//! Connections: HTTP/2, malformed requests, graceful shutdown.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use schema::{Location, Plan};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};

use crate::support::{TestApi, on_each};

async fn raw(api: &TestApi, request: &str) -> String {
    let mut stream = TcpStream::connect(api.url.trim_start_matches("http://"))
        .await
        .unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn http_2_is_supported() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let client = support::http_client_builder()
            .http2_prior_knowledge()
            .build()
            .unwrap();
        let request = client
            .get(format!("{}/v1/me", api.url))
            .bearer_auth(&account.token);
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.version(), response.status().as_u16()),
            (reqwest::Version::HTTP_2, 200)
        );
    })
    .await;
}

#[tokio::test]
async fn http_2_answers_head_without_a_body() {
    on_each(async |api| {
        let client = support::http_client_builder()
            .http2_prior_knowledge()
            .build()
            .unwrap();
        for encoding in ["gzip", "identity"] {
            let request = client
                .head(format!("{}/openapi.json", api.url))
                .header("Accept-Encoding", encoding);
            let response = request.send().await.unwrap();
            assert_eq!(response.status().as_u16(), 200, "{encoding}");
            assert!(response.bytes().await.unwrap().is_empty(), "{encoding}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_path_with_broken_bytes_is_an_unknown_path() {
    on_each(async |api| {
        let answer = raw(
            &api,
            "GET /v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        )
        .await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
        assert!(answer.contains("\"not-found\""), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn requests_that_are_not_http_are_refused_and_the_service_continues() {
    on_each(async |api| {
        let answer = raw(&api, "nonsense\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert_eq!(api.get("/health").await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn after_a_shutdown_open_connections_end_and_new_ones_are_refused() {
    on_each(async |mut api| {
        assert_eq!(api.get("/health").await.status, 200);
        api.stop();
        api.serving.take().unwrap().await.unwrap().unwrap();
        assert!(
            TcpStream::connect(api.url.trim_start_matches("http://"))
                .await
                .is_err()
        );
    })
    .await;
}

#[tokio::test]
async fn a_request_in_flight_is_answered_during_a_shutdown() {
    support::on_each_database(async |db| {
        let (asked, mut was_asked) = mpsc::unbounded_channel();
        let answer = Arc::new(Notify::new());
        let mut api = TestApi::start(db, |config| {
            let answer = Arc::clone(&answer);
            config.outside_geocoder = Some(Arc::new(move |_| {
                asked.send(()).unwrap();
                let answer = Arc::clone(&answer);
                Box::pin(async move {
                    answer.notified().await;
                    Some(Location {
                        lat: 50.0755,
                        lng: 14.4378,
                    })
                })
            }));
        })
        .await;
        let account = api.account(Plan::Pro).await;
        let request = api
            .request(Method::GET, "/v1/offers?address=Qwxzkj")
            .bearer_auth(&account.token);
        let in_flight = tokio::spawn(request.send());
        was_asked.recv().await.unwrap();
        api.stop();
        while TcpStream::connect(api.url.trim_start_matches("http://"))
            .await
            .is_ok()
        {
            tokio::task::yield_now().await;
        }
        answer.notify_one();
        assert_eq!(in_flight.await.unwrap().unwrap().status().as_u16(), 200);
        api.serving.take().unwrap().await.unwrap().unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_unfinished_connection_does_not_delay_the_shutdown() {
    support::on_each_database(async |db| {
        let mut api = TestApi::start(db, |config| {
            config.drain_timeout = Duration::from_millis(50);
        })
        .await;
        let mut stream = TcpStream::connect(api.url.trim_start_matches("http://"))
            .await
            .unwrap();
        stream
            .write_all(b"GET /health HTTP/1.1\r\nHost:")
            .await
            .unwrap();
        assert_eq!(api.get("/health").await.status, 200);
        api.stop();
        api.serving.take().unwrap().await.unwrap().unwrap();
    })
    .await;
}
