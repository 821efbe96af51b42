//! What a line may contain.

use ingest::dumps::{parse_line, write_line};
use schema::{
    Crawl, CrawlScope, Observation, OfferType, PropertyType, RawForm, RawListing, Timestamp,
};

use super::{AT, key, of_listing};

#[test]
fn with_a_payload_keeps_its_exact_text() {
    let body = r#"{ "hash_id": 1.50,  "b": [1, 2e0] }"#;
    let text = of_listing(&format!(
        r#""url":"https://example.invalid/1","payload":{body}"#
    ));
    let raw = RawListing {
        form: RawForm::Payload,
        url: Some("https://example.invalid/1".to_owned()),
        body: body.to_owned(),
    };
    assert_eq!(
        parse_line(text.as_bytes()),
        Ok(Some(Observation::Seen {
            key: key(),
            at: AT,
            raw
        }))
    );
}

#[test]
fn may_hold_a_payload_that_is_a_text() {
    let text = of_listing(r#""payload":"<html lang=\"cs\">""#);
    let Ok(Some(Observation::Seen { raw, .. })) = parse_line(text.as_bytes()) else {
        panic!("not read")
    };
    assert_eq!(
        (raw.body.as_str(), raw.url),
        (r#""<html lang=\"cs\">""#, None)
    );
}

#[test]
fn with_a_listing_keeps_its_exact_text() {
    let text = of_listing(r#""url":null,"listing":{"priceTotal": 5e6}"#);
    let raw = RawListing {
        form: RawForm::Listing,
        url: None,
        body: r#"{"priceTotal": 5e6}"#.to_owned(),
    };
    assert_eq!(
        parse_line(text.as_bytes()),
        Ok(Some(Observation::Seen {
            key: key(),
            at: AT,
            raw
        }))
    );
}

#[test]
fn may_say_that_a_listing_is_gone() {
    let text = of_listing(r#""gone":true"#);
    assert_eq!(
        parse_line(text.as_bytes()),
        Ok(Some(Observation::Gone { key: key(), at: AT }))
    );
}

#[test]
fn may_end_a_crawl_of_a_scope() {
    let text = r#"{"siteId":"sreality","observedAt":"2026-05-01T08:00:00+02:00",
        "crawl":{"startedAt":"2026-05-01T05:00:00Z","complete":true,"scope":{"offerType":"sale","type":"apartment"}}}"#;
    let crawl = Crawl {
        site_id: "sreality".to_owned(),
        started_at: Timestamp(AT.0 - 3_600_000),
        observed_at: AT,
        scope: CrawlScope {
            offer_type: Some(OfferType::Sale),
            property_type: Some(PropertyType::Apartment),
        },
    };
    assert_eq!(
        parse_line(text.as_bytes()),
        Ok(Some(Observation::Crawled(crawl)))
    );
}

#[test]
fn of_a_crawl_without_scope_covers_everything() {
    let text = r#"{"siteId":"x","observedAt":"2026-05-01T06:00:00Z","crawl":{"startedAt":"2026-05-01T06:00:00Z","complete":true}}"#;
    let Ok(Some(Observation::Crawled(crawl))) = parse_line(text.as_bytes()) else {
        panic!("not read")
    };
    assert!(crawl.scope.covers(None, None));
}

#[test]
fn of_an_incomplete_crawl_is_valid_and_has_no_effect() {
    let text = r#"{"siteId":"x","observedAt":"2026-05-01T06:00:00Z","crawl":{"startedAt":"2026-05-01T05:00:00Z","complete":false}}"#;
    assert_eq!(parse_line(text.as_bytes()), Ok(None));
}

#[test]
fn reads_keys_that_are_written_with_escapes() {
    let text = of_listing(r#""\u0067one":true"#);
    assert!(matches!(
        parse_line(text.as_bytes()),
        Ok(Some(Observation::Gone { .. }))
    ));
}

#[test]
fn is_read_back_as_the_observation_that_was_written() {
    let crawl = Crawl {
        site_id: "sreality".to_owned(),
        started_at: Timestamp(AT.0 - 1),
        observed_at: AT,
        scope: CrawlScope {
            offer_type: None,
            property_type: Some(PropertyType::Land),
        },
    };
    let raw = |form, body: &str| RawListing {
        form,
        url: Some("https://x".to_owned()),
        body: body.to_owned(),
    };
    for observation in [
        Observation::Crawled(crawl),
        Observation::Gone { key: key(), at: AT },
        Observation::Seen {
            key: key(),
            at: AT,
            raw: raw(RawForm::Listing, r#"{"title":"Byt"}"#),
        },
        Observation::Seen {
            key: key(),
            at: AT,
            raw: raw(RawForm::Payload, r#""<html>\n</html>""#),
        },
    ] {
        let written = write_line(&observation);
        assert_eq!(
            parse_line(written.as_bytes()),
            Ok(Some(observation)),
            "{written}"
        );
    }
}

#[test]
fn is_written_without_newlines() {
    let raw = RawListing {
        form: RawForm::Payload,
        url: None,
        body: "{\n  \"a\": 1\r\n}".to_owned(),
    };
    let written = write_line(&Observation::Seen {
        key: key(),
        at: AT,
        raw,
    });
    assert!(!written.contains(['\n', '\r']), "{written}");
    assert!(parse_line(written.as_bytes()).is_ok(), "{written}");
}
