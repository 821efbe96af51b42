//! The clusters of an index.

use crate::blocking::Member;

/// A partition of the members that are in the index.
#[derive(Debug, Default)]
pub struct Clusters {
    /// The members of each cluster; empty if the cluster was dissolved.
    lists: Vec<Vec<Member>>,
    /// Numbers of dissolved clusters, to be used again.
    vacant: Vec<u32>,
    /// The cluster of each member; `None` if the member was removed.
    of_member: Vec<Option<u32>>,
}

impl Clusters {
    /// Builds the partition of `members` members from its clusters.
    pub fn from_lists(lists: Vec<Vec<Member>>, members: usize) -> Self {
        let mut of_member = vec![None; members];
        for (number, list) in (0..).zip(&lists) {
            for member in list {
                of_member[*member as usize] = Some(number);
            }
        }
        Self {
            lists,
            vacant: Vec::new(),
            of_member,
        }
    }

    /// Adds a member that is in no cluster yet.
    pub fn add_member(&mut self) {
        self.of_member.push(None);
    }

    /// Every cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[Member]> {
        self.lists
            .iter()
            .filter(|list| !list.is_empty())
            .map(Vec::as_slice)
    }

    /// The cluster of a member; empty if the member was removed.
    pub fn cluster_of(&self, member: Member) -> &[Member] {
        let number = self.of_member.get(member as usize).copied().flatten();
        number.map_or(&[], |number| self.lists[number as usize].as_slice())
    }

    /// Replaces the clusters of all members in `lists` by `lists`, and returns those that are new. If
    /// `lists` holds one member of an old cluster, it must hold all of them.
    pub fn replace(&mut self, lists: Vec<Vec<Member>>) -> Vec<Vec<Member>> {
        let fresh: Vec<Vec<Member>> = lists
            .into_iter()
            .filter(|list| !self.is_cluster(list))
            .collect();
        for member in fresh.iter().flatten() {
            self.dissolve(*member);
        }
        for list in &fresh {
            let number = self.vacant.pop().unwrap_or(self.lists.len() as u32);
            if number as usize == self.lists.len() {
                self.lists.push(Vec::new());
            }
            for member in list {
                self.of_member[*member as usize] = Some(number);
            }
            self.lists[number as usize].clone_from(list);
        }
        fresh
    }

    /// Dissolves the cluster of a member.
    pub fn dissolve(&mut self, member: Member) {
        let Some(number) = self.of_member[member as usize] else {
            return;
        };
        for member in std::mem::take(&mut self.lists[number as usize]) {
            self.of_member[member as usize] = None;
        }
        self.vacant.push(number);
    }

    fn is_cluster(&self, list: &[Member]) -> bool {
        let number = list
            .first()
            .and_then(|member| self.of_member[*member as usize]);
        number.is_some_and(|number| self.lists[number as usize] == list)
    }
}
