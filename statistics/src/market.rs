//! Reads the records page by page and keeps the numbers that the figures need: some eight bytes for each figure of a
//! record, so that a million records take a few hundred megabytes at most.

use std::collections::{BTreeMap, HashSet};

use futures::future::BoxFuture;
use schema::store::market::{self, MarketAdvert, MarketRecord};
use schema::store::{Db, StoreError};
use schema::{Month, PropertyType, Timestamp};

use crate::change::{days_between, price_per_area};
use crate::kind::Kind;

/// How many records are read at once.
const PAGE: u32 = 10_000;

/// What the figures are made of, by kind.
#[derive(Debug, Default)]
pub struct Market {
    pub(crate) kinds: BTreeMap<Kind, KindNumbers>,
}

/// Numbers of groups, by the name of the group.
pub(crate) type Numbers = BTreeMap<String, Vec<f64>>;

/// The numbers of one kind.
#[derive(Debug, Default)]
pub(crate) struct KindNumbers {
    /// Records, also those that are gone.
    pub records: usize,
    /// Records that are live.
    pub live: usize,
    /// Adverts of these records.
    pub adverts: usize,
    /// Asking prices of a square metre of live records, CZK.
    pub per_area: Vec<f64>,
    /// The same, with a number for each of their live adverts, as it asks.
    pub per_area_by_advert: Vec<f64>,
    /// Asking prices of a square metre of live records, by district.
    pub by_district: Numbers,
    /// The same with a number for each advert.
    pub by_district_by_advert: Numbers,
    /// Asking prices of a square metre of live records, by quarter.
    pub by_quarter: Numbers,
    /// Asking prices of a square metre of all records, by the month in which a portal first showed them.
    pub by_month: Numbers,
    /// Days from the first sighting to the end, of records that are gone.
    pub days_until_gone: Vec<f64>,
    /// Days from the first sighting to now, of live records.
    pub days_so_far: Vec<f64>,
    /// Records that a portal showed again under a new number after it had ended them.
    pub relisted: usize,
    /// Records with a first and a last price.
    pub priced: usize,
    /// By how many per cent the last price is lower than the first, of records where it is.
    pub drops: Vec<f64>,
    /// By how many per cent the last price is higher than the first, of records where it is.
    pub rises: Vec<f64>,
}

impl Market {
    /// Reads all records of a database, as they are at `now`. `progress` is told how many were read.
    ///
    /// # Errors
    /// The error of the store.
    pub fn read<'a>(
        db: &'a Db,
        now: Timestamp,
        progress: &'a (dyn Fn(usize) + Sync),
    ) -> BoxFuture<'a, Result<Self, StoreError>> {
        Box::pin(async move {
            let mut market = Self::default();
            let (mut after, mut read) = (0, 0);
            loop {
                let page = market::page(db, after, PAGE).await?;
                let Some(last) = page.last() else {
                    return Ok(market);
                };
                after = last.row;
                read += page.len();
                for record in &page {
                    market.add(record, now);
                }
                progress(read);
            }
        })
    }

    /// Adds a record. One without a kind is of no use to any figure.
    pub fn add(&mut self, record: &MarketRecord, now: Timestamp) {
        let Some((offer_type, property_type)) = record.offer_type.zip(record.property_type) else {
            return;
        };
        let kind = Kind {
            offer_type,
            property_type,
        };
        let numbers = self.kinds.entry(kind).or_default();
        numbers.records += 1;
        numbers.adverts += record.adverts.len();
        numbers.add_price(record);
        numbers.add_time(record, now);
        numbers.add_changes(record);
        numbers.relisted += usize::from(is_relisted(&record.adverts));
    }
}

impl KindNumbers {
    fn add_price(&mut self, record: &MarketRecord) {
        let area = if record.property_type == Some(PropertyType::Land) {
            record.land_area
        } else {
            record.living_area
        };
        let asked = price_per_area(record.price_total, area);
        if let Some(asked) = asked {
            let month = Month::containing(record.first_seen_at).to_string();
            self.by_month.entry(month).or_default().push(asked);
        }
        if !record.is_live {
            return;
        }
        let by_advert = record
            .adverts
            .iter()
            .filter(|advert| advert.gone_at.is_none());
        let by_advert: Vec<f64> = by_advert
            .filter_map(|advert| {
                price_per_area(advert.prices.last().map(|it| it.price_total), area)
            })
            .collect();
        self.per_area.extend(asked);
        self.per_area_by_advert.extend(&by_advert);
        let Some(district) = &record.district else {
            return;
        };
        add(&mut self.by_district, district, asked);
        add(&mut self.by_district_by_advert, district, by_advert);
        if let Some(quarter) = quarter(record, district) {
            add(&mut self.by_quarter, &quarter, asked);
        }
    }

    fn add_time(&mut self, record: &MarketRecord, now: Timestamp) {
        if record.is_live {
            self.live += 1;
            self.days_so_far
                .push(days_between(record.first_seen_at, now) as f64);
        } else if let Some(end) = record.expired_at {
            self.days_until_gone
                .push(days_between(record.first_seen_at, end) as f64);
        }
    }

    /// The first price is the earliest that any portal showed, the last is the record's own: what several portals show at
    /// once is one change.
    fn add_changes(&mut self, record: &MarketRecord) {
        let prices = record
            .adverts
            .iter()
            .filter_map(|advert| advert.prices.first());
        let first = prices.min_by_key(|price| price.at);
        let Some((first, last)) = first.zip(record.price_total) else {
            return;
        };
        if first.price_total <= 0.0 {
            return;
        }
        self.priced += 1;
        let percent = (last - first.price_total) / first.price_total * 100.0;
        if percent < 0.0 {
            self.drops.push(-percent);
        } else if percent > 0.0 {
            self.rises.push(percent);
        }
    }
}

fn add(numbers: &mut Numbers, group: &str, values: impl IntoIterator<Item = f64>) {
    match numbers.get_mut(group) {
        Some(known) => known.extend(values),
        None => {
            numbers.insert(group.to_owned(), values.into_iter().collect());
        }
    }
}

/// The quarter with its municipality and district: several towns have quarters of one name.
fn quarter(record: &MarketRecord, district: &str) -> Option<String> {
    let quarter = record.neighborhood.as_deref()?;
    let city = record.city.as_deref().unwrap_or_default();
    let mut parts = vec![quarter];
    parts.extend([city, district].into_iter().filter(|name| !name.is_empty()));
    parts.dedup();
    Some(parts.join(", "))
}

/// Whether a portal showed the property again under a new number after it had ended it.
fn is_relisted(adverts: &[MarketAdvert]) -> bool {
    let sites: HashSet<&str> = adverts
        .iter()
        .map(|advert| advert.site_id.as_str())
        .collect();
    sites.into_iter().any(|site| {
        let of_site = || adverts.iter().filter(|advert| advert.site_id == site);
        let first_end = of_site().filter_map(|advert| advert.gone_at).min();
        let last_start = of_site().map(|advert| advert.first_seen_at).max();
        first_end
            .zip(last_start)
            .is_some_and(|(end, start)| end <= start)
    })
}
