//! A client in front of a simulated portal, without a network between them.

use std::collections::{BTreeMap, BTreeSet};

use ingest::crawl_definition::{
    Answer, CrawlDefinition, Detail, IndexEntry, Request, Section, UnexpectedAnswer,
};
use ingest::portals::{Portal, portal};
use schema::CrawlScope;
use support::simulator::portals::SIMULATED;
use support::simulator::{Advert, Kind, SimulatedPortal};

/// A portal: as it is read, as it is crawled, as it is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Stand {
    pub portal: &'static Portal,
    pub crawl: &'static CrawlDefinition,
    pub simulated: &'static SimulatedPortal,
}

/// What a walk of lists found: each advert with the scopes of the lists that showed it.
#[derive(Debug, Default)]
pub struct Found {
    pub entries: BTreeMap<String, IndexEntry>,
    pub scopes: BTreeMap<String, BTreeSet<String>>,
    pub pages: usize,
}

/// Every portal that is simulated.
pub fn stands() -> Vec<Stand> {
    SIMULATED
        .iter()
        .map(|simulated| stand(simulated.site_id))
        .collect()
}

/// The stand of one portal.
pub fn stand(site_id: &str) -> Stand {
    let simulated = SIMULATED
        .iter()
        .find(|simulated| simulated.site_id == site_id)
        .unwrap();
    let portal = portal(site_id).unwrap();
    Stand {
        portal,
        crawl: portal.crawl,
        simulated,
    }
}

/// Adverts of all kinds, the newest first; the first kind most of all.
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

impl Stand {
    /// What the portal answers in the end, redirects followed.
    pub fn answer(&self, request: &Request, adverts: &[Advert]) -> Answer {
        let (mut url, mut posted) = (
            request.url.clone(),
            request.body.as_ref().map(ToString::to_string),
        );
        for _ in 0..5 {
            let ask = support::simulator::Ask::of(&url, posted.take());
            assert!(self.simulated.hosts.contains(&ask.host.as_str()), "{url}");
            let reply = (self.simulated.answer)(&ask, adverts);
            match reply.headers.iter().find(|(name, _)| *name == "location") {
                Some((_, to)) if to.starts_with('/') => url = format!("https://{}{to}", ask.host),
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
        panic!("{url} is redirected for ever");
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

    /// Walks a list, unless it is to be split: then the lists to walk instead.
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

    /// The details of entries, in their order, asked for as many at once as the portal allows.
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

/// A scope as a text that can be compared.
pub fn scope_name(scope: CrawlScope) -> String {
    serde_json::to_string(&scope).unwrap()
}
