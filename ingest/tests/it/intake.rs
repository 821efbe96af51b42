use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use ingest::dumps::{self, Item, Source, find, write_line};
use ingest::intake::{Counts, IntakeReport, Rebuilt, observe, rebuild, replay, retry_rejects};
use schema::store::rejects::{self, Reject};
use schema::store::{Db, listings, value_rejects};
use schema::{
    Crawl, CrawlScope, ListingKey, ListingState, Observation, OfferType, RawForm, RawListing, StoredListing,
    Timestamp,
};
use support::on_each_database;

const NOW: Timestamp = Timestamp(1_780_000_000_000);

/// An instant: hour `hour` of May 2026.
fn hour(hour: i64) -> Timestamp {
    Timestamp(1_777_593_600_000 + hour * 3_600_000)
}

fn seen(offer_id: &str, at: i64, listing: &str) -> String {
    let at = hour(at);
    format!(
        r#"{{"siteId":"idnes","offerId":"{offer_id}","observedAt":"{at}","url":null,"listing":{listing}}}"#
    )
}

fn sale(offer_id: &str, at: i64, price: u32) -> String {
    seen(offer_id, at, &format!(r#"{{"offerType":"sale","type":"apartment","priceTotal":{price}}}"#))
}

fn rent(offer_id: &str, at: i64, price: u32) -> String {
    seen(offer_id, at, &format!(r#"{{"offerType":"rent","type":"apartment","priceTotal":{price}}}"#))
}

fn gone(offer_id: &str, at: i64) -> String {
    format!(r#"{{"siteId":"idnes","offerId":"{offer_id}","observedAt":"{}","gone":true}}"#, hour(at))
}

fn crawl(started_at: i64, at: i64, scope: &str) -> String {
    format!(
        r#"{{"siteId":"idnes","observedAt":"{}","crawl":{{"startedAt":"{}","complete":true,"scope":{scope}}}}}"#,
        hour(at),
        hour(started_at)
    )
}

fn stream(lines: &[String]) -> Vec<Source> {
    vec![Source::stream("-", Cursor::new(lines.join("\n")))]
}

async fn read(db: &Db, lines: &[String]) -> IntakeReport {
    replay(db, stream(lines), NOW, |_| ()).await.unwrap()
}

/// Every listing, by its key.
async fn stored(db: &Db) -> BTreeMap<ListingKey, StoredListing> {
    let page = listings::page(db, None, 100_000).await.unwrap();
    page.into_iter().map(|listing| (listing.key.clone(), listing)).collect()
}

async fn states(db: &Db) -> BTreeMap<ListingKey, ListingState> {
    stored(db).await.into_iter().map(|(key, listing)| (key, listing.state)).collect()
}

async fn state(db: &Db, offer_id: &str) -> ListingState {
    states(db).await.remove(&ListingKey::new("idnes", offer_id)).expect("a stored listing")
}

async fn rejected(db: &Db) -> Vec<Reject> {
    rejects::list(db, None, 1000).await.unwrap().into_iter().map(|(_, reject)| reject).collect()
}

/// Everything at once: several listings, changed prices, ends, returns, ties, crawls with and without scope, an end
/// before the first sighting, and one of a listing that is never seen.
fn eventful() -> Vec<String> {
    vec![
        gone("early", 1),
        sale("1", 2, 100),
        sale("2", 2, 200),
        rent("3", 3, 300),
        gone("never", 3),
        crawl(3, 4, r#"{"offerType":"sale"}"#),
        sale("1", 5, 110),
        rent("4", 5, 400),
        sale("early", 6, 500),
        gone("4", 7),
        rent("4", 7, 410),
        crawl(6, 8, "{}"),
        sale("1", 9, 110),
        sale("4", 10, 410),
        crawl(9, 11, r#"{"offerType":"rent","type":"apartment"}"#),
        rent("3", 12, 300),
        sale("1", 12, 120),
        sale("1", 12, 130),
        gone("1", 13),
        gone("1", 14),
        sale("2", 15, 210),
        crawl(14, 16, r#"{"type":"apartment"}"#),
        sale("1", 17, 130),
    ]
}

/// The same lines in other orders, always the same ones.
fn shuffled(lines: &[String], seed: u64) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.sort_by_key(|line| *blake3::hash(format!("{seed}{line}").as_bytes()).as_bytes());
    lines
}

#[tokio::test]
async fn a_listing_lives_through_its_observations() {
    on_each_database(async |db| {
        let report = read(&db, &eventful()).await;
        let life = state(&db, "1").await;
        assert_eq!(
            (life.first_seen_at, life.last_seen_at, life.last_changed_at, life.gone_at),
            (hour(2), hour(17), hour(17), None)
        );
        assert_eq!(state(&db, "2").await.gone_at, None, "it came back at 15");
        assert_eq!(state(&db, "3").await.gone_at, Some(hour(16)));
        assert_eq!(state(&db, "4").await.gone_at, Some(hour(16)));
        assert_eq!(state(&db, "early").await.gone_at, Some(hour(16)));
        assert_eq!(stored(&db).await.len(), 5, "of one that was only ever gone nothing is known");
        assert_eq!((report.lines, report.rejected, report.total().observations), (23, 0, 19));
        assert!(report.is_complete());
    })
    .await;
}

#[tokio::test]
async fn the_report_says_what_the_observations_did() {
    on_each_database(async |db| {
        let lines = [
            sale("1", 1, 100),
            sale("1", 2, 100),
            sale("1", 3, 90),
            sale("2", 3, 50),
            gone("1", 4),
            gone("9", 4),
        ];
        let report = read(&db, &lines).await;
        let counts = Counts {
            observations: 6,
            new_listings: 2,
            changed: 1,
            unchanged: 2,
            gone: 1,
            ..Counts::default()
        };
        assert_eq!(report.by_site, BTreeMap::from([("idnes".to_owned(), counts)]));
        let report = read(&db, &[crawl(5, 6, "{}"), sale("1", 7, 90)]).await;
        let counts = Counts { observations: 1, changed: 1, gone: 1, crawls: 1, ..Counts::default() };
        assert_eq!(report.by_site, BTreeMap::from([("idnes".to_owned(), counts)]));
    })
    .await;
}

#[tokio::test]
async fn a_second_replay_changes_nothing() {
    on_each_database(async |db| {
        read(&db, &eventful()).await;
        let before = stored(&db).await;
        for lines in [eventful(), shuffled(&eventful(), 1)] {
            let total = read(&db, &lines).await.total();
            let unchanged = Counts { observations: 19, unchanged: 19, ..Counts::default() };
            assert_eq!(total, unchanged);
            assert_eq!(stored(&db).await, before, "not even a version rises");
        }
    })
    .await;
}

#[tokio::test]
async fn order_and_batches_do_not_matter() {
    let lines = eventful();
    let mut expected = None;
    for database in support::databases().await {
        read(&database.db, &lines).await;
        let states = states(&database.db).await;
        assert_eq!(expected.get_or_insert_with(|| states.clone()), &states, "{}", database.name);
    }
    let expected = expected.expect("a database");
    for seed in 0..12 {
        let shuffled = shuffled(&lines, seed);
        let batch = [1, 2, 5, 23][seed as usize % 4];
        on_each_database(async |db| {
            for batch in shuffled.chunks(batch) {
                read(&db, batch).await;
            }
            assert_eq!(states(&db).await, expected, "order {seed} in batches of {batch}");
            rebuild(&db, |_| ()).await.unwrap();
            assert_eq!(states(&db).await, expected, "order {seed}, rebuilt");
        })
        .await;
    }
}

#[tokio::test]
async fn an_end_that_arrives_before_the_first_sighting_counts() {
    on_each_database(async |db| {
        read(&db, &[gone("1", 5)]).await;
        assert!(stored(&db).await.is_empty());
        let report = read(&db, &[sale("1", 3, 100)]).await;
        assert_eq!(state(&db, "1").await.gone_at, Some(hour(5)));
        assert_eq!(report.total().gone, 1);
        read(&db, &[sale("1", 4, 100)]).await;
        assert_eq!(state(&db, "1").await.gone_at, Some(hour(5)), "it is remembered with the listing too");
    })
    .await;
}

#[tokio::test]
async fn a_crawl_that_arrives_late_counts() {
    on_each_database(async |db| {
        read(&db, &[sale("1", 1, 100), sale("1", 9, 100), rent("2", 1, 50), sale("3", 4, 10)]).await;
        let versions = stored(&db).await;
        read(&db, &[crawl(3, 5, r#"{"offerType":"sale"}"#)]).await;
        let now = stored(&db).await;
        let of = |id: &str| &now[&ListingKey::new("idnes", id)];
        assert_eq!(
            (of("1").state.gone_at, of("1").state.last_changed_at),
            (None, hour(9)),
            "it came back at 9"
        );
        for untouched in ["2", "3"] {
            assert_eq!(of(untouched), &versions[&ListingKey::new("idnes", untouched)]);
        }
    })
    .await;
}

#[tokio::test]
async fn a_sighting_that_arrives_after_the_crawl_that_saw_it_undoes_the_end() {
    on_each_database(async |db| {
        read(&db, &[sale("1", 1, 100), crawl(3, 5, "{}")]).await;
        assert_eq!(state(&db, "1").await.gone_at, Some(hour(5)));
        read(&db, &[sale("1", 4, 100)]).await;
        let life = state(&db, "1").await;
        assert_eq!((life.gone_at, life.last_changed_at), (None, hour(1)));
    })
    .await;
}

#[tokio::test]
async fn a_listing_first_met_after_the_crawl_that_missed_it_is_gone() {
    on_each_database(async |db| {
        read(&db, &[crawl(3, 5, r#"{"offerType":"sale"}"#)]).await;
        read(&db, &[sale("1", 1, 100), rent("2", 1, 100), sale("3", 3, 100)]).await;
        let ends =
            [state(&db, "1").await.gone_at, state(&db, "2").await.gone_at, state(&db, "3").await.gone_at];
        assert_eq!(ends, [Some(hour(5)), None, None]);
    })
    .await;
}

#[tokio::test]
async fn seeing_the_same_again_leaves_nothing_for_dedup_to_do() {
    on_each_database(async |db| {
        read(&db, &[sale("1", 1, 100)]).await;
        let before = stored(&db).await.into_values().next().unwrap();
        read(&db, &[sale("1", 2, 100)]).await;
        let after = stored(&db).await.into_values().next().unwrap();
        assert_eq!((before.version, after.version, after.state.last_seen_at), (1, 1, hour(2)));
        read(&db, &[sale("1", 3, 90)]).await;
        assert_eq!(stored(&db).await.into_values().next().unwrap().version, 2);
    })
    .await;
}

#[tokio::test]
async fn lines_that_cannot_be_read_are_kept_once_and_the_rest_goes_on() {
    on_each_database(async |db| {
        let unread = r#"{"siteId":"idnes","offerId":"2","observedAt":"2026-05-01T00:00:00Z","listing":{"type":"flat"}}"#;
        let adapter = r#"{"siteId":"nowhere","offerId":"2","observedAt":"2026-05-01T00:00:00Z","payload":{}}"#;
        let lines = [sale("1", 1, 100), "{".to_owned(), String::new(), unread.to_owned(), adapter.to_owned()];
        for _ in 0..2 {
            let report = read(&db, &lines).await;
            assert_eq!((report.lines, report.rejected, report.is_complete()), (4, 3, false));
        }
        let rejects = rejected(&db).await;
        let places: Vec<_> = rejects.iter().map(|reject| (reject.source.as_str(), reject.line)).collect();
        assert_eq!(places, [("-", 2), ("-", 4), ("-", 5)]);
        assert!(rejects[0].reason.starts_with("broken JSON"), "{}", rejects[0].reason);
        assert!(rejects[1].reason.starts_with("listing.type is \"flat\"; accepted: one of apartment,"));
        assert!(rejects[2].reason.contains("`listing` lines of any portal"), "{}", rejects[2].reason);
        assert_eq!(rejects[1].content, unread.as_bytes());
        assert_eq!(stored(&db).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn bytes_that_are_no_text_are_kept_as_they_came() {
    on_each_database(async |db| {
        let line = b"{\"siteId\":\"\xff\0\"}";
        let source = Source::stream("-", Cursor::new(line));
        assert_eq!(replay(&db, vec![source], NOW, |_| ()).await.unwrap().rejected, 1);
        assert_eq!(rejected(&db).await[0].content, line);
    })
    .await;
}

#[tokio::test]
async fn values_outside_sense_are_left_out_and_counted() {
    on_each_database(async |db| {
        let line = seen("1", 1, r#"{"floor":900,"floorCount":2.5,"title":"a\u0000b","city":"Písek"}"#);
        for times in [3, 0] {
            assert_eq!(read(&db, std::slice::from_ref(&line)).await.total().values_left_out, times);
        }
        let attributes = state(&db, "1").await.listing.attributes;
        assert_eq!((attributes.floor, attributes.floor_count, attributes.title), (None, None, None));
        assert_eq!(attributes.city.as_deref(), Some("Písek"));
        let counts = value_rejects::counts(&db).await.unwrap();
        let fields: Vec<_> = counts.iter().map(|(_, field, _, times)| (field.as_str(), *times)).collect();
        assert_eq!(fields, [("floor", 1), ("floorCount", 1), ("title", 1)]);
    })
    .await;
}

#[tokio::test]
async fn rejects_are_read_again_after_a_fix() {
    on_each_database(async |db| {
        read(&db, &["{".to_owned()]).await;
        let fixed = Reject {
            source: "dump.jsonl".to_owned(),
            line: 7,
            reason: "was not understood".to_owned(),
            content: sale("1", 1, 100).into_bytes(),
        };
        let mut tx = db.begin().await.unwrap();
        rejects::insert(&mut tx, &fixed, NOW).await.unwrap();
        tx.commit().await.unwrap();
        let retried = retry_rejects(&db).await.unwrap();
        assert_eq!((retried.tried, retried.read), (2, 1));
        assert_eq!(retried.report.total().new_listings, 1);
        assert_eq!(state(&db, "1").await.first_seen_at, hour(1));
        assert_eq!(rejected(&db).await.iter().map(|reject| reject.line).collect::<Vec<_>>(), [1]);
    })
    .await;
}

#[tokio::test]
async fn compressed_dumps_and_plain_ones_say_the_same() {
    let text = eventful().join("\n");
    let mut gz = GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(text.as_bytes()).unwrap();
    let zst = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for content in [gz.finish().unwrap(), zst] {
        on_each_database(async |db| {
            let report =
                replay(&db, vec![Source::stream("-", Cursor::new(content.clone()))], NOW, |_| ()).await;
            assert_eq!(report.unwrap().total().new_listings, 5);
            let compressed = states(&db).await;
            assert_eq!(read(&db, &eventful()).await.total().unchanged, 19);
            assert_eq!(states(&db).await, compressed);
        })
        .await;
    }
}

#[tokio::test]
async fn a_dump_that_was_cut_off_counts_up_to_there() {
    on_each_database(async |db| {
        let text: Vec<_> = (0..3000).map(|number| sale(&number.to_string(), 1, 100 + number)).collect();
        let mut cut = zstd::encode_all(text.join("\n").as_bytes(), 1).unwrap();
        cut.truncate(cut.len() * 9 / 10);
        let report = replay(&db, vec![Source::stream("cut", Cursor::new(cut))], NOW, |_| ()).await.unwrap();
        assert_eq!(report.truncated.len(), 1);
        assert_eq!((&*report.truncated[0].source, report.truncated[0].lines), ("cut", report.lines));
        assert!(!report.is_complete());
        assert_eq!(listings::count(&db).await.unwrap(), report.lines);
    })
    .await;
}

#[tokio::test]
async fn progress_is_told_until_the_end() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..2500).map(|number| sale(&number.to_string(), 1, 100)).collect();
        let bytes = lines.join("\n").len() as u64;
        let mut told = Vec::new();
        replay(&db, stream(&lines), NOW, |progress| told.push(progress)).await.unwrap();
        assert_eq!(told.iter().map(|progress| progress.lines).collect::<Vec<_>>(), [1000, 2000, 2500]);
        assert_eq!(told.last().map(|progress| progress.bytes), Some(bytes));
    })
    .await;
}

#[tokio::test]
async fn a_replay_that_was_killed_is_finished_by_the_next() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..2500)
            .map(|number| sale(&(number % 700).to_string(), i64::from(number / 700), 100 + number))
            .chain([crawl(2, 5, "{}")])
            .collect();
        let (stop, mut stopped) = tokio::sync::mpsc::unbounded_channel();
        tokio::select! {
            biased;
            _ = stopped.recv() => {}
            _ = replay(&db, stream(&lines), NOW, |_| stop.send(()).unwrap()) => panic!("not stopped"),
        }
        let half = states(&db).await;
        assert!(!half.is_empty(), "a batch was stored");
        read(&db, &lines).await;
        let finished = states(&db).await;
        assert_ne!(finished, half);
        rebuild(&db, |_| ()).await.unwrap();
        assert_eq!(states(&db).await, finished);
        let total = read(&db, &lines).await.total();
        assert_eq!((total.observations, total.unchanged), (2500, 2500));
    })
    .await;
}

#[tokio::test]
async fn two_replays_at_once_end_as_one_does() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..6)
            .flat_map(|round| {
                let sightings =
                    (0..100).map(move |number| sale(&number.to_string(), round * 3, 100 + round as u32 % 4));
                sightings.chain([crawl(round * 3 + 1, round * 3 + 2, "{}")])
            })
            .collect();
        let reversed: Vec<_> = lines.iter().rev().cloned().collect();
        let shuffled = shuffled(&lines, 3);
        let (one, other, third) = (read(&db, &lines), read(&db, &reversed), read(&db, &shuffled));
        tokio::join!(Box::pin(one), Box::pin(other), Box::pin(third));
        let together = states(&db).await;
        assert_eq!(together.len(), 100);
        rebuild(&db, |_| ()).await.unwrap();
        assert_eq!(states(&db).await, together);
        let life = &together[&ListingKey::new("idnes", "7")];
        assert_eq!((life.first_seen_at, life.gone_at), (hour(0), Some(hour(17))));
        assert_eq!(life.prices.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn a_payload_that_says_so_ends_its_listing() {
    let answer = |at: i64, payload: &str| {
        let at = hour(at);
        format!(r#"{{"siteId":"bezrealitky","offerId":"7","observedAt":"{at}","payload":{payload}}}"#)
    };
    on_each_database(async |db| {
        let lines = [answer(1, r#"{"data":{"advert":null}}"#), answer(5, r#"{"data":{"advert":null}}"#)];
        assert_eq!(read(&db, &lines).await.rejected, 0);
        assert!(stored(&db).await.is_empty());
        let seen = sale("7", 3, 100).replace("idnes", "bezrealitky");
        read(&db, &[seen]).await;
        let life = states(&db).await.remove(&ListingKey::new("bezrealitky", "7")).unwrap();
        assert_eq!((life.first_seen_at, life.gone_at), (hour(3), Some(hour(5))));
    })
    .await;
}

#[tokio::test]
async fn the_demo_dumps_are_read_whole_and_in_any_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dumps");
    let mut lines = Vec::new();
    for item in dumps::lines(find(std::slice::from_ref(&folder)).unwrap()) {
        let Item::Line(line) = item else { panic!("{item:?}") };
        lines.push(String::from_utf8(line.content).unwrap());
    }
    on_each_database(async |db| {
        let report = replay(&db, find(std::slice::from_ref(&folder)).unwrap(), NOW, |_| ()).await.unwrap();
        assert!(report.is_complete(), "{:?}", rejected(&db).await);
        assert_eq!(report.lines, lines.len() as u64);
        let expected = states(&db).await;
        let ended = expected.values().filter(|state| !state.is_live()).count();
        assert!(ended > 0 && ended < expected.len(), "{ended} of {} ended", expected.len());
        for database in support::databases().await {
            for batch in shuffled(&lines, 5).chunks(100) {
                read(&database.db, batch).await;
            }
            assert_eq!(states(&database.db).await, expected, "{}", database.name);
        }
    })
    .await;
}

#[tokio::test]
async fn a_rebuild_restores_what_the_raw_listings_say() {
    on_each_database(async |db| {
        read(&db, &eventful()).await;
        let expected = states(&db).await;
        assert_eq!(rebuild(&db, |_| ()).await.unwrap(), Rebuilt { listings: 5, changed: 0 });
        let (key, mut wrong) =
            expected.iter().next().map(|(key, state)| (key.clone(), state.clone())).unwrap();
        wrong.listing.attributes.city = Some("Jinde".to_owned());
        wrong.prices.clear();
        let mut tx = db.begin().await.unwrap();
        listings::save(&mut tx, &key, &wrong, true).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(rebuild(&db, |_| ()).await.unwrap(), Rebuilt { listings: 5, changed: 1 });
        assert_eq!(states(&db).await, expected);
    })
    .await;
}

#[tokio::test]
async fn a_crawl_and_a_replay_of_its_dump_end_in_the_same_state() {
    let key = || ListingKey::new("idnes", "1");
    let raw = |body: &str| RawListing {
        form: RawForm::Listing,
        url: Some("https://example.invalid/1".to_owned()),
        body: body.to_owned(),
    };
    let found = [
        Observation::Seen { key: key(), at: hour(1), raw: raw("{\n \"priceTotal\": 100}") },
        Observation::Seen { key: key(), at: hour(2), raw: raw(r#"{"type":"flat"}"#) },
        Observation::Crawled(Crawl {
            site_id: "idnes".to_owned(),
            started_at: hour(2),
            observed_at: hour(3),
            scope: CrawlScope { offer_type: None, property_type: None },
        }),
        Observation::Seen { key: key(), at: hour(4), raw: raw(r#"{"priceTotal":90,"offerType":"sale"}"#) },
        Observation::Gone { key: key(), at: hour(5) },
    ];
    let dump: Vec<_> = found.iter().map(write_line).collect();
    on_each_database(async |db| {
        let report = observe(&db, "crawl of idnes", &found, NOW).await.unwrap();
        assert_eq!((report.lines, report.rejected, report.total().gone), (5, 1, 2));
        let crawled = states(&db).await;
        assert_eq!(crawled[&key()].gone_at, Some(hour(5)));
        assert_eq!(crawled[&key()].listing.attributes.offer_type, Some(OfferType::Sale));
        let reject = rejected(&db).await.remove(0);
        assert_eq!((reject.source.as_str(), reject.line), ("crawl of idnes", 2));
        assert_eq!(reject.content, dump[1].as_bytes(), "it can be retried as a line of a dump");
        read(&db, &dump).await;
        assert_eq!(states(&db).await, crawled);
    })
    .await;
}
