use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use ingest::dumps::{FIELDS, Item, LineError, Source, SourceError, find, line, lines, listing, write_line};
use schema::{
    Arrangement, Attributes, Crawl, CrawlScope, Listing, ListingKey, Location, Observation, OfferType,
    PropertyType, RawForm, RawListing, Subtype, Timestamp,
};

/// 2026-05-01T06:00:00Z.
const AT: Timestamp = Timestamp(1_777_615_200_000);

fn key() -> ListingKey {
    ListingKey::new("sreality", "2871231")
}

/// The line of listing 2871231 with `rest` behind its name.
fn of_listing(rest: &str) -> String {
    format!(r#"{{"siteId":"sreality","offerId":"2871231","observedAt":"2026-05-01T06:00:00Z",{rest}}}"#)
}

fn reason(text: &str) -> String {
    match line(text.as_bytes()) {
        Ok(read) => panic!("{text} was read as {read:?}"),
        Err(error) => error.to_string(),
    }
}

fn listing_reason(body: &str) -> String {
    match listing(body) {
        Ok(read) => panic!("{body} was read as {read:?}"),
        Err(error) => error.to_string(),
    }
}

mod a_line {
    use super::*;

    #[test]
    fn with_a_payload_keeps_its_exact_text() {
        let body = r#"{ "hash_id": 1.50,  "b": [1, 2e0] }"#;
        let text = of_listing(&format!(r#""url":"https://example.invalid/1","payload":{body}"#));
        let raw = RawListing {
            form: RawForm::Payload,
            url: Some("https://example.invalid/1".to_owned()),
            body: body.to_owned(),
        };
        assert_eq!(line(text.as_bytes()), Ok(Some(Observation::Seen { key: key(), at: AT, raw })));
    }

    #[test]
    fn may_hold_a_payload_that_is_a_text() {
        let text = of_listing(r#""payload":"<html lang=\"cs\">""#);
        let Ok(Some(Observation::Seen { raw, .. })) = line(text.as_bytes()) else { panic!("not read") };
        assert_eq!((raw.body.as_str(), raw.url), (r#""<html lang=\"cs\">""#, None));
    }

    #[test]
    fn with_a_listing_keeps_its_exact_text() {
        let text = of_listing(r#""url":null,"listing":{"priceTotal": 5e6}"#);
        let raw = RawListing { form: RawForm::Listing, url: None, body: r#"{"priceTotal": 5e6}"#.to_owned() };
        assert_eq!(line(text.as_bytes()), Ok(Some(Observation::Seen { key: key(), at: AT, raw })));
    }

    #[test]
    fn may_say_that_a_listing_is_gone() {
        let text = of_listing(r#""gone":true"#);
        assert_eq!(line(text.as_bytes()), Ok(Some(Observation::Gone { key: key(), at: AT })));
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
        assert_eq!(line(text.as_bytes()), Ok(Some(Observation::Crawled(crawl))));
    }

    #[test]
    fn of_a_crawl_without_scope_covers_everything() {
        let text = r#"{"siteId":"x","observedAt":"2026-05-01T06:00:00Z","crawl":{"startedAt":"2026-05-01T06:00:00Z","complete":true}}"#;
        let Ok(Some(Observation::Crawled(crawl))) = line(text.as_bytes()) else { panic!("not read") };
        assert!(crawl.scope.covers(None, None));
    }

    #[test]
    fn of_an_incomplete_crawl_is_right_and_teaches_nothing() {
        let text = r#"{"siteId":"x","observedAt":"2026-05-01T06:00:00Z","crawl":{"startedAt":"2026-05-01T05:00:00Z","complete":false}}"#;
        assert_eq!(line(text.as_bytes()), Ok(None));
    }

    #[test]
    fn reads_keys_that_are_written_with_escapes() {
        let text = of_listing(r#""\u0067one":true"#);
        assert!(matches!(line(text.as_bytes()), Ok(Some(Observation::Gone { .. }))));
    }

    #[test]
    fn is_what_was_written_of_an_observation() {
        let crawl = Crawl {
            site_id: "sreality".to_owned(),
            started_at: Timestamp(AT.0 - 1),
            observed_at: AT,
            scope: CrawlScope { offer_type: None, property_type: Some(PropertyType::Land) },
        };
        let raw =
            |form, body: &str| RawListing { form, url: Some("https://x".to_owned()), body: body.to_owned() };
        for observation in [
            Observation::Crawled(crawl),
            Observation::Gone { key: key(), at: AT },
            Observation::Seen { key: key(), at: AT, raw: raw(RawForm::Listing, r#"{"title":"Byt"}"#) },
            Observation::Seen { key: key(), at: AT, raw: raw(RawForm::Payload, r#""<html>\n</html>""#) },
        ] {
            let written = write_line(&observation);
            assert_eq!(line(written.as_bytes()), Ok(Some(observation)), "{written}");
        }
    }

    #[test]
    fn is_written_without_newlines() {
        let raw = RawListing { form: RawForm::Payload, url: None, body: "{\n  \"a\": 1\r\n}".to_owned() };
        let written = write_line(&Observation::Seen { key: key(), at: AT, raw });
        assert!(!written.contains(['\n', '\r']), "{written}");
        assert!(line(written.as_bytes()).is_ok(), "{written}");
    }
}

mod a_line_is_rejected {
    use super::*;

    #[test]
    fn when_it_is_no_utf_8() {
        assert_eq!(line(b"{\"siteId\":\"\xff\"}"), Err(LineError::NotUtf8 { byte: 12 }));
    }

    #[test]
    fn when_it_is_broken_json() {
        for text in
            ["", "{", "[1,", r#"{"siteId":"x""#, r#"{"siteId":"x"} {}"#, r#"{"siteId" "x"}"#, "nonsense"]
        {
            assert!(matches!(line(text.as_bytes()), Err(LineError::BrokenJson { .. })), "{text}");
        }
    }

    #[test]
    fn when_it_is_no_object() {
        assert_eq!(reason("[1]"), "the line is [1]; accepted: an object");
        assert_eq!(reason("7"), "the line is 7; accepted: an object");
    }

    #[test]
    fn when_a_key_is_missing() {
        let at = r#""observedAt":"2026-05-01T06:00:00Z""#;
        assert_eq!(reason(&format!(r#"{{{at},"offerId":"1","gone":true}}"#)), "the line has no siteId");
        assert_eq!(reason(&format!(r#"{{{at},"siteId":"x","gone":true}}"#)), "the line has no offerId");
        assert_eq!(reason(r#"{"siteId":"x","offerId":"1","gone":true}"#), "the line has no observedAt");
        let crawl = |crawl: &str| reason(&format!(r#"{{{at},"siteId":"x","crawl":{crawl}}}"#));
        assert_eq!(crawl(r#"{"complete":true}"#), "crawl has no startedAt");
        assert_eq!(crawl(r#"{"startedAt":"2026-05-01T05:00:00Z"}"#), "crawl has no complete");
    }

    #[test]
    fn when_it_says_nothing_or_two_things() {
        let one_of = "accepted: exactly one of payload, listing, gone, crawl";
        let nothing = r#"{"siteId":"x","offerId":"1","observedAt":"2026-05-01T06:00:00Z"}"#;
        assert_eq!(reason(nothing), format!("the line has none of them; {one_of}"));
        let both = of_listing(r#""payload":{},"gone":true"#);
        assert_eq!(reason(&both), format!("the line has payload and gone; {one_of}"));
    }

    #[test]
    fn when_a_value_is_of_another_type() {
        let at = r#""observedAt":"2026-05-01T06:00:00Z","gone":true"#;
        let text = "accepted: a text";
        assert_eq!(reason(&format!(r#"{{"siteId":1,"offerId":"1",{at}}}"#)), format!("siteId is 1; {text}"));
        assert_eq!(reason(&format!(r#"{{"siteId":"x","offerId":1,{at}}}"#)), format!("offerId is 1; {text}"));
        assert_eq!(reason(&of_listing(r#""gone":1"#)), "gone is 1; accepted: true or false");
        assert_eq!(reason(&of_listing(r#""url":5,"gone":true"#)), format!("url is 5; {text}"));
        let number = r#"{"siteId":"x","offerId":"1","observedAt":1777615200,"gone":true}"#;
        assert_eq!(reason(number), format!("observedAt is 1777615200; {text}"));
    }

    #[test]
    fn when_a_name_is_empty_endless_or_unprintable() {
        for name in [String::new(), "x".repeat(201), r"a\u0000b".to_owned(), r"a\nb".to_owned()] {
            let text = format!(
                r#"{{"siteId":"{name}","offerId":"1","observedAt":"2026-05-01T06:00:00Z","gone":true}}"#
            );
            assert!(
                reason(&text).ends_with("accepted: a text of 1 to 200 characters without control characters")
            );
        }
    }

    #[test]
    fn when_a_date_is_impossible_or_has_no_zone() {
        for date in ["2026-02-30T06:00:00Z", "2026-05-01T25:00:00Z", "2026-05-01T06:00:00", "2026-05-01", ""]
        {
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
            unknown.starts_with("the line has the unknown key \"observed_at\"; the nearest known one is")
        );
        assert!(unknown.contains("\"observedAt\"; accepted: siteId, offerId,"), "{unknown}");
        let far = reason(&of_listing(r#""gone":true,"zzz":1"#));
        assert!(far.starts_with("the line has the unknown key \"zzz\"; accepted: siteId"), "{far}");
    }

    #[test]
    fn when_it_has_a_key_twice() {
        assert_eq!(reason(&of_listing(r#""gone":true,"gone":true"#)), "the line has gone twice");
    }

    #[test]
    fn when_a_crawl_makes_no_sense() {
        let crawl =
            |rest: &str| reason(&format!(r#"{{"siteId":"x","observedAt":"2026-05-01T06:00:00Z",{rest}}}"#));
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
            crawl(&format!(r#""crawl":{{{started},"scope":{{"offerType":"lease"}}}}"#)),
            "crawl.scope.offerType is \"lease\"; accepted: one of sale, rent, exchange, auction"
        );
        assert_eq!(
            crawl(&format!(r#""crawl":{{{started},"scope":{{"subtype":"villa"}}}}"#)),
            "crawl.scope has the unknown key \"subtype\"; accepted: offerType, type"
        );
        assert_eq!(crawl(r#""crawl":true"#), "crawl is true; accepted: an object");
    }
}

mod a_listing {
    use super::*;

    fn attributes(body: &str) -> Attributes {
        let reading = listing(body).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert!(reading.unread.is_empty(), "{:?}", reading.unread);
        reading.listing.attributes
    }

    #[test]
    fn holds_every_optional_field_of_an_offer() {
        let body = r#"{"location":{"lat":50.1,"lng":14.5},"title":"Byt","description":"Text","city":"Praha",
            "street":"Na Kopci","region":"Praha","neighborhood":"Libeň","district":"Praha","postalCode":"180 00",
            "address":"Na Kopci, Praha","unitNumber":"12","type":"apartment","subtype":"other","offerType":"sale",
            "arrangement":"2+kk","propertyState":"good","ownership":"private","buildingType":"brick",
            "priceTotal":5000000,"livingArea":50.5,"landArea":20,"floor":-1,"floorCount":5,"equipment":"full",
            "garden":true,"storage":false,"balcony":true,"loggia":true,"terrace":true,"garage":true,"elevator":true,
            "parking":true,"barrierFree":true,"swimmingPool":true,"gardenArea":1,"storageArea":2,"balconyArea":3,
            "loggiaArea":4,"terraceArea":5,"garageArea":6,"energyClass":"G","heatingSource":"gas",
            "heatingType":"local","sewerage":"communal","housePosition":"terraced"}"#;
        let read = attributes(body);
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(written, serde_json::from_str::<serde_json::Value>(body).unwrap());
        let fields: Vec<_> = written.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, FIELDS);
    }

    #[test]
    fn may_hold_nothing() {
        assert_eq!(attributes("{}"), Attributes::default());
    }

    #[test]
    fn may_be_without_a_location() {
        assert_eq!(attributes(r#"{"location":null}"#).location, None);
        assert_eq!(
            attributes(r#"{"location":{"lat":50,"lng":14.5}}"#).location,
            Some(Location { lat: 50.0, lng: 14.5 })
        );
    }

    #[test]
    fn takes_null_and_empty_texts_for_unknown() {
        let read = attributes(
            r#"{"title":"","city":"  ","priceTotal":null,"floor":null,"type":null,"garden":null}"#,
        );
        assert_eq!(read, Attributes::default());
    }

    #[test]
    fn takes_texts_as_the_portal_wrote_them() {
        let read = attributes(r#"{"title":" Byt\u00a02+kk\n","energyClass":"G - mimořádně nehospodárná"}"#);
        assert_eq!(read.title.as_deref(), Some(" Byt\u{a0}2+kk\n"));
        assert_eq!(read.energy_class.as_deref(), Some("G - mimořádně nehospodárná"));
    }

    #[test]
    fn takes_whole_numbers_however_they_are_written() {
        let read = attributes(r#"{"floor":2.0,"floorCount":1e1}"#);
        assert_eq!((read.floor, read.floor_count), (Some(2), Some(10)));
    }

    #[test]
    fn loses_a_floor_that_is_no_whole_number_and_nothing_else() {
        let reading = listing(r#"{"floor":1.5,"floorCount":70000,"arrangement":"3+1"}"#).unwrap();
        let unread: Vec<_> = reading.unread.iter().map(|unread| (&*unread.field, &*unread.value)).collect();
        assert_eq!(unread, [("floor", "1.5"), ("floorCount", "70000")]);
        let attributes = Attributes { arrangement: Some(Arrangement::R3P1), ..Attributes::default() };
        assert_eq!(reading.listing, Listing { attributes, ..Listing::default() });
    }

    #[test]
    fn is_rejected_for_a_value_outside_an_enumeration() {
        assert_eq!(
            listing_reason(r#"{"offerType":"lease"}"#),
            "listing.offerType is \"lease\"; accepted: one of sale, rent, exchange, auction"
        );
        assert_eq!(attributes(r#"{"subtype":"wine_cellar"}"#).subtype, Some(Subtype::WineCellar));
        for field in
            ["type", "subtype", "arrangement", "propertyState", "ownership", "buildingType", "equipment"]
        {
            for value in [r#""Byt""#, r#""""#, "1", "{}"] {
                let reason = listing_reason(&format!(r#"{{"{field}":{value}}}"#));
                assert!(
                    reason.starts_with(&format!("listing.{field} is {value}; accepted: one of ")),
                    "{reason}"
                );
            }
        }
    }

    #[test]
    fn is_rejected_for_a_value_of_another_type() {
        for (body, expected) in [
            (r#"{"title":5}"#, "listing.title is 5; accepted: a text"),
            (
                r#"{"priceTotal":"5 000 000 Kč"}"#,
                "listing.priceTotal is \"5 000 000 Kč\"; accepted: a number",
            ),
            (r#"{"floor":"2"}"#, "listing.floor is \"2\"; accepted: a number"),
            (r#"{"livingArea":1e999}"#, "listing.livingArea is 1e999; accepted: a number"),
            (r#"{"garage":"ano"}"#, "listing.garage is \"ano\"; accepted: true or false"),
            (r#"{"location":[50,14]}"#, "listing.location is [50,14]; accepted: an object"),
            (r#"{"location":{"lat":50}}"#, "listing.location has no lng"),
            (r#"{"location":{"lat":50,"lng":null}}"#, "listing.location.lng is null; accepted: a number"),
            ("[]", "listing is []; accepted: an object"),
        ] {
            assert_eq!(listing_reason(body), expected);
        }
    }

    #[test]
    fn is_rejected_for_half_a_character() {
        assert!(
            listing_reason(r#"{"title":"\ud800"}"#)
                .starts_with(r#"listing.title is "\ud800"; accepted: a text"#)
        );
    }

    #[test]
    fn is_rejected_for_an_unknown_field() {
        for (field, nearest) in [
            ("living_area", "livingArea"),
            ("price", "priceTotal"),
            ("postcode", "postalCode"),
            ("offertype", "offerType"),
            ("neighbourhood", "neighborhood"),
        ] {
            let reason = listing_reason(&format!(r#"{{"{field}":1}}"#));
            let expected = format!(
                "listing has the unknown key {field:?}; the nearest known one is {nearest:?}; accepted: location, "
            );
            assert!(reason.starts_with(&expected), "{reason}");
        }
        for field in ["evidence", "id", "firstSeenAt", "isLive", "portalLinks", "priceHistory"] {
            let reason = listing_reason(&format!(r#"{{"{field}":{{}}}}"#));
            assert!(reason.starts_with("listing has the unknown key"), "{reason}");
        }
    }

    #[test]
    fn is_shown_shortened_in_the_reason() {
        let reason = listing_reason(&format!(r#"{{"location":"{}"}}"#, "ž".repeat(500)));
        assert!(reason.chars().count() < 200, "{reason}");
    }
}

mod sources {
    use super::*;

    fn gz(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn zst(text: &str) -> Vec<u8> {
        zstd::encode_all(text.as_bytes(), 3).unwrap()
    }

    fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The lines as `number:content`, and how many broke off after how many lines.
    fn read(sources: Vec<Source>) -> (Vec<String>, Vec<u64>) {
        let (mut texts, mut truncated) = (Vec::new(), Vec::new());
        for item in lines(sources) {
            match item {
                Item::Line(line) => {
                    assert_eq!(line.error, None);
                    texts.push(format!("{}:{}", line.number, String::from_utf8(line.content).unwrap()));
                }
                Item::Truncated(truncation) => truncated.push(truncation.lines),
            }
        }
        (texts, truncated)
    }

    fn stream(content: impl AsRef<[u8]> + Send + 'static) -> Vec<Source> {
        vec![Source::stream("-", Cursor::new(content))]
    }

    fn numbered(lines: std::ops::Range<u32>) -> String {
        let lines: Vec<_> = lines.map(|number| format!("{{\"line\":{number}}}\n")).collect();
        lines.concat()
    }

    #[test]
    fn are_found_in_folders_in_the_order_of_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.jsonl", "c.jsonl", "notes.txt", "d.json"] {
            write(folder.path(), name, name);
        }
        write(folder.path(), "a/z.jsonl.gz", gz("a/z.jsonl.gz"));
        write(folder.path(), "a/deep/y.jsonl.zst", zst("a/deep/y.jsonl.zst"));
        let sources = find(&[folder.path().to_owned()]).unwrap();
        assert!(sources.iter().all(|source| source.bytes().is_some()));
        let expected = ["1:a/deep/y.jsonl.zst", "1:a/z.jsonl.gz", "1:b.jsonl", "1:c.jsonl"];
        assert_eq!(read(sources), (expected.map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn are_named_as_they_were_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "a.jsonl", "x");
        let sources = find(&[path.clone(), PathBuf::from("-")]).unwrap();
        let names: Vec<_> = sources.iter().map(|source| Arc::clone(source.name())).collect();
        assert_eq!(names, [path.to_string_lossy().into(), Arc::<str>::from("-")]);
    }

    #[test]
    fn of_another_ending_are_refused_when_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "dump.json", "{}");
        assert!(
            matches!(find(std::slice::from_ref(&path)), Err(SourceError::NoDump { path: named }) if named == path)
        );
    }

    #[test]
    fn that_do_not_exist_are_refused_before_anything_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let there = write(folder.path(), "a.jsonl", "x");
        let missing = folder.path().join("b.jsonl");
        assert!(
            matches!(find(&[there, missing.clone()]), Err(SourceError::Unreadable { path, .. }) if path == missing)
        );
    }

    #[test]
    fn may_be_compressed_in_several_members() {
        let (one, two) = (numbered(0..2), numbered(2..3));
        for content in [[gz(&one), gz(&two)].concat(), [zst(&one), zst(&two)].concat()] {
            let expected =
                [r#"1:{"line":0}"#, r#"2:{"line":1}"#, r#"3:{"line":2}"#].map(str::to_owned).to_vec();
            assert_eq!(read(stream(content)), (expected, vec![]));
        }
    }

    #[test]
    fn may_have_windows_line_ends_blank_lines_and_a_byte_order_mark() {
        let content = "\u{feff}{\"a\":1}\r\n\r\n   \n{\"b\":2}\n\n{\"c\":3}";
        let expected = [r#"1:{"a":1}"#, r#"4:{"b":2}"#, r#"6:{"c":3}"#].map(str::to_owned).to_vec();
        assert_eq!(read(stream(content)), (expected, vec![]));
    }

    #[test]
    fn may_be_empty() {
        assert_eq!(read(stream("")), (vec![], vec![]));
        assert_eq!(read(stream("\n\n")), (vec![], vec![]));
    }

    #[test]
    fn that_were_cut_off_count_up_to_there_and_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let text = numbered(0..50_000);
        for (name, whole) in [("cut.jsonl.gz", gz(&text)), ("cut.jsonl.zst", zst(&text))] {
            let half = write(folder.path(), name, &whole[..whole.len() / 2]);
            let after = write(folder.path(), "whole.jsonl", "{}");
            let (texts, truncated) = read(find(&[half, after]).unwrap());
            assert_eq!(truncated.len(), 1, "{name}");
            assert_eq!(texts.len() as u64, truncated[0] + 1, "{name}: the file behind it is read too");
            assert!(truncated[0] > 1000, "{name}: {} lines before the cut", truncated[0]);
            let last = &texts[texts.len() - 2];
            assert!(last.ends_with('}'), "{name}: no piece of a line is handed out: {last}");
        }
    }

    #[test]
    fn that_are_empty_where_compressed_bytes_belong_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "empty.jsonl.gz", "");
        assert_eq!(read(find(&[path]).unwrap()), (vec![], vec![0]));
    }

    #[test]
    fn with_an_endless_line_lose_that_line_only() {
        let content = format!("{{}}\n{}\n{{}}\n{}", "x".repeat(5000), "y".repeat(4096));
        let read: Vec<_> = lines(stream(content))
            .longest(4096)
            .map(|item| match item {
                Item::Line(line) => (line.number, line.content.len(), line.error),
                Item::Truncated(truncation) => panic!("{truncation:?}"),
            })
            .collect();
        let overlong = Some(LineError::TooLong { limit: 4096 });
        assert_eq!(read, [(1, 2, None), (2, 1024, overlong), (3, 2, None), (4, 4096, None)]);
    }

    #[test]
    fn say_how_much_of_them_has_been_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "a.jsonl.gz", gz(&numbered(0..1000)));
        let sources = find(&[path]).unwrap();
        let size = sources[0].bytes();
        let mut lines = lines(sources);
        assert_eq!(lines.by_ref().count(), 1000);
        assert_eq!(Some(lines.bytes_read()), size);
    }

    #[test]
    fn are_the_dumps_of_the_shared_folder_where_it_is_at_hand() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
        if !shared.is_dir() {
            println!("skipped: {} is absent", shared.display());
            return;
        }
        let mut read = 0;
        for item in lines(find(&[shared]).unwrap()) {
            let Item::Line(dump) = item else { panic!("{item:?}") };
            match line(&dump.content) {
                Ok(Some(Observation::Seen { raw, .. })) => {
                    assert!(listing(&raw.body).is_ok(), "line {} of {}", dump.number, dump.source);
                }
                other => assert!(
                    matches!(other, Ok(Some(_))),
                    "line {} of {}: {other:?}",
                    dump.number,
                    dump.source
                ),
            }
            read += 1;
        }
        assert_eq!(read, 5708);
    }
}
