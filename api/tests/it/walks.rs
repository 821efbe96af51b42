//! Paging while records change, compared with a model: random filters, page sizes, servers and writes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schema::store::Db;
use schema::store::offers::{self, OfferRow};
use schema::{Attributes, Location, Offer, OfferId, OfferType, PropertyType, Timestamp};
use tokio::sync::{Mutex, Semaphore};

use crate::support::{Account, Answer, TestApi};

/// The number of portal listings; each belongs to one record at any time.
const LISTINGS: u32 = 150;
const WALKS: u64 = 45;
const CENTRE: Location = Location {
    lat: 50.0,
    lng: 14.0,
};

/// A stored record: its listings and the fields used by filters.
#[derive(Debug, Clone, PartialEq)]
struct Stored {
    listings: Vec<u32>,
    changed_at: Timestamp,
    expired_at: Option<Timestamp>,
    is_house: bool,
    price: f64,
    district: &'static str,
    is_near: bool,
}

impl Stored {
    fn random(listings: Vec<u32>, rng: &mut StdRng) -> Self {
        let month: Timestamp = "2026-07-01T00:00:00Z".parse().unwrap();
        // Few instants, so that many are equal. They do not always increase, because a change of rules may change a record.
        let instant = |rng: &mut StdRng| Timestamp(month.millis() + rng.random_range(0..40) * 1000);
        Self {
            listings,
            changed_at: instant(rng),
            expired_at: rng.random_bool(0.2).then(|| instant(rng)),
            is_house: rng.random_bool(0.3),
            price: f64::from(rng.random_range(1..10)),
            district: ["Tachov", "Zlín"][rng.random_range(0..2)],
            is_near: rng.random_bool(0.5),
        }
    }

    /// The record as deduplication stores it. The title lists its listings.
    fn row(&self, id: &str) -> OfferRow {
        let listings: Vec<String> = self.listings.iter().map(u32::to_string).collect();
        let attributes = Attributes {
            location: self.is_near.then_some(CENTRE),
            title: Some(listings.join(" ")),
            district: Some(self.district.to_owned()),
            offer_type: Some(OfferType::Sale),
            property_type: Some(if self.is_house {
                PropertyType::House
            } else {
                PropertyType::Apartment
            }),
            price_total: Some(self.price),
            ..Attributes::default()
        };
        let offer = Offer {
            id: OfferId::parse(id).unwrap(),
            first_seen_at: self.changed_at,
            last_changed_at: self.changed_at,
            is_live: self.expired_at.is_none(),
            attributes,
        };
        OfferRow {
            offer,
            portal_links: Vec::new(),
            price_history: Vec::new(),
            expired_at: self.expired_at,
            issued_at: self.changed_at,
            municipality: None,
        }
    }
}

/// The stored records, and the changes since the first page. Locked while a transaction is written.
#[derive(Default)]
struct Model {
    records: BTreeMap<String, Stored>,
    touched: BTreeSet<String>,
    issued: u32,
}

/// A record to save, and the records that are merged into it.
type Write = (String, Vec<String>);

impl Model {
    fn fresh_id(&mut self) -> String {
        self.issued += 1;
        format!("record-{:04}", self.issued)
    }

    /// Changes, ends, revives, merges or splits records that this transaction has not touched yet.
    fn step(&mut self, done: &mut BTreeSet<String>, rng: &mut StdRng) -> Vec<Write> {
        let free: Vec<String> = self
            .records
            .keys()
            .filter(|id| !done.contains(*id))
            .cloned()
            .collect();
        let chosen: Vec<String> = free.sample(rng, 2).cloned().collect();
        let [one, other] = chosen.as_slice() else {
            return Vec::new();
        };
        let listings = self.records[one].listings.clone();
        done.insert(one.clone());
        match rng.random_range(0..5) {
            // Two records merge: the older id stays.
            0 => {
                let (stays, goes) = (one.min(other).clone(), one.max(other).clone());
                done.extend([stays.clone(), goes.clone()]);
                let gone = self.records.remove(&goes).unwrap();
                let all = [self.records[&stays].listings.clone(), gone.listings].concat();
                self.records.insert(stays.clone(), Stored::random(all, rng));
                vec![(stays, vec![goes])]
            }
            // A record splits: the id stays with its first listing.
            1 if listings.len() > 1 => {
                let (first, second) = listings.split_at(rng.random_range(1..listings.len()));
                let fresh = self.fresh_id();
                done.insert(fresh.clone());
                self.records
                    .insert(one.clone(), Stored::random(first.to_vec(), rng));
                self.records
                    .insert(fresh.clone(), Stored::random(second.to_vec(), rng));
                vec![(one.clone(), Vec::new()), (fresh, Vec::new())]
            }
            // A record ends or comes back, and nothing else changes.
            2 | 3 => {
                let record = self.records.get_mut(one).unwrap();
                record.expired_at = record.expired_at.is_none().then_some(record.changed_at);
                vec![(one.clone(), Vec::new())]
            }
            _ => {
                self.records
                    .insert(one.clone(), Stored::random(listings, rng));
                vec![(one.clone(), Vec::new())]
            }
        }
    }

    /// Writes like deduplication: first the change numbers, then what is merged, then all records, in one transaction.
    async fn write(&mut self, db: &Db, writes: &[Write]) {
        let count: usize = writes.iter().map(|(_, retired)| 1 + retired.len()).sum();
        let mut tx = db.begin().await.unwrap();
        let mut change = offers::next_change(&mut tx, count as u64).await.unwrap();
        let mut rows = Vec::with_capacity(writes.len());
        for (id, retired) in writes {
            rows.push((self.records[id].row(id), change));
            change += 1;
            for gone in retired {
                let (gone, into) = (OfferId::parse(gone).unwrap(), OfferId::parse(id).unwrap());
                offers::retire(&mut tx, &gone, &into, change).await.unwrap();
                change += 1;
            }
            self.touched.extend(retired.iter().chain([id]).cloned());
        }
        let saved: Vec<_> = rows.iter().map(|(row, change)| (row, *change)).collect();
        offers::save_all(&mut tx, &saved).await.unwrap();
        tx.commit().await.unwrap();
    }
}

/// Writes one transaction for each permit it receives, while other tasks run.
async fn keep_writing(db: Db, model: Arc<Mutex<Model>>, turns: Arc<Semaphore>) {
    let mut rng = StdRng::seed_from_u64(12);
    while let Ok(turn) = turns.acquire().await {
        turn.forget();
        let mut model = model.lock().await;
        let mut done = BTreeSet::new();
        let writes: Vec<Write> = (0..rng.random_range(1..4))
            .flat_map(|_| model.step(&mut done, &mut rng))
            .collect();
        model.write(&db, &writes).await;
    }
}

/// A search, and the records that match it.
type Search = (&'static str, fn(&Stored) -> bool);

const SEARCHES: [Search; 7] = [
    ("", |record| record.expired_at.is_none()),
    ("includeInactive=true", |_| true),
    ("type=apartment", |record| {
        record.expired_at.is_none() && !record.is_house
    }),
    ("type=house&includeInactive=true", |record| record.is_house),
    ("priceMin=3&priceMax=7", |record| {
        record.expired_at.is_none() && (3.0..=7.0).contains(&record.price)
    }),
    ("district=Tachov&offerType=sale", |record| {
        record.expired_at.is_none() && record.district == "Tachov"
    }),
    ("lat=50&lng=14&radiusMeters=100", |record| {
        record.expired_at.is_none() && record.is_near
    }),
];

/// Reads all pages, each with a random size from a random server, and returns them. During each request, one or two
/// transactions are written.
async fn walk(
    (servers, account): (&[TestApi], &Account),
    query: &str,
    writer: &Semaphore,
    rng: &mut StdRng,
) -> Vec<Answer> {
    let mut pages: Vec<Answer> = Vec::new();
    loop {
        let cursor = pages
            .last()
            .map(|page| page.next_cursor().map(str::to_owned));
        let cursor = match cursor {
            Some(None) => return pages,
            Some(Some(cursor)) => format!("&cursor={cursor}"),
            None => String::new(),
        };
        writer.add_permits(rng.random_range(1..3));
        let largest = *[2, 9, 50].choose(rng).unwrap();
        let path = format!(
            "/v1/offers?{query}&limit={}{cursor}",
            rng.random_range(1..=largest)
        );
        // Sometimes a server that has just started and has not seen the earlier pages.
        let page = if rng.random_bool(0.1) {
            servers[0].beside(|_| ()).await.get_as(account, &path).await
        } else {
            servers.choose(rng).unwrap().get_as(account, &path).await
        };
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        pages.push(page);
    }
}

fn check(
    pages: &[Answer],
    before: &BTreeMap<String, Stored>,
    touched: &BTreeSet<String>,
    search: Search,
) {
    let (query, finds) = search;
    let (mut seen, mut listings, mut last) = (BTreeSet::new(), BTreeSet::new(), String::from("9"));
    for offer in pages
        .iter()
        .flat_map(|page| page.body["data"].as_array().unwrap())
    {
        let id = offer["id"].as_str().unwrap();
        assert!(seen.insert(id.to_owned()), "{query}: {id} was shown twice");
        for listing in offer["title"].as_str().unwrap().split(' ') {
            assert!(
                listings.insert(listing.to_owned()),
                "{query}: the property of listing {listing} was shown twice"
            );
        }
        let changed_at = offer["lastChangedAt"].as_str().unwrap().to_owned();
        assert!(changed_at <= last, "{query}: {id} is out of order");
        last = changed_at;
    }
    for (id, record) in before.iter().filter(|(id, _)| !touched.contains(*id)) {
        assert_eq!(seen.contains(id), finds(record), "{query}: {id} {record:?}");
    }
    for id in &seen {
        assert!(
            before.contains_key(id) || touched.contains(id),
            "{query}: {id} never existed"
        );
    }
}

/// Spec, search 15: sending nextCursor until hasMore is false shows every match once.
/// Spec, Silent 17: a cursor is stateless: every process reads it.
/// Spec, Silent 18: while records change, paging shows none twice and misses no unchanged one.
#[tokio::test(flavor = "multi_thread")]
async fn pages_show_every_unchanged_record_once_whatever_a_writer_does() {
    for database in support::databases().await {
        // One server follows the changes, the other catches up only when a request needs it.
        let lazy = TestApi::start(database.db.clone(), |_| ()).await;
        let eager = lazy
            .beside(|config| config.index_poll = Duration::from_millis(3))
            .await;
        let account = lazy.unlimited_account().await;
        let servers = [lazy, eager];
        let mut rng = StdRng::seed_from_u64(11);
        let mut model = Model::default();
        for listing in 0..LISTINGS {
            let id = model.fresh_id();
            model
                .records
                .insert(id.clone(), Stored::random(vec![listing], &mut rng));
            model.write(&database.db, &[(id, Vec::new())]).await;
        }
        let (model, turns) = (Arc::new(Mutex::new(model)), Arc::new(Semaphore::new(0)));
        let writer = tokio::spawn(keep_writing(
            database.db.clone(),
            Arc::clone(&model),
            Arc::clone(&turns),
        ));
        let (mut stayed, mut changed) = (0, 0);
        for number in 0..WALKS {
            let mut now = model.lock().await;
            now.touched.clear();
            let before = now.records.clone();
            drop(now);
            let search = SEARCHES[number as usize % SEARCHES.len()];
            let pages = walk((&servers, &account), search.0, &turns, &mut rng).await;
            let touched = model.lock().await.touched.clone();
            check(&pages, &before, &touched, search);
            stayed += before.keys().filter(|id| !touched.contains(*id)).count();
            changed += touched.len();
        }
        turns.close();
        writer.await.unwrap();
        assert!(
            stayed > 500 && changed > 500,
            "{}: {stayed} stayed, {changed} changed",
            database.name
        );
    }
}
