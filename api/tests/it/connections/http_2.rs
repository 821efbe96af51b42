//! Harmful use of HTTP/2.

use tokio::io::AsyncWriteExt;

use super::{SOON, api, connect, rest};

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// The start of a connection with settings, each an identifier and a value.
fn preface(settings: &[(u16, u32)]) -> Vec<u8> {
    let settings = settings.iter().flat_map(|(name, value)| {
        name.to_be_bytes()
            .into_iter()
            .chain(value.to_be_bytes())
            .collect::<Vec<u8>>()
    });
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &settings.collect::<Vec<u8>>()));
    bytes
}

/// A complete request without a body: GET (2 of HPACK's static table), http (6), the path (a literal with name 4), and an
/// authority (a literal with name 1).
fn get(stream: u32, path: &str) -> Vec<u8> {
    let mut block = vec![0x82, 0x86, 0x04, path.len() as u8];
    block.extend(path.as_bytes());
    block.extend([0x01, 1, b'x']);
    frame(HEADERS, 0x4 | 0x1, stream, &block)
}

/// The received frames: kind, stream, payload.
fn frames(mut bytes: &[u8]) -> Vec<(u8, u32, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(9) {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let Some((payload, rest)) = rest.split_at_checked(length) else {
            break;
        };
        frames.push((head[3], stream, payload.to_vec()));
        bytes = rest;
    }
    frames
}

#[tokio::test]
async fn an_idle_http_2_connection_gets_goaway() {
    let (api, _database) = api(|config| config.connections.idle_timeout = SOON).await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[])).await.unwrap();
    stream.write_all(&get(1, "/health")).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    assert!(
        frames
            .iter()
            .any(|(kind, stream, _)| (*kind, *stream) == (HEADERS, 1)),
        "it is answered: {frames:?}"
    );
    assert!(
        frames.iter().any(|(kind, ..)| *kind == GOAWAY),
        "{frames:?}"
    );
}

#[tokio::test]
async fn an_http_2_client_that_accepts_no_data_is_disconnected() {
    let (api, _database) = api(|config| config.connections.answer_timeout = SOON).await;
    let mut stream = connect(&api).await;
    // The window of every stream is zero.
    stream.write_all(&preface(&[(0x4, 0)])).await.unwrap();
    stream.write_all(&get(1, "/openapi.json")).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    assert!(
        frames.iter().any(|(kind, ..)| *kind == HEADERS),
        "{frames:?}"
    );
    assert!(frames.iter().all(|(kind, ..)| *kind != DATA), "{frames:?}");
}

#[tokio::test]
async fn no_more_work_is_done_for_an_http_2_client_that_reads_nothing() {
    let (api, _database) = api(|config| {
        config.connections.answers = 2;
        config.connections.answer_timeout = SOON * 5;
    })
    .await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[(0x4, 0)])).await.unwrap();
    for request in 0..10 {
        stream
            .write_all(&get(2 * request + 1, "/openapi.json"))
            .await
            .unwrap();
    }
    let frames = frames(&rest(&mut stream).await);
    assert_eq!(
        frames.iter().filter(|(kind, ..)| *kind == HEADERS).count(),
        2
    );
}

#[tokio::test]
async fn http_2_streams_are_bounded_and_the_client_is_told() {
    let (api, _database) = api(|config| {
        config.connections.streams = 7;
        config.connections.idle_timeout = SOON;
    })
    .await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[])).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    let (_, _, settings) = frames.iter().find(|(kind, ..)| *kind == SETTINGS).unwrap();
    let told = settings
        .chunks(6)
        .any(|setting| setting == [0, 3, 0, 0, 0, 7]);
    assert!(told, "{settings:?}");
}

#[tokio::test]
async fn immediately_cancelled_requests_end_the_connection() {
    let (api, _database) = api(|_| ()).await;
    let mut stream = connect(&api).await;
    let mut flood = preface(&[]);
    for request in 0..2_000 {
        flood.extend(get(2 * request + 1, "/health"));
        flood.extend(frame(RST_STREAM, 0, 2 * request + 1, &8_u32.to_be_bytes()));
    }
    // The connection may close before everything is sent.
    let _sent = stream.write_all(&flood).await;
    let frames = frames(&rest(&mut stream).await);
    let (_, _, goaway) = frames
        .iter()
        .find(|(kind, ..)| *kind == GOAWAY)
        .expect("a GOAWAY frame");
    let enhance_your_calm = 11_u32.to_be_bytes();
    assert_eq!(goaway[4..8], enhance_your_calm, "{goaway:?}");
    assert_eq!(api.get("/health").await.status, 200);
}
