//! A second implementation of robots.txt, to check the crawler's.

use ingest::crawl_definition::Access;
use ingest::portals;
use support::simulator::SimulatedPortal;

use super::Simulation;

impl Simulation {
    /// No request to a portal that allows programs was one that its robots.txt forbids.
    pub fn assert_robots_obeyed(&self, portal: &SimulatedPortal) {
        if !is_open(portal.site_id) {
            return;
        }
        let requests = &self.simulator.world().requests;
        let requests = requests
            .iter()
            .filter(|request| request.site_id == portal.site_id);
        let forbidden = requests.filter(|request| forbids(portal.robots, &request.path));
        assert_eq!(
            forbidden.map(|request| &request.path).collect::<Vec<_>>(),
            Vec::<&String>::new()
        );
    }
}

/// Whether a portal allows programs.
pub fn is_open(site_id: &str) -> bool {
    portals::portal(site_id).unwrap().crawl.access == Access::Open
}

/// Whether the group for every user agent in a robots.txt forbids a path. The longest rule decides; `*` matches any text.
fn forbids(robots: &str, path: &str) -> bool {
    let for_all = robots.split("User-agent: *\n").nth(1).unwrap_or_default();
    let rules = for_all
        .lines()
        .take_while(|line| !line.starts_with("User-agent"))
        .filter_map(|line| {
            let line = line.split_once(" #").map_or(line, |(rule, _)| rule);
            let (rule, pattern) = line.split_once(": ")?;
            let mut rest = Some(path);
            for (number, part) in pattern.split('*').enumerate() {
                let found =
                    rest.and_then(|rest| rest.find(part).filter(|at| number > 0 || *at == 0));
                rest = rest
                    .zip(found)
                    .and_then(|(rest, at)| rest.get(at + part.len()..));
            }
            rest.is_some().then_some((pattern.len(), rule == "Allow"))
        });
    rules.max().is_some_and(|(_, allowed)| !allowed)
}

#[test]
fn the_longest_rule_of_robots_txt_decides() {
    let robots = "User-agent: x\nDisallow: /\n\nUser-agent: *\nDisallow: /search*\nDisallow: /a/*/b\nAllow: /search/all # as of old\n";
    for (path, forbidden) in [
        ("/", false),
        ("/search?x=1", true),
        ("/search/all", false),
        ("/a/c/b", true),
        ("/a/c", false),
        ("/x/search", false),
    ] {
        assert_eq!(forbids(robots, path), forbidden, "{path}");
    }
}
