//! How portals were treated, by what the simulator wrote down of every visit.

use std::time::{Duration, Instant};

use schema::store::crawl_runs;
use support::simulator::Visit;

use super::{Month, PACE};

/// How long after a kill the simulator has noticed it, for sure.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// Requests in a row whose pace is judged.
const ROW: usize = 20;

impl Month {
    /// No request to a portal broke the pace, was under way beside too many others, or came before it was asked to.
    pub fn assert_well_behaved(&self, site_id: &str) {
        let world = self.simulator.world();
        let visits: Vec<&Visit> = world
            .visits
            .iter()
            .filter(|visit| visit.site_id == site_id)
            .collect();
        assert!(
            visits.len() > self.span.days as usize,
            "{site_id} was hardly asked"
        );
        assert!(
            visits
                .iter()
                .all(|visit| visit.user_agent.contains("@example.cz")),
            "{site_id}"
        );
        // What a killed worker asked for may still be under way when the next one asks.
        let is_settled = |visit: &&&Visit| {
            !self
                .crew
                .kills
                .iter()
                .any(|kill| (*kill..*kill + SETTLED_AFTER).contains(&visit.came))
        };
        let most = visits
            .iter()
            .filter(is_settled)
            .map(|visit| visit.under_way)
            .max()
            .unwrap_or_default();
        assert!(
            most <= self.span.concurrency,
            "{most} requests to {site_id} were under way at once"
        );
        self.assert_paced(site_id, &visits);
        self.assert_patient(site_id, &visits);
    }

    /// A worker that is killed takes with it what it knew of the portals' patience.
    fn is_undisturbed(&self, from: Instant, to: Instant) -> bool {
        !self.crew.kills.iter().any(|kill| (from..to).contains(kill))
    }

    fn assert_paced(&self, site_id: &str, visits: &[&Visit]) {
        // A request may be late on its way, those that wait for its end are not ahead of their time for it.
        let shortest = PACE * (ROW - 1 - self.span.concurrency) as u32;
        for row in visits.windows(ROW) {
            let (first, last) = (row[0].came, row[ROW - 1].came);
            let took = last.duration_since(first);
            assert!(
                took >= shortest || !self.is_undisturbed(first, last),
                "{ROW} requests to {site_id} within {took:?}"
            );
        }
    }

    fn assert_patient(&self, site_id: &str, visits: &[&Visit]) {
        for (number, refused) in visits
            .iter()
            .enumerate()
            .filter(|(_, visit)| visit.status == 429)
        {
            let answered = refused.answered.unwrap_or(refused.came);
            let same =
                |visit: &&&Visit| (&visit.path, &visit.body) == (&refused.path, &refused.body);
            let Some(again) = visits.iter().skip(number + 1).find(same) else {
                continue;
            };
            let waited = again.came.duration_since(answered);
            let in_time =
                waited >= Duration::from_secs(1) || !self.is_undisturbed(answered, again.came);
            assert!(
                in_time,
                "{site_id}: {} came again after {waited:?}",
                again.path
            );
        }
    }

    /// The requests of a day came from one worker after the other: from as many as crawls were asked for and workers
    /// killed, and never from one again after another had begun. Nor does a crawl begin before the one before ended.
    pub async fn assert_crawled_once_at_a_time(&self, site_id: &str) {
        self.assert_handed_over(site_id);
        let mut runs = crawl_runs::list(&self.db, Some(site_id), 1_000)
            .await
            .unwrap();
        runs.reverse();
        assert!(
            runs.len() >= self.span.days as usize,
            "{site_id} was crawled {} times",
            runs.len()
        );
        for pair in runs.windows(2) {
            let ended = pair[0].finished_at.expect("it ended");
            assert!(ended <= pair[1].started_at, "{pair:?} overlap");
        }
    }

    fn assert_handed_over(&self, site_id: &str) {
        let world = self.simulator.world();
        for (number, day) in self.days.iter().enumerate() {
            // What failed is tried again, by whichever worker comes first.
            if day.failing == Some(site_id) {
                continue;
            }
            let to = self
                .days
                .get(number + 1)
                .map_or(world.visits.len(), |next| next.visits_before);
            let visits = world.visits[day.visits_before..to]
                .iter()
                .filter(|visit| visit.site_id == site_id);
            let mut workers: Vec<&str> = visits.map(|visit| visit.user_agent.as_str()).collect();
            workers.dedup();
            let crawls = day.asked.get(site_id).copied().unwrap_or_default() + day.kills;
            assert!(
                workers.len() <= crawls,
                "on day {}, with {} killed, {site_id} was asked by {workers:?}, one after the other",
                number + 1,
                day.kills
            );
        }
    }
}
