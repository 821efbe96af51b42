//! A simulated year of crawls, with pages in the size and layout of real ones: how much space it takes, and whether the
//! states are still what the stored observations say.
//!
//! The short form has a hundred live adverts and two months. `JEDEN_TEST_LONG=1` runs the long form, a hundredth of the
//! real size: 5,000 live adverts and a year. `JEDEN_TEST_ADVERTS=500` makes it smaller. It prints the space of each table.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dedup::addresses::Addresses;
use dedup::worker::{self, Listings};
use ingest::intake;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::housekeeping::{self, KeepSince};
use schema::store::index_entries::{self, ReadDetail, StoredEntry};
use schema::store::listings::Save;
use schema::store::observations::Sighting;
use schema::store::raw_listings::RawId;
use schema::store::{Db, figures, listings, observations, raw_listings, record_events};
use schema::{
    Crawl, CrawlScope, ListingId, ListingKey, Observation, RawForm, RawListing, Timestamp,
};
use serde_json::Value;
use support::long_form;

use super::jeden::project;

const DAY: i64 = 86_400_000;
const HOUR: i64 = DAY / 24;

/// When the first day begins.
const START: i64 = 1_760_000_000_000;

/// Two real pages of each portal: what they share is the portal's, the rest is the advert's.
const PAGES: [(&str, &str, &str); 4] = [
    (
        "idnes",
        "idnes/detail_a1.html",
        "idnes/detail_portal_html.html",
    ),
    (
        "mmreality",
        "mmreality/detail_a1.html",
        "mmreality/detail_portal_html.html",
    ),
    (
        "realitymix",
        "realitymix/detail_a1.html",
        "realitymix/detail_portal_html.html",
    ),
    (
        "remax",
        "remax/detail_a1.html",
        "remax/detail_portal_html.html",
    ),
];

/// How large the simulation is.
struct Scale {
    live: usize,
    days: i64,
    /// The bytes that all tables but one may take in the end. In the long form those that grow may take 20 GB at 500,000 live
    /// adverts.
    most_bytes: u64,
}

/// The bytes that do not grow with the adverts: dictionaries, crawls, and a page for each empty table and index.
const DOES_NOT_GROW: u64 = 600_000;

/// The table that the bound leaves out. The simulated adverts of a portal resemble one another more than real ones, so that
/// the pairs of an advert grow with the size of the simulation: 4 at 200 live adverts. Generated dumps in the proportions
/// of the market have 2.
const LEFT_OUT: &str = "matches";

/// The share of adverts that end every day, and that change their price, in thousandths. A real year has 1.8 million new
/// adverts and 430,000 changed prices at 500,000 live ones.
const ENDING: f64 = 10.0;
const CHANGING: f64 = 2.3;

/// A portal's page, in parts that alternate between what all adverts have and what is the advert's own.
struct Template {
    site_id: &'static str,
    parts: Vec<(String, bool)>,
    /// The advert's own words, of all real pages of the portal.
    words: Vec<String>,
}

impl Template {
    fn from_pages(site_id: &'static str, page: &str, other: &str) -> Self {
        let tokens_of = |page: &str| -> BTreeSet<String> {
            parts(page)
                .into_iter()
                .filter(|(_, is_word)| *is_word)
                .map(|(text, _)| text)
                .collect()
        };
        let shared = tokens_of(other);
        let own = |text: &str| text.chars().count() > 3 && !shared.contains(text);
        let is_letters = |text: &String| text.chars().all(char::is_alphabetic);
        let mut words: Vec<String> = tokens_of(page)
            .into_iter()
            .chain(shared.iter().cloned())
            .collect();
        words.retain(is_letters);
        let parts = parts(page)
            .into_iter()
            .map(|(text, is_word)| {
                let is_own = is_word && own(&text);
                (text, is_own)
            })
            .collect();
        Self {
            site_id,
            parts,
            words,
        }
    }

    /// The page of another advert: other words, and other figures of the same length, the same wherever they recur.
    fn page(&self, rng: &mut StdRng) -> String {
        let mut page = String::new();
        let mut others: BTreeMap<&str, String> = BTreeMap::new();
        for (text, is_own) in &self.parts {
            if *is_own {
                let other = others
                    .entry(text)
                    .or_insert_with(|| self.other_word(text, rng));
                page.push_str(other);
            } else {
                page.push_str(text);
            }
        }
        page
    }

    fn other_word(&self, text: &str, rng: &mut StdRng) -> String {
        if text.chars().all(char::is_alphabetic) {
            return self.words[rng.random_range(0..self.words.len())].clone();
        }
        let other = |letter| match letter {
            '0'..='9' => char::from(rng.random_range(b'1'..=b'9')),
            'a'..='f' => char::from(rng.random_range(b'a'..=b'f')),
            other => other,
        };
        text.chars().map(other).collect()
    }
}

/// A page in words and what is between them.
fn parts(page: &str) -> Vec<(String, bool)> {
    let mut parts: Vec<(String, bool)> = Vec::new();
    for letter in page.chars() {
        let is_word = letter.is_alphanumeric();
        match parts.last_mut() {
            Some((text, same)) if *same == is_word => text.push(letter),
            _ => parts.push((letter.to_string(), is_word)),
        }
    }
    parts
}

/// An advert that is on its portal.
struct Advert {
    key: ListingKey,
    page: String,
    /// Its rows and its last content, once it was seen.
    seen: Option<(ListingId, RawId)>,
}

struct Year<'a> {
    db: &'a Db,
    scale: Scale,
    templates: Vec<Template>,
    rng: StdRng,
    adverts: Vec<Advert>,
    issued: usize,
    contents: u64,
    sightings: u64,
}

impl Year<'_> {
    async fn run(&mut self) {
        for day in 0..self.scale.days {
            let start = START + day * DAY + 2 * HOUR;
            self.adverts_change(day);
            self.crawl(start).await;
            if day % 7 == 6 || day + 1 == self.scale.days {
                self.deduplicate(start + 6 * HOUR).await;
                self.keep_house(start + 7 * HOUR).await;
            }
        }
    }

    /// Adverts end, appear and change their prices.
    fn adverts_change(&mut self, day: i64) {
        let Self { rng, adverts, .. } = self;
        if day > 0 {
            adverts.retain(|_| !rng.random_bool(ENDING / 1000.0));
        }
        for advert in adverts.iter_mut() {
            if rng.random_bool(CHANGING / 1000.0) {
                let price = rng.random_range(1_000_000..9_000_000);
                advert.page = advert
                    .page
                    .replacen("</body>", &format!("<!--{price}--></body>"), 1);
                advert.seen = None;
            }
        }
        while adverts.len() < self.scale.live {
            let template = &self.templates[self.issued % self.templates.len()];
            self.issued += 1;
            adverts.push(Advert {
                key: ListingKey::new(template.site_id, (10_000_000 + self.issued).to_string()),
                page: template.page(rng),
                seen: None,
            });
        }
    }

    /// A crawl of four hours: what is new or changed is read, the rest is seen unchanged.
    async fn crawl(&mut self, start: i64) {
        let each = 4 * HOUR / self.scale.live.cast_signed() as i64;
        let at: Vec<Timestamp> = (0..self.adverts.len().cast_signed() as i64)
            .map(|number| Timestamp(start + number * each + self.rng.random_range(0..each)))
            .collect();
        self.sightings += at.len() as u64;
        let unchanged: Vec<(ListingId, RawId, Timestamp)> = self
            .adverts
            .iter()
            .zip(&at)
            .filter_map(|(advert, at)| advert.seen.map(|(listing, raw)| (listing, raw, *at)))
            .collect();
        see_unchanged(self.db, &unchanged).await;
        let portals: Vec<&str> = self.templates.iter().map(|one| one.site_id).collect();
        for site_id in portals {
            let is_new = |advert: &Advert| advert.seen.is_none() && advert.key.site_id == site_id;
            let new: Vec<usize> = (0..at.len())
                .filter(|place| is_new(&self.adverts[*place]))
                .collect();
            for part in new.chunks(60) {
                self.read(part, &at).await;
            }
        }
        let end = Timestamp(start + 4 * HOUR);
        let crawls = self.templates.iter().map(|template| {
            Observation::Crawled(Crawl {
                site_id: template.site_id.to_owned(),
                started_at: Timestamp(start),
                observed_at: end,
                scope: CrawlScope::default(),
            })
        });
        let crawls: Vec<Observation> = crawls.collect();
        intake::observe(self.db, "crawl", &crawls, end)
            .await
            .unwrap();
    }

    /// Reads the details of these adverts, as a crawl does: up to sixty in one transaction.
    async fn read(&mut self, places: &[usize], at: &[Timestamp]) {
        let observed: Vec<Observation> = places
            .iter()
            .map(|place| {
                let advert = &self.adverts[*place];
                Observation::Seen {
                    key: advert.key.clone(),
                    at: at[*place],
                    raw: content(advert),
                }
            })
            .collect();
        let now = Timestamp(START + 1000 * DAY);
        let report = intake::observe(self.db, "crawl", &observed, now)
            .await
            .unwrap();
        assert!(report.is_complete(), "{report:?}");
        assert_eq!(report.rejected, 0, "{report:?}");
        self.contents += places.len() as u64;
        let keys: Vec<ListingKey> = places
            .iter()
            .map(|place| self.adverts[*place].key.clone())
            .collect();
        let mut tx = self.db.begin().await.unwrap();
        let stored = listings::load(&mut tx, &keys).await.unwrap();
        let mut entries: BTreeMap<String, Vec<StoredEntry>> = BTreeMap::new();
        for place in places {
            let advert = &mut self.adverts[*place];
            // The digits of a page are random, and one of them may say that the advert has ended.
            let Some(listing) = stored.get(&advert.key).map(|listing| listing.id) else {
                continue;
            };
            let contents = raw_listings::of_listing(&mut tx, listing).await.unwrap();
            advert.seen = contents.last().map(|(raw, _)| (listing, *raw));
            let site = entries.entry(advert.key.site_id.clone()).or_default();
            site.push(entry(advert, at[*place]));
        }
        for (site_id, entries) in &entries {
            index_entries::save_all(&mut tx, site_id, entries)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn deduplicate(&mut self, now: i64) {
        let addresses = Addresses::default();
        let listings = Listings {
            db: self.db,
            addresses: &addresses,
        };
        worker::run(listings, Timestamp(now), &mut self.rng, &|_| {})
            .await
            .unwrap();
    }

    /// Deletes what `jeden work` deletes, with the default settings.
    async fn keep_house(&self, now: i64) {
        let days_ago = |days: i64| Timestamp(now - days * DAY);
        let keep = KeepSince {
            jobs: days_ago(7),
            crawls: days_ago(365),
            entries: days_ago(180),
            contents: None,
        };
        housekeeping::tidy(self.db, keep).await.unwrap();
        record_events::delete_old(self.db, Timestamp(now), days_ago(90))
            .await
            .unwrap();
    }
}

fn content(advert: &Advert) -> RawListing {
    RawListing {
        form: RawForm::Payload,
        url: Some(format!(
            "https://www.{}.example/detail/{}/",
            advert.key.site_id, advert.key.offer_id
        )),
        body: Value::from(advert.page.as_str()).to_string(),
    }
}

fn entry(advert: &Advert, at: Timestamp) -> StoredEntry {
    let hash = content(advert).content_hash();
    StoredEntry {
        offer_id: advert.key.offer_id.clone(),
        url: content(advert).url.unwrap_or_default(),
        teaser: hash,
        seen_at: at,
        due_at: Timestamp(at.millis() + 6 * DAY),
        read: Some(ReadDetail {
            at,
            content: hash,
            stable: hash,
            etag: None,
            last_modified: None,
        }),
    }
}

/// Stores that adverts were seen unchanged. The intake stores the same rows; it would read every page again, which takes
/// hours for a year.
async fn see_unchanged(db: &Db, seen: &[(ListingId, RawId, Timestamp)]) {
    let sightings: Vec<(ListingId, Sighting)> = seen
        .iter()
        .map(|(listing, raw, at)| {
            (
                *listing,
                Sighting {
                    at: *at,
                    raw: Some(*raw),
                },
            )
        })
        .collect();
    let ids: Vec<ListingId> = seen.iter().map(|(listing, _, _)| *listing).collect();
    let times: BTreeMap<ListingId, Timestamp> = seen
        .iter()
        .map(|(listing, _, at)| (*listing, *at))
        .collect();
    let mut tx = db.begin().await.unwrap();
    let new = observations::record_all(&mut tx, &sightings).await.unwrap();
    assert!(new.iter().all(|new| *new));
    for part in ids.chunks(1000) {
        let mut stored = listings::get(&mut tx, part).await.unwrap();
        for one in &mut stored {
            one.state.last_seen_at = times[&one.id];
        }
        let saves: Vec<Save<'_>> = stored
            .iter()
            .map(|one| Save {
                key: &one.key,
                state: &one.state,
                changed: false,
                ahead: None,
            })
            .collect();
        listings::save_all(&mut tx, &saves).await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn template((site_id, page, other): (&'static str, &str, &str)) -> Template {
    let real = |path: &str| {
        let file = project(&format!("../shared/portal-samples/{path}"));
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    Template::from_pages(site_id, &real(page), &real(other))
}

#[tokio::test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
async fn a_year_of_crawls_takes_little_space_and_the_states_follow_from_what_is_stored() {
    let database = support::sqlite().await;
    let scale = if long_form() {
        let live = std::env::var("JEDEN_TEST_ADVERTS").ok();
        let live = live.map_or(5_000, |live| live.parse().unwrap());
        Scale {
            live,
            days: 365,
            most_bytes: DOES_NOT_GROW + live as u64 * 40_000,
        }
    } else {
        Scale {
            live: 100,
            days: 60,
            most_bytes: 2_200_000,
        }
    };
    let mut year = Year {
        db: &database.db,
        scale,
        templates: PAGES.map(template).into(),
        rng: StdRng::seed_from_u64(1),
        adverts: Vec::new(),
        issued: 0,
        contents: 0,
        sightings: 0,
    };
    year.run().await;

    let sizes = figures::table_sizes(&database.db).await.unwrap();
    let total: u64 = sizes.iter().map(|size| size.bytes).sum();
    let mut table = format!(
        "{} live adverts, {} days: {} adverts, {} contents, {} sightings, {total} bytes\n",
        year.scale.live, year.scale.days, year.issued, year.contents, year.sightings
    );
    for size in sizes.iter().take(12) {
        writeln!(table, "{:>12} {}", size.bytes, size.table).unwrap();
    }
    println!("{table}");
    let left_out = sizes.iter().find(|size| size.table == LEFT_OUT);
    let counted = total - left_out.map_or(0, |size| size.bytes);
    assert!(counted < year.scale.most_bytes, "{table}");

    let rebuilt = intake::rebuild(&database.db, &mut |_| {}).await.unwrap();
    let stored = listings::count(&database.db).await.unwrap();
    assert_eq!((rebuilt.listings, rebuilt.changed), (stored, 0));
    database.db.close().await;
}
