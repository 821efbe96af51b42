//! Clusters that are replaced a few at a time.

use crate::blocking::Member;

/// A partition of the members that are there.
#[derive(Debug, Default)]
pub struct Clusters {
    /// By number; a cluster that was replaced is empty.
    lists: Vec<Vec<Member>>,
    /// Numbers of empty clusters.
    vacant: Vec<u32>,
    /// The cluster of each member; `None` where a member is not there.
    of_member: Vec<Option<u32>>,
}

impl Clusters {
    /// Of `members` members, each in one of these.
    pub fn of(lists: Vec<Vec<Member>>, members: usize) -> Self {
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

    /// Makes room for one more member.
    pub fn grow(&mut self) {
        self.of_member.push(None);
    }

    /// Every cluster.
    pub fn iter(&self) -> impl Iterator<Item = &[Member]> {
        self.lists
            .iter()
            .filter(|list| !list.is_empty())
            .map(Vec::as_slice)
    }

    /// Puts these in the place of those that their members were in; answers with those of them that are new. Of a cluster
    /// of which one member is among `lists`, all are.
    pub fn replace(&mut self, lists: Vec<Vec<Member>>) -> Vec<Vec<Member>> {
        let fresh: Vec<Vec<Member>> = lists
            .into_iter()
            .filter(|list| !self.is_there(list))
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

    fn is_there(&self, list: &[Member]) -> bool {
        let number = list
            .first()
            .and_then(|member| self.of_member[*member as usize]);
        number.is_some_and(|number| self.lists[number as usize] == list)
    }
}
