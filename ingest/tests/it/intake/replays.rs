//! Whole dumps: order, repetition, interruption, rebuilding.

use std::io::{Cursor, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use ingest::dumps::{self, DumpItem, Source, find_sources, write_line};
use ingest::intake::{Counts, Rebuilt, observe, rebuild, replay};
use schema::store::listings;
use schema::{Crawl, CrawlScope, ListingKey, Observation, OfferType, RawForm, RawListing};
use support::on_each_database;

use super::{
    NOW, crawl, eventful, hour, rejected, replay_lines, sale, shuffled, states, stored, stream,
};

#[tokio::test]
async fn a_second_replay_changes_nothing() {
    on_each_database(async |db| {
        replay_lines(&db, &eventful()).await;
        let before = stored(&db).await;
        for lines in [eventful(), shuffled(&eventful(), 1)] {
            let total = replay_lines(&db, &lines).await.total();
            let unchanged = Counts {
                observations: 19,
                unchanged: 19,
                ..Counts::default()
            };
            assert_eq!(total, unchanged);
            assert_eq!(stored(&db).await, before, "not even a version changes");
        }
    })
    .await;
}

#[tokio::test]
async fn order_and_batches_do_not_matter() {
    let lines = eventful();
    let mut expected = None;
    for database in support::databases().await {
        replay_lines(&database.db, &lines).await;
        let states = states(&database.db).await;
        assert_eq!(
            expected.get_or_insert_with(|| states.clone()),
            &states,
            "{}",
            database.name
        );
    }
    let expected = expected.expect("a database");
    for seed in 0..12 {
        let shuffled = shuffled(&lines, seed);
        let batch = [1, 2, 5, 23][seed as usize % 4];
        on_each_database(async |db| {
            for batch in shuffled.chunks(batch) {
                replay_lines(&db, batch).await;
            }
            assert_eq!(
                states(&db).await,
                expected,
                "order {seed} in batches of {batch}"
            );
            rebuild(&db, &mut |_| ()).await.unwrap();
            assert_eq!(states(&db).await, expected, "order {seed}, rebuilt");
        })
        .await;
    }
}

#[tokio::test]
async fn compressed_and_plain_dumps_give_the_same_listings() {
    let text = eventful().join("\n");
    let mut gz = GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(text.as_bytes()).unwrap();
    let zst = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for content in [gz.finish().unwrap(), zst] {
        on_each_database(async |db| {
            let report = replay(
                &db,
                vec![Source::stream("-", Cursor::new(content.clone()))],
                NOW,
                &mut |_| (),
            )
            .await;
            assert_eq!(report.unwrap().total().new_listings, 5);
            let compressed = states(&db).await;
            assert_eq!(replay_lines(&db, &eventful()).await.total().unchanged, 19);
            assert_eq!(states(&db).await, compressed);
        })
        .await;
    }
}

#[tokio::test]
async fn a_dump_that_was_cut_off_is_read_up_to_the_cut() {
    on_each_database(async |db| {
        let text: Vec<_> = (0..3000)
            .map(|number| sale(&number.to_string(), 1, 100 + number))
            .collect();
        let mut cut = zstd::encode_all(text.join("\n").as_bytes(), 1).unwrap();
        cut.truncate(cut.len() * 9 / 10);
        let report = replay(
            &db,
            vec![Source::stream("cut", Cursor::new(cut))],
            NOW,
            &mut |_| (),
        )
        .await
        .unwrap();
        assert_eq!(report.truncated.len(), 1);
        assert_eq!(
            (&*report.truncated[0].source, report.truncated[0].lines),
            ("cut", report.lines)
        );
        assert!(!report.is_complete());
        assert_eq!(listings::count(&db).await.unwrap(), report.lines);
    })
    .await;
}

#[tokio::test]
async fn progress_is_reported_until_the_end() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..2500)
            .map(|number| sale(&number.to_string(), 1, 100))
            .collect();
        let bytes = lines.join("\n").len() as u64;
        let mut told = Vec::new();
        replay(&db, stream(&lines), NOW, &mut |progress| {
            told.push(progress);
        })
        .await
        .unwrap();
        assert_eq!(
            told.iter()
                .map(|progress| progress.lines)
                .collect::<Vec<_>>(),
            [1000, 2000, 2500]
        );
        assert_eq!(told.last().map(|progress| progress.bytes), Some(bytes));
    })
    .await;
}

#[tokio::test]
async fn a_replay_that_was_killed_is_finished_by_the_next() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..2500)
            .map(|number| {
                sale(
                    &(number % 700).to_string(),
                    i64::from(number / 700),
                    100 + number,
                )
            })
            .chain([crawl(2, 5, "{}")])
            .collect();
        let (stop, mut stopped) = tokio::sync::mpsc::unbounded_channel();
        let mut at_first_progress = |_| stop.send(()).unwrap();
        tokio::select! {
            biased;
            _ = stopped.recv() => {}
            _ = replay(&db, stream(&lines), NOW, &mut at_first_progress) => panic!("not stopped"),
        }
        let half = states(&db).await;
        assert!(!half.is_empty(), "a batch was stored");
        replay_lines(&db, &lines).await;
        let finished = states(&db).await;
        assert_ne!(finished, half);
        rebuild(&db, &mut |_| ()).await.unwrap();
        assert_eq!(states(&db).await, finished);
        let total = replay_lines(&db, &lines).await.total();
        assert_eq!((total.observations, total.unchanged), (2500, 2500));
    })
    .await;
}

#[tokio::test]
async fn two_concurrent_replays_end_like_one() {
    on_each_database(async |db| {
        let lines: Vec<_> = (0..6)
            .flat_map(|round| {
                let sightings = (0..100).map(move |number| {
                    sale(&number.to_string(), round * 3, 100 + round as u32 % 4)
                });
                sightings.chain([crawl(round * 3 + 1, round * 3 + 2, "{}")])
            })
            .collect();
        let reversed: Vec<_> = lines.iter().rev().cloned().collect();
        let shuffled = shuffled(&lines, 3);
        let (one, other, third) = (
            replay_lines(&db, &lines),
            replay_lines(&db, &reversed),
            replay_lines(&db, &shuffled),
        );
        tokio::join!(Box::pin(one), Box::pin(other), Box::pin(third));
        let together = states(&db).await;
        assert_eq!(together.len(), 100);
        rebuild(&db, &mut |_| ()).await.unwrap();
        assert_eq!(states(&db).await, together);
        let life = &together[&ListingKey::new("idnes", "7")];
        assert_eq!(
            (life.first_seen_at, life.gone_at),
            (hour(0), Some(hour(17)))
        );
        assert_eq!(life.prices.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn the_demo_dumps_are_read_whole_and_in_any_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dumps");
    let mut lines = Vec::new();
    for item in dumps::read_lines(find_sources(std::slice::from_ref(&folder)).unwrap()) {
        let DumpItem::Line(line) = item else {
            panic!("{item:?}")
        };
        lines.push(String::from_utf8(line.content).unwrap());
    }
    on_each_database(async |db| {
        let report = replay(
            &db,
            find_sources(std::slice::from_ref(&folder)).unwrap(),
            NOW,
            &mut |_| (),
        )
        .await
        .unwrap();
        assert!(report.is_complete(), "{:?}", rejected(&db).await);
        assert_eq!(report.lines, lines.len() as u64);
        let expected = states(&db).await;
        let ended = expected.values().filter(|state| !state.is_live()).count();
        assert!(
            ended > 0 && ended < expected.len(),
            "{ended} of {} ended",
            expected.len()
        );
        for database in support::databases().await {
            for batch in shuffled(&lines, 5).chunks(100) {
                replay_lines(&database.db, batch).await;
            }
            assert_eq!(states(&database.db).await, expected, "{}", database.name);
        }
    })
    .await;
}

#[tokio::test]
async fn a_rebuild_restores_what_the_raw_listings_say() {
    on_each_database(async |db| {
        replay_lines(&db, &eventful()).await;
        let expected = states(&db).await;
        assert_eq!(
            rebuild(&db, &mut |_| ()).await.unwrap(),
            Rebuilt {
                listings: 5,
                changed: 0
            }
        );
        let (key, mut wrong) = expected
            .iter()
            .next()
            .map(|(key, state)| (key.clone(), state.clone()))
            .unwrap();
        wrong.listing.attributes.city = Some("Jinde".to_owned());
        wrong.prices.clear();
        let mut tx = db.begin().await.unwrap();
        listings::save(&mut tx, &key, &wrong, true).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            rebuild(&db, &mut |_| ()).await.unwrap(),
            Rebuilt {
                listings: 5,
                changed: 1
            }
        );
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
        Observation::Seen {
            key: key(),
            at: hour(1),
            raw: raw("{\n \"priceTotal\": 100}"),
        },
        Observation::Seen {
            key: key(),
            at: hour(2),
            raw: raw(r#"{"type":"flat"}"#),
        },
        Observation::Crawled(Crawl {
            site_id: "idnes".to_owned(),
            started_at: hour(2),
            observed_at: hour(3),
            scope: CrawlScope {
                offer_type: None,
                property_type: None,
            },
        }),
        Observation::Seen {
            key: key(),
            at: hour(4),
            raw: raw(r#"{"priceTotal":90,"offerType":"sale"}"#),
        },
        Observation::Gone {
            key: key(),
            at: hour(5),
        },
    ];
    let dump: Vec<_> = found.iter().map(write_line).collect();
    on_each_database(async |db| {
        let report = observe(&db, "crawl of idnes", &found, NOW).await.unwrap();
        assert_eq!(
            (report.lines, report.rejected, report.total().gone),
            (5, 1, 2)
        );
        let crawled = states(&db).await;
        assert_eq!(crawled[&key()].gone_at, Some(hour(5)));
        assert_eq!(
            crawled[&key()].listing.attributes.offer_type,
            Some(OfferType::Sale)
        );
        let reject = rejected(&db).await.remove(0);
        assert_eq!((reject.source.as_str(), reject.line), ("crawl of idnes", 2));
        assert_eq!(
            reject.content,
            dump[1].as_bytes(),
            "it can be retried as a line of a dump"
        );
        replay_lines(&db, &dump).await;
        assert_eq!(states(&db).await, crawled);
    })
    .await;
}
