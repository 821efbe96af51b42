//! Tests against a running service: JEDEN_URL, JEDEN_TOKEN with a large quota, JEDEN_SMALL_TOKEN with ten requests.

use std::collections::BTreeSet;
use std::env::var;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use jeden_client::{Arrangement, Client, ErrorCode, Filters, OfferType};

fn client() -> Client {
    Client::new(&var("JEDEN_URL").unwrap(), &var("JEDEN_TOKEN").unwrap())
}

#[test]
fn all_pages_have_every_record_once() {
    let client = client();
    let filters = Filters::default();
    let together: Vec<String> = client
        .offers(&filters)
        .map(|offer| offer.unwrap().id)
        .collect();
    let pages: Vec<_> = client.pages(&filters, 7).map(Result::unwrap).collect();
    let ids = pages.iter().flat_map(|page| &page.data);
    assert!(ids.map(|offer| &offer.id).eq(&together));
    assert!(pages.len() > 3);
    assert_eq!(
        together.iter().collect::<BTreeSet<_>>().len(),
        together.len()
    );
}

#[test]
fn filters_are_sent_as_they_are() {
    let filters = Filters {
        offer_type: Some(OfferType::Sale),
        arrangement: Some(Arrangement::Rooms2PlusKk),
        include_inactive: Some(true),
        ..Filters::default()
    };
    let client = client();
    let found: Vec<_> = client.offers(&filters).map(Result::unwrap).collect();
    assert!(!found.is_empty());
    for offer in found {
        assert_eq!(
            (offer.offer_type, offer.arrangement),
            (filters.offer_type.clone(), filters.arrangement.clone())
        );
    }
}

#[test]
fn a_detail_has_links_and_prices() {
    let client = client();
    let first = client
        .offers(&Filters::default())
        .next()
        .unwrap()
        .unwrap();
    let detail = client.offer(&first.id).unwrap();
    assert_eq!(
        (&detail.id, &detail.title, &detail.location),
        (&first.id, &first.title, &first.location)
    );
    assert_eq!(detail.portal_links.len(), detail.price_history.len());
    let usage = client.me().unwrap();
    assert_eq!(
        usage.usage.requests_used + usage.usage.requests_remaining,
        usage.plan.requests_per_month
    );
}

#[test]
fn refusals_have_their_code_and_every_wrong_parameter() {
    let filters = Filters {
        price_min: Some(5.0),
        price_max: Some(3.0),
        ..Filters::default()
    };
    let refused = client().page(&filters, 51, None).unwrap_err();
    let refusal = refused.refusal().unwrap();
    assert_eq!(refusal.code, Some(ErrorCode::InvalidRequest));
    let wrong: BTreeSet<&str> = refusal
        .details
        .iter()
        .map(|detail| detail.path.as_str())
        .collect();
    assert_eq!(wrong, BTreeSet::from(["limit", "priceMax", "priceMin"]));
    let unknown = client().offer("no/such record").unwrap_err();
    assert_eq!(unknown.refusal().unwrap().code, Some(ErrorCode::NotFound));
    let stranger = Client::new(&var("JEDEN_URL").unwrap(), "jdn_wrong").me();
    assert_eq!(stranger.unwrap_err().refusal().unwrap().status, 401);
}

#[test]
fn a_used_up_quota_is_not_waited_for() {
    let small = Client::new(
        &var("JEDEN_URL").unwrap(),
        &var("JEDEN_SMALL_TOKEN").unwrap(),
    );
    let refused = (0..12)
        .find_map(|_| small.page(&Filters::default(), 1, None).err())
        .unwrap();
    let refusal = refused.refusal().unwrap();
    assert_eq!(refusal.code, Some(ErrorCode::QuotaExceeded));
    assert!(refusal.retry_after.is_some());
}

/// A server that answers with these statuses, one after another.
fn serve(statuses: &'static [u16]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for status in statuses {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            let body = r#"{"data":[],"pagination":{"limit":50,"count":0,"hasMore":false,"nextCursor":null}}"#;
            let answer = format!(
                "HTTP/1.1 {status} Status\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    url
}

#[test]
fn a_short_wait_is_waited_out_and_a_long_one_is_an_error() {
    let patient = Client::new(&serve(&[429, 500, 200]), "t");
    let page = patient.page(&Filters::default(), 50, None).unwrap();
    assert!(page.data.is_empty());
    let impatient = Client::new(&serve(&[429, 429, 429]), "t").max_wait(Duration::from_secs(2));
    let refused = impatient.page(&Filters::default(), 50, None).unwrap_err();
    let refusal = refused.refusal().unwrap();
    assert_eq!((refusal.status, &refusal.code), (429, &None));
}
