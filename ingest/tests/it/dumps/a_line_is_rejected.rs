//! The reasons for which a line is rejected.

use ingest::dumps::{LineError, parse_line};

use super::{of_listing, reason};

#[test]
fn when_it_is_not_utf_8() {
    assert_eq!(
        parse_line(b"{\"siteId\":\"\xff\"}"),
        Err(LineError::NotUtf8 { byte: 12 })
    );
}

#[test]
fn when_it_is_malformed_json() {
    for text in [
        "",
        "{",
        "[1,",
        r#"{"siteId":"x""#,
        r#"{"siteId":"x"} {}"#,
        r#"{"siteId" "x"}"#,
        "nonsense",
    ] {
        assert!(
            matches!(
                parse_line(text.as_bytes()),
                Err(LineError::BrokenJson { .. })
            ),
            "{text}"
        );
    }
}

#[test]
fn when_it_is_not_an_object() {
    assert_eq!(reason("[1]"), "the line is [1]; accepted: an object");
    assert_eq!(reason("7"), "the line is 7; accepted: an object");
}

#[test]
fn when_a_key_is_missing() {
    let at = r#""observedAt":"2026-05-01T06:00:00Z""#;
    assert_eq!(
        reason(&format!(r#"{{{at},"offerId":"1","gone":true}}"#)),
        "the line has no siteId"
    );
    assert_eq!(
        reason(&format!(r#"{{{at},"siteId":"x","gone":true}}"#)),
        "the line has no offerId"
    );
    assert_eq!(
        reason(r#"{"siteId":"x","offerId":"1","gone":true}"#),
        "the line has no observedAt"
    );
    let crawl = |crawl: &str| reason(&format!(r#"{{{at},"siteId":"x","crawl":{crawl}}}"#));
    assert_eq!(crawl(r#"{"complete":true}"#), "crawl has no startedAt");
    assert_eq!(
        crawl(r#"{"startedAt":"2026-05-01T05:00:00Z"}"#),
        "crawl has no complete"
    );
}

#[test]
fn when_it_has_no_content_or_two_contents() {
    let one_of = "accepted: exactly one of payload, listing, gone, crawl";
    let nothing = r#"{"siteId":"x","offerId":"1","observedAt":"2026-05-01T06:00:00Z"}"#;
    assert_eq!(
        reason(nothing),
        format!("the line has none of them; {one_of}")
    );
    let both = of_listing(r#""payload":{},"gone":true"#);
    assert_eq!(
        reason(&both),
        format!("the line has payload and gone; {one_of}")
    );
}

#[test]
fn when_a_value_is_of_another_type() {
    let at = r#""observedAt":"2026-05-01T06:00:00Z","gone":true"#;
    let text = "accepted: a text";
    assert_eq!(
        reason(&format!(r#"{{"siteId":1,"offerId":"1",{at}}}"#)),
        format!("siteId is 1; {text}")
    );
    assert_eq!(
        reason(&format!(r#"{{"siteId":"x","offerId":1,{at}}}"#)),
        format!("offerId is 1; {text}")
    );
    assert_eq!(
        reason(&of_listing(r#""gone":1"#)),
        "gone is 1; accepted: true or false"
    );
    assert_eq!(
        reason(&of_listing(r#""url":5,"gone":true"#)),
        format!("url is 5; {text}")
    );
    let number = r#"{"siteId":"x","offerId":"1","observedAt":1777615200,"gone":true}"#;
    assert_eq!(reason(number), format!("observedAt is 1777615200; {text}"));
}

#[test]
fn when_a_name_is_empty_endless_or_unprintable() {
    for name in [
        String::new(),
        "x".repeat(201),
        r"a\u0000b".to_owned(),
        r"a\nb".to_owned(),
    ] {
        let text = format!(
            r#"{{"siteId":"{name}","offerId":"1","observedAt":"2026-05-01T06:00:00Z","gone":true}}"#
        );
        assert!(
            reason(&text)
                .ends_with("accepted: a text of 1 to 200 characters without control characters")
        );
    }
}

#[test]
fn when_a_date_is_impossible_or_has_no_zone() {
    for date in [
        "9999-05-01T06:00:00Z",
        "0001-05-01T06:00:00Z",
        "2026-02-30T06:00:00Z",
        "2026-05-01T25:00:00Z",
        "2026-05-01T06:00:00",
        "2026-05-01",
        "",
    ] {
        let text = format!(r#"{{"siteId":"x","offerId":"1","observedAt":"{date}","gone":true}}"#);
        let expected =
            format!("observedAt is \"{date}\"; accepted: a date-time such as 2026-05-01T06:00:00Z");
        assert!(reason(&text).starts_with(&expected), "{}", reason(&text));
    }
}

#[test]
fn when_gone_is_false() {
    assert!(reason(&of_listing(r#""gone":false"#)).starts_with("gone is false; accepted: true"));
}

#[test]
fn when_it_has_an_unknown_key() {
    let unknown = reason(&of_listing(r#""gone":true,"observed_at":"x""#));
    assert!(
        unknown
            .starts_with("the line has the unknown key \"observed_at\"; the nearest known one is")
    );
    assert!(
        unknown.contains("\"observedAt\"; accepted: siteId, offerId,"),
        "{unknown}"
    );
    let far = reason(&of_listing(r#""gone":true,"zzz":1"#));
    assert!(
        far.starts_with("the line has the unknown key \"zzz\"; accepted: siteId"),
        "{far}"
    );
}

#[test]
fn when_it_has_a_key_twice() {
    assert_eq!(
        reason(&of_listing(r#""gone":true,"gone":true"#)),
        "the line has gone twice"
    );
}

#[test]
fn when_a_crawl_makes_no_sense() {
    let crawl = |rest: &str| {
        reason(&format!(
            r#"{{"siteId":"x","observedAt":"2026-05-01T06:00:00Z",{rest}}}"#
        ))
    };
    let started = r#""startedAt":"2026-05-01T05:00:00Z","complete":true"#;
    assert_eq!(
        crawl(r#""crawl":{"startedAt":"2026-05-01T07:00:00Z","complete":true}"#),
        "crawl.startedAt is \"2026-05-01T07:00:00Z\"; \
         accepted: an instant not after observedAt, which is 2026-05-01T06:00:00Z"
    );
    assert_eq!(
        crawl(&format!(r#""offerId":"1","crawl":{{{started}}}"#)),
        "offerId is \"1\"; accepted: nothing beside crawl"
    );
    assert_eq!(
        crawl(&format!(
            r#""crawl":{{{started},"scope":{{"offerType":"lease"}}}}"#
        )),
        "crawl.scope.offerType is \"lease\"; accepted: one of sale, rent, exchange, auction"
    );
    assert_eq!(
        crawl(&format!(
            r#""crawl":{{{started},"scope":{{"subtype":"villa"}}}}"#
        )),
        "crawl.scope has the unknown key \"subtype\"; accepted: offerType, type"
    );
    assert_eq!(
        crawl(r#""crawl":true"#),
        "crawl is true; accepted: an object"
    );
}
