//! Reads dumps into profiles without a database, in parts, so that a million listings fit in memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use dedup::addresses::Addresses;
use dedup::profile::Profile;
use ingest::dumps::{self, DumpItem};
use ingest::intake;
use ingest::timeline::{ContentHash, Event, Sighting, fold};
use rayon::prelude::*;
use schema::{ListingId, ListingKey, Observation, StoredListing};

/// About how many bytes of dumps one part holds; compressed dumps hold about five times as much.
const HELD: u64 = 250_000_000;

/// How many lines are read at a time.
const LINES: usize = 20_000;

/// The profiles of every listing of the dumps.
pub fn profiles(paths: &[PathBuf]) -> Vec<Profile> {
    let sources = dumps::find_sources(paths).expect("dumps that can be read");
    let bytes: u64 = sources.iter().filter_map(dumps::Source::bytes).sum();
    let parts = bytes / HELD + 1;
    let mut profiles: Vec<Profile> = Vec::new();
    for part in 0..parts {
        let mut listings: Vec<(ListingKey, Vec<Event>)> =
            events(paths, part, parts).into_iter().collect();
        listings.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let read = listings.into_par_iter().filter_map(|(key, events)| {
            let state = fold(events)?;
            let listing = StoredListing {
                id: ListingId(0),
                key,
                state,
                version: 1,
                offer_id: None,
            };
            Some(Profile::from_listing(&listing, &Addresses::default()))
        });
        profiles.extend(read.collect::<Vec<_>>());
    }
    for (id, profile) in (1..).zip(&mut profiles) {
        profile.id = ListingId(id);
    }
    profiles.shrink_to_fit();
    profiles
}

/// The observations of one part of the listings.
fn events(paths: &[PathBuf], part: u64, parts: u64) -> HashMap<ListingKey, Vec<Event>> {
    let mut events: HashMap<ListingKey, Vec<Event>> = HashMap::new();
    let mut crawls: Vec<(String, Event)> = Vec::new();
    let sources = dumps::find_sources(paths).expect("dumps that can be read");
    let mut lines = dumps::read_lines(sources).peekable();
    while lines.peek().is_some() {
        let taken: Vec<DumpItem> = lines.by_ref().take(LINES).collect();
        let read: Vec<Observation> = taken
            .into_par_iter()
            .filter_map(|item| observation(item, part, parts))
            .collect();
        let events_of: Vec<(ListingKey, Event)> = read
            .into_par_iter()
            .filter_map(|observation| match observation {
                Observation::Seen { key, at, raw } => {
                    let listing = intake::read_raw_listing(&key.site_id, &raw).ok()?.listing;
                    let sighting = Sighting {
                        at,
                        content: ContentHash::from(&raw),
                        listing,
                        url: None,
                        brief: false,
                    };
                    Some((key, Event::Seen(Box::new(sighting))))
                }
                Observation::Gone { key, at } => Some((key, Event::Gone { at })),
                Observation::Crawled(crawl) => Some((
                    ListingKey::new(crawl.site_id.clone(), ""),
                    Event::from(&crawl),
                )),
            })
            .collect();
        for (key, event) in events_of {
            match event {
                Event::Crawled { .. } => crawls.push((key.site_id, event)),
                _ => events.entry(key).or_default().push(event),
            }
        }
    }
    for (key, events) in &mut events {
        events.extend(
            crawls
                .iter()
                .filter(|crawl| crawl.0 == key.site_id)
                .map(|crawl| crawl.1.clone()),
        );
    }
    events
}

/// The observation of a line, if its listing belongs to this part.
fn observation(item: DumpItem, part: u64, parts: u64) -> Option<Observation> {
    let DumpItem::Line(line) = item else {
        return None;
    };
    if parts > 1 && belongs_to(&line.content, parts).is_some_and(|own| own != part) {
        return None;
    }
    dumps::parse_line(&line.content).ok()?
}

/// The part that the listing of a line belongs to, from the bytes of its number, so that most lines
/// are parsed only once.
fn belongs_to(line: &[u8], parts: u64) -> Option<u64> {
    let name = b"\"offerId\":\"";
    let from = line
        .windows(name.len())
        .take(200)
        .position(|window| window == name)?
        + name.len();
    let number = line.get(from..)?.split(|byte| *byte == b'"').next()?;
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    Some(hasher.finish() % parts)
}
