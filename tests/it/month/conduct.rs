//! Checks of how the workers treated the portals, by the simulator's record of every request.

use std::time::Duration;

use schema::store::crawl_runs;
use support::simulator::{Fault, RecordedRequest};

use super::{PACE, Simulation};

/// How long the simulator may take to notice that a worker was killed.
const NOTICED_AFTER: Duration = Duration::from_secs(2);

/// How many consecutive requests the pace is checked over.
const ROW: usize = 20;

impl Simulation {
    /// No request to a portal broke the pace, exceeded the concurrency, or came before the portal's `Retry-After`.
    pub fn assert_policy_kept(&self, site_id: &str) {
        let world = self.simulator.world();
        let requests: Vec<&RecordedRequest> = world
            .requests
            .iter()
            .filter(|request| request.site_id == site_id)
            .collect();
        assert!(
            requests.len() > self.scenario.days as usize,
            "{site_id} received too few requests"
        );
        assert!(
            requests
                .iter()
                .all(|request| request.user_agent.contains("@example.cz")),
            "{site_id}"
        );
        // A request of a killed worker may still be in flight when the next worker sends one.
        let is_undisturbed = |request: &&&RecordedRequest| {
            !self
                .workers
                .kills
                .iter()
                .any(|kill| (*kill..*kill + NOTICED_AFTER).contains(&request.arrived_at))
        };
        let most = requests
            .iter()
            .filter(is_undisturbed)
            .map(|request| request.in_flight)
            .max()
            .unwrap_or_default();
        assert!(
            most <= self.scenario.concurrency,
            "{most} requests to {site_id} were in flight together"
        );
        self.assert_paced(site_id, &requests);
        Self::assert_retry_after_kept(site_id, &requests);
    }

    /// The workers keep the pace. One that takes over a crawl does not know when the one before sent its last request.
    fn assert_paced(&self, site_id: &str, requests: &[&RecordedRequest]) {
        for row in requests.windows(ROW) {
            let took = row[ROW - 1].arrived_at.duration_since(row[0].arrived_at);
            let pairs = row.windows(2);
            let taken_over = pairs.filter(|pair| pair[0].user_agent != pair[1].user_agent);
            // One request may be delayed on its way, so that those after it arrive closer together.
            let unknown = self.scenario.concurrency + taken_over.count();
            let shortest = PACE * (ROW - 1).saturating_sub(unknown) as u32;
            assert!(
                took >= shortest,
                "{ROW} requests to {site_id} within {took:?}, not {shortest:?}"
            );
        }
    }

    /// No worker asks again before the time that an answer told it to wait. A worker that takes over a crawl, because the
    /// one before was killed or frozen, never saw that answer. Nor did one whose connection broke within it.
    fn assert_retry_after_kept(site_id: &str, requests: &[&RecordedRequest]) {
        // Several adverts may lead to the front page, so another request of it may have been on its way already.
        let refused = |request: &RecordedRequest| {
            request.status == 429 && request.path != "/" && request.fault != Some(Fault::Reset)
        };
        for (number, refused) in requests
            .iter()
            .enumerate()
            .filter(|(_, request)| refused(request))
        {
            let same = |request: &&&RecordedRequest| {
                (&request.path, &request.body, &request.user_agent)
                    == (&refused.path, &refused.body, &refused.user_agent)
            };
            let Some(again) = requests.iter().skip(number + 1).find(same) else {
                continue;
            };
            let answered = refused.answered_at.unwrap_or(refused.arrived_at);
            let waited = again.arrived_at.duration_since(answered);
            assert!(
                waited >= Duration::from_secs(1),
                "{site_id}: {} was requested again after {waited:?} by {}",
                again.path,
                again.user_agent
            );
        }
    }

    /// Each day, one worker after the other crawled a portal: at most as many as crawls were requested and workers killed,
    /// and never one again after another had started. No crawl started before the previous one had ended.
    pub async fn assert_one_crawl_at_a_time(&self, site_id: &str) {
        self.assert_handed_over(site_id);
        let mut runs = crawl_runs::list(&self.db, Some(site_id), 1_000)
            .await
            .unwrap();
        runs.reverse();
        assert!(
            runs.len() >= self.scenario.days as usize,
            "{site_id} was crawled {} times",
            runs.len()
        );
        for pair in runs.windows(2) {
            let ended = pair[0].finished_at.expect("the crawl ended");
            assert!(ended <= pair[1].started_at, "{pair:?} overlap");
        }
    }

    fn assert_handed_over(&self, site_id: &str) {
        let world = self.simulator.world();
        for (number, day) in self.days.iter().enumerate() {
            // A failed crawl is retried by any worker.
            if day.failing.contains(&site_id) {
                continue;
            }
            let to = self
                .days
                .get(number + 1)
                .map_or(world.requests.len(), |next| next.requests_before);
            let requests = world.requests[day.requests_before..to]
                .iter()
                .filter(|request| request.site_id == site_id);
            let mut workers: Vec<&str> = requests
                .map(|request| request.user_agent.as_str())
                .collect();
            workers.dedup();
            let crawls = day.requested.get(site_id).copied().unwrap_or_default() + day.kills;
            assert!(
                workers.len() <= crawls,
                "on day {}, with {} kills, {site_id} was crawled by {workers:?}, one after the other",
                number + 1,
                day.kills
            );
        }
    }
}
