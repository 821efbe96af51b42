//! The cost of matching, from profiles in memory to clusters.
//!
//! ```sh
//! cargo bench -p dedup --bench scale -- DUMP… [--truth truth.csv] [--clusters OUT.csv] [--share N]
//! ```
//!
//! `DUMP` is what `jeden replay` reads. With `--truth` (`siteId,offerId,propertyId,offerType,kind,ambiguous`)
//! it prints how many true pairs are compared. `--clusters` writes what `jeden clusters` prints.
//! `--share 10` uses only every tenth property of the truth.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

mod cost;
mod load;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dedup::blocking::{CandidatePairs, Member};
use dedup::clustering::Constraints;
use dedup::engine;
use dedup::index::Index;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;

use cost::Step;
use cpu_time::ThreadTime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// About how many listings are removed and added again.
const TAKEN: usize = 5_000;

/// What to measure.
#[derive(Default)]
struct Options {
    dumps: Vec<PathBuf>,
    truth: Option<PathBuf>,
    clusters: Option<PathBuf>,
    share: u64,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            share: 1,
            ..Self::default()
        };
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value after the option");
            match argument.as_str() {
                "--truth" => options.truth = Some(value().into()),
                "--clusters" => options.clusters = Some(value().into()),
                "--share" => options.share = value().parse().expect("a number after --share"),
                dump => options.dumps.push(dump.into()),
            }
        }
        options
    }
}

fn main() {
    let options = Options::parse(std::env::args().skip(1));
    if options.dumps.is_empty() {
        println!(
            "No dump given; run: cargo bench -p dedup --bench scale -- DUMP… [--truth truth.csv]"
        );
        return;
    }
    let step = Step::begin();
    let mut profiles = load::profiles(&options.dumps);
    println!("{} listings read       {}", profiles.len(), step.end());
    let properties = options.truth.as_ref().map(properties);
    if let Some(properties) = &properties {
        let chosen = |profile: &Profile| {
            let property = properties.get(&profile.key.to_string());
            property.is_some_and(|property| {
                dedup::hash::hash(&[property]).is_multiple_of(options.share)
            })
        };
        profiles.retain(|profile| options.share == 1 || chosen(profile));
        profiles.shrink_to_fit();
    }
    let (candidates, clusters) = whole(&mut profiles);
    if let Some(properties) = &properties {
        reached(&profiles, &candidates, properties);
    }
    drop(candidates);
    if let Some(path) = &options.clusters {
        write(path, &profiles, &clusters);
    }
    one_by_one(profiles, clusters);
}

/// Removes listings one at a time and adds them again. At the end the clusters must be the same.
fn one_by_one(profiles: Vec<Profile>, clusters: Vec<Vec<Member>>) {
    let every = (profiles.len() / TAKEN).max(1);
    let taken: Vec<Profile> = profiles.iter().step_by(every).cloned().collect();
    let step = Step::begin();
    let mut index = Index::build(WeightTable::default(), profiles, &[]);
    println!("index                   {}", step.end());
    let (mut going, mut coming) = (Vec::new(), Vec::new());
    for profile in taken {
        let at = Spent::begin();
        index.remove(&profile.key);
        going.push(at.end());
        let at = Spent::begin();
        index.put(profile);
        coming.push(at.end());
    }
    say("one listing removed", &going);
    say("one listing added  ", &coming);
    let found: BTreeSet<Vec<Member>> = index.clusters().map(<[Member]>::to_vec).collect();
    assert!(
        found == clusters.into_iter().collect(),
        "the clusters are the same as before"
    );
}

/// Elapsed time and CPU time of the thread. On a busy machine only CPU time is comparable.
struct Spent {
    clock: Instant,
    worked: ThreadTime,
}

impl Spent {
    fn begin() -> Self {
        Self {
            clock: Instant::now(),
            worked: ThreadTime::now(),
        }
    }

    fn end(self) -> (Duration, Duration) {
        (self.worked.elapsed(), self.clock.elapsed())
    }
}

fn say(what: &str, times: &[(Duration, Duration)]) {
    let of = |mut times: Vec<Duration>| {
        times.sort_unstable();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        format!(
            "p50 {:.3}, p90 {:.3}, p99 {:.3}, worst {:.3} ms",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        )
    };
    println!(
        "{what}: of CPU {}",
        of(times.iter().map(|(worked, _)| *worked).collect())
    );
    println!(
        "{what}: on the clock {}",
        of(times.iter().map(|(_, clock)| *clock).collect())
    );
}

/// Runs all stages over all listings.
fn whole(profiles: &mut [Profile]) -> (CandidatePairs, Vec<Vec<Member>>) {
    let all = Step::begin();
    let step = Step::begin();
    engine::sort_for_locality(profiles);
    println!("sorted                  {}", step.end());
    let step = Step::begin();
    let candidates = engine::candidates(profiles);
    let each = candidates.count() as f64 / profiles.len() as f64;
    println!("keys, {each:.2} pairs a listing {}", step.end());
    let step = Step::begin();
    let pairs = engine::score_candidates(&WeightTable::default(), profiles, &candidates);
    println!("scores: {} kept  {}", pairs.len(), step.end());
    let step = Step::begin();
    let clusters = engine::clusters(
        &WeightTable::default(),
        profiles,
        &pairs,
        &Constraints::default(),
    );
    println!("clusters: {}        {}", clusters.len(), step.end());
    println!("profiles to clusters    {}", all.end());
    (candidates, clusters)
}

/// The property of each listing, without ambiguous listings.
fn properties(truth: &PathBuf) -> HashMap<String, String> {
    let mut rows = csv::Reader::from_path(truth).expect("a table with the truth");
    let of = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.expect("a row of the truth");
        let known = row
            .get(5)
            .is_none_or(|ambiguous| matches!(ambiguous, "" | "0"));
        known.then(|| {
            (
                format!("{}/{}", &row[0], &row[1]),
                format!("{}/{}", &row[2], &row[3]),
            )
        })
    };
    rows.records().filter_map(of).collect()
}

/// Prints how many true pairs are compared.
fn reached(
    profiles: &[Profile],
    candidates: &CandidatePairs,
    properties: &HashMap<String, String>,
) {
    let mut members: HashMap<&str, Vec<Member>> = HashMap::new();
    for (place, profile) in (0..).zip(profiles) {
        if let Some(property) = properties.get(&profile.key.to_string()) {
            members.entry(property).or_default().push(place);
        }
    }
    let (mut all, mut compared) = (0usize, 0usize);
    for members in members.values() {
        for (place, one) in members.iter().enumerate() {
            for other in &members[place + 1..] {
                all += 1;
                compared += usize::from(candidates.contains(*one, *other));
            }
        }
    }
    println!(
        "of {all} true pairs {:.3} % are compared",
        compared as f64 / all as f64 * 100.0
    );
}

fn write(path: &PathBuf, profiles: &[Profile], clusters: &[Vec<Member>]) {
    let mut table = csv::Writer::from_path(path).expect("a place to write to");
    table
        .write_record(["siteId", "offerId", "clusterId"])
        .expect("a row written");
    for (number, cluster) in clusters.iter().enumerate() {
        for member in cluster {
            let key = &profiles[*member as usize].key;
            table
                .write_record([&key.site_id, &key.offer_id, &number.to_string()])
                .expect("a row written");
        }
    }
    table.flush().expect("a table written");
}
