//! A portal's crawl definition and its simulation, without a network between them.

use std::collections::{BTreeMap, BTreeSet};

use ingest::crawl_definition::{
    Answer, CrawlDefinition, Detail, IndexEntry, Request, Section, UnexpectedAnswer,
};
use ingest::portals::{Portal, portal};
use schema::CrawlScope;
use support::simulator::portals::SIMULATED;
use support::simulator::{Advert, Kind, SimulatedPortal};

/// A portal with its crawl definition and its simulation.
#[derive(Debug, Clone, Copy)]
pub struct SimulatedSite {
    pub portal: &'static Portal,
    pub crawl: &'static CrawlDefinition,
    pub simulated: &'static SimulatedPortal,
}

/// The result of walking the lists: each advert with the scopes of the lists that showed it.
#[derive(Debug, Default)]
pub struct Found {
    pub entries: BTreeMap<String, IndexEntry>,
    pub scopes: BTreeMap<String, BTreeSet<String>>,
    pub pages: usize,
}

/// Every simulated portal.
pub fn sites() -> Vec<SimulatedSite> {
    SIMULATED
        .iter()
        .map(|simulated| site(simulated.site_id))
        .collect()
}

/// The simulated portal with this id.
pub fn site(site_id: &str) -> SimulatedSite {
    let simulated = SIMULATED
        .iter()
        .find(|simulated| simulated.site_id == site_id)
        .unwrap();
    let portal = portal(site_id).unwrap();
    SimulatedSite {
        portal,
        crawl: portal.crawl,
        simulated,
    }
}

/// Adverts of all kinds, the newest first. The first kind is the most frequent.
pub fn market(count: u64) -> Vec<Advert> {
    let kind = |number: u64| match number % 5 {
        0 | 4 => Kind::FlatSale,
        1 => Kind::FlatRent,
        2 => Kind::HouseSale,
        _ => Kind::LandSale,
    };
    let price = |number: u64| match kind(number) {
        Kind::FlatRent => 9_000 + 100 * number,
        _ => 1_200_000 + 10_000 * number,
    };
    let advert = |number| Advert {
        number,
        kind: kind(number),
        price: price(number),
        revision: 0,
    };
    (1..=count).rev().map(advert).collect()
}

impl SimulatedSite {
    /// The portal's answer after all redirects.
    pub fn answer(&self, request: &Request, adverts: &[Advert]) -> Answer {
        let (mut url, mut posted) = (
            request.url.clone(),
            request.body.as_ref().map(ToString::to_string),
        );
        for _ in 0..5 {
            let posted_request = support::simulator::PortalRequest::new(&url, posted.take());
            assert!(
                self.simulated.hosts.contains(&posted_request.host.as_str()),
                "{url}"
            );
            let reply = (self.simulated.answer)(&posted_request, adverts);
            match reply.headers.iter().find(|(name, _)| *name == "location") {
                Some((_, to)) if to.starts_with('/') => {
                    url = format!("https://{}{to}", posted_request.host);
                }
                Some((_, to)) => url.clone_from(to),
                None => {
                    return Answer {
                        status: reply.status,
                        url,
                        body: reply.body,
                    };
                }
            }
        }
        panic!("{url} is redirected without end");
    }

    /// Walks every list to its end.
    pub fn walk(&self, adverts: &[Advert]) -> Found {
        let mut found = Found::default();
        let mut waiting = (self.crawl.sections)();
        let mut names = BTreeSet::new();
        while let Some(section) = waiting.pop() {
            assert!(
                names.insert(section.name.clone()),
                "{} is the name of two lists",
                section.name
            );
            waiting.extend(self.walk_list(&section, adverts, &mut found));
        }
        found
    }

    /// Walks a list. If the list must be split, returns the lists to walk instead.
    fn walk_list(&self, section: &Section, adverts: &[Advert], found: &mut Found) -> Vec<Section> {
        for number in 0.. {
            let answer = self.answer(&(self.crawl.page)(section, number), adverts);
            let read = (self.crawl.read_page)(section, number, &answer);
            let page = read.unwrap_or_else(|error| panic!("{}: {error}", section.name));
            let narrower = page
                .total
                .map(|total| (self.crawl.split)(section, total))
                .unwrap_or_default();
            if number == 0 && !narrower.is_empty() {
                return narrower;
            }
            found.pages += 1;
            for entry in page.entries {
                let scopes = found.scopes.entry(entry.offer_id.clone()).or_default();
                scopes.insert(scope_name(section.scope));
                found.entries.insert(entry.offer_id.clone(), entry);
            }
            if !page.more {
                break;
            }
            assert!(number < 10_000, "{} never ends", section.name);
        }
        Vec::new()
    }

    /// The details of the entries, in their order. Each request asks for as many details as the portal allows.
    pub fn details(
        &self,
        entries: &[IndexEntry],
        adverts: &[Advert],
    ) -> Result<Vec<Detail>, UnexpectedAnswer> {
        let mut details = Vec::new();
        for asked in entries.chunks(self.crawl.details_per_request) {
            let answer = self.answer(&(self.crawl.details)(asked).unwrap(), adverts);
            let read = (self.crawl.read_details)(asked, &answer)?;
            assert_eq!(read.len(), asked.len());
            details.extend(read);
        }
        Ok(details)
    }
}

/// A scope as text, to compare scopes.
pub fn scope_name(scope: CrawlScope) -> String {
    serde_json::to_string(&scope).unwrap()
}
