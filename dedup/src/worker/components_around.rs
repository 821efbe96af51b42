//! The connected components of the match graph around some listings, from the pairs that the last run stored.
//!
//! Only the edges that look-alikes leave strong connect listings. The links of a large estate of equal flats connect tens
//! of thousands of listings, and its strong edges a few.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::{StoreError, Tx, listings, matches, reviews};
use schema::{ListingId, Verdict};

use super::statistics;
use super::stored_components::is_link;
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::clustering::{Constraints, Edge, Link, MUST_LINK, MatchGraph};
use crate::engine::{self, Components};
use crate::profile::{Advertised, Lifetime, Profile};
use crate::statistics::Portal;
use crate::weight_table::WeightTable;

/// Everything that decides about the clusters of some listings.
#[derive(Debug)]
pub(super) struct ComponentsAround {
    /// The listings of the components, ordered by row number. Edges and constraints refer to indices into this list.
    pub(super) members: Vec<ListingId>,
    /// The constraints among them.
    pub(super) constraints: Constraints,
    edges: Vec<Edge>,
}

impl ComponentsAround {
    /// Follows strong edges and decisions from these listings.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub(super) async fn load(
        tx: &mut Tx,
        addresses: &Addresses,
        listings: &BTreeSet<ListingId>,
    ) -> Result<Self, StoreError> {
        let mut explored = Explored {
            portals: statistics::load_portals(tx).await?,
            ..Explored::default()
        };
        let seeds: Vec<Member> = listings.iter().map(|id| explored.number(*id)).collect();
        let mut reached: BTreeSet<Member> = seeds.iter().copied().collect();
        let mut edges: BTreeMap<(Member, Member), Edge> = BTreeMap::new();
        let mut frontier = seeds;
        while !frontier.is_empty() {
            explored.read_around(tx, addresses, &frontier).await?;
            let mut next = Vec::new();
            for member in frontier {
                for edge in explored.edges_of(member) {
                    edges.insert(edge.link.ends(), edge);
                    let (left, right) = edge.link.ends();
                    let other = if left == member { right } else { left };
                    if edge.is_strong() && reached.insert(other) {
                        next.push(other);
                    }
                }
            }
            frontier = next;
        }
        Ok(explored.into_components(&reached, edges))
    }

    /// The components of these listings, whose profiles are in the order of `members`.
    pub(super) fn components(&self, table: &WeightTable) -> Components {
        Components::from_edges(
            table,
            self.members.len(),
            self.edges.clone(),
            self.constraints.cannot_link(),
        )
    }
}

/// The part of the match graph that was read. Listings have numbers in the order in which they were found.
#[derive(Default)]
struct Explored {
    portals: BTreeMap<String, Portal>,
    listings: Vec<ListingId>,
    number_of: HashMap<ListingId, Member>,
    /// Where and when each listing was advertised, as far as that was read.
    advertised: Vec<Option<(String, Lifetime)>>,
    /// Whether the links of each listing were read.
    is_read: Vec<bool>,
    graph: MatchGraph,
    constraints: Constraints,
}

impl Explored {
    /// The number of a listing.
    fn number(&mut self, id: ListingId) -> Member {
        if let Some(number) = self.number_of.get(&id) {
            return *number;
        }
        let number = self.listings.len() as Member;
        self.number_of.insert(id, number);
        self.listings.push(id);
        self.advertised.push(None);
        self.is_read.push(false);
        self.graph.add_member();
        number
    }

    /// Reads all that the strength of the links of these listings depends on.
    async fn read_around(
        &mut self,
        tx: &mut Tx,
        addresses: &Addresses,
        members: &[Member],
    ) -> Result<(), StoreError> {
        self.read_links(tx, addresses, members).await?;
        let near = members.iter().flat_map(|one| self.graph.neighbours(*one));
        let near: Vec<Member> = near.map(|(other, _)| *other).collect();
        self.read_links(tx, addresses, &near).await?;
        self.read_lifetimes(tx).await
    }

    /// Reads the links of those of the listings whose links were not read.
    async fn read_links(
        &mut self,
        tx: &mut Tx,
        addresses: &Addresses,
        members: &[Member],
    ) -> Result<(), StoreError> {
        let unread: BTreeSet<Member> = members
            .iter()
            .copied()
            .filter(|member| !self.is_read[*member as usize])
            .collect();
        let ids: Vec<ListingId> = unread
            .iter()
            .map(|member| self.listings[*member as usize])
            .collect();
        self.read_decisions(tx, addresses, &ids).await?;
        for found in matches::around(tx, &ids)
            .await?
            .iter()
            .filter(|found| is_link(found))
        {
            let (one, other) = (self.number(found.left), self.number(found.right));
            let (left, right) = (one.min(other), one.max(other));
            if self.constraints.verdict(left, right).is_none() {
                self.add_link(left, right, found.weight as f32);
            }
        }
        for member in unread {
            self.is_read[member as usize] = true;
        }
        Ok(())
    }

    /// Reads the decisions about these listings, and links those that a person joined.
    async fn read_decisions(
        &mut self,
        tx: &mut Tx,
        addresses: &Addresses,
        ids: &[ListingId],
    ) -> Result<(), StoreError> {
        let mut joined = Vec::new();
        for decided in reviews::around(tx, ids).await? {
            let (one, other) = (self.number(decided.left), self.number(decided.right));
            self.constraints.add(one, other, decided.verdict);
            if decided.verdict == Verdict::Same {
                joined.push([decided.left, decided.right]);
            }
        }
        let stored = listings::get(tx, joined.as_flattened()).await?;
        let profiles: HashMap<ListingId, Profile> = stored
            .iter()
            .map(|listing| (listing.id, Profile::from_listing(listing, addresses)))
            .collect();
        for [left, right] in joined {
            let both = profiles.get(&left).zip(profiles.get(&right));
            if both.is_some_and(|(one, other)| engine::may_share_record(one, other)) {
                let (left, right) = (self.number(left), self.number(right));
                self.add_link(left, right, MUST_LINK);
            }
        }
        Ok(())
    }

    /// Links two listings, unless they were linked when the other one was read.
    fn add_link(&mut self, one: Member, other: Member, weight: f32) {
        let known = self.graph.neighbours(one);
        if known.iter().all(|(linked, _)| *linked != other) {
            self.graph.add_link(one, other, weight);
        }
    }

    /// Reads where and when the listings were advertised of which this was not read.
    async fn read_lifetimes(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let unread: Vec<ListingId> = self
            .listings
            .iter()
            .zip(&self.advertised)
            .filter(|(_, advertised)| advertised.is_none())
            .map(|(id, _)| *id)
            .collect();
        for head in listings::heads(tx, &unread).await? {
            let mut lifetime = Lifetime {
                first_seen: head.first_seen_at,
                gone_at: head.gone_at,
                last_seen: head.last_seen_at,
                portal_is_watched: true,
                start_is_known: true,
                first_crawl_was_wide: true,
            };
            let portal = self.portals.get(&head.key.site_id).copied();
            portal.unwrap_or_default().apply_to(&mut lifetime);
            self.advertised[self.number_of[&head.id] as usize] = Some((head.key.site_id, lifetime));
        }
        Ok(())
    }

    /// The edges of a listing, around which everything was read.
    fn edges_of(&self, member: Member) -> impl Iterator<Item = Edge> {
        let advertised = |member: Member| {
            let (portal, lifetime) = self.advertised.get(member as usize)?.as_ref()?;
            Some(Advertised {
                portal,
                lifetime: *lifetime,
            })
        };
        let neighbours = self.graph.neighbours(member).iter();
        neighbours.map(move |(other, weight)| {
            let link = Link {
                left: member.min(*other),
                right: member.max(*other),
                weight: *weight,
            };
            Edge {
                strength: self.graph.strength(&link, advertised),
                link,
            }
        })
    }

    /// The reached listings in the order of their row numbers, with the edges and constraints among them.
    fn into_components(
        self,
        reached: &BTreeSet<Member>,
        edges: BTreeMap<(Member, Member), Edge>,
    ) -> ComponentsAround {
        let mut members: Vec<ListingId> = reached
            .iter()
            .map(|member| self.listings[*member as usize])
            .collect();
        members.sort_unstable();
        let place: HashMap<Member, Member> = (0..)
            .zip(&members)
            .map(|(place, id)| (self.number_of[id], place))
            .collect();
        let both = |(one, other): (Member, Member)| {
            let (one, other) = (*place.get(&one)?, *place.get(&other)?);
            Some((one.min(other), one.max(other)))
        };
        let edges = edges.into_values().filter_map(|edge| {
            let (left, right) = both(edge.link.ends())?;
            Some(Edge {
                link: Link {
                    left,
                    right,
                    ..edge.link
                },
                ..edge
            })
        });
        let mut constraints = Constraints::default();
        for (one, other) in self.constraints.must_link().filter_map(both) {
            constraints.add(one, other, Verdict::Same);
        }
        for (one, other) in self.constraints.cannot_link().filter_map(both) {
            constraints.add(one, other, Verdict::Different);
        }
        ComponentsAround {
            edges: edges.collect(),
            members,
            constraints,
        }
    }
}
