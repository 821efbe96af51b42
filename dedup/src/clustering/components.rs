//! Connected components of the match graph, by union-find.

use super::Link;

/// The components of `count` members under `links`, including single members. Members are in
/// ascending order, and components in the order of their first member.
pub fn components<'a>(count: usize, links: impl Iterator<Item = &'a Link>) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    for link in links {
        let (left, right) = (root(&mut parent, link.left), root(&mut parent, link.right));
        let (low, high) = (left.min(right), left.max(right));
        parent[high as usize] = low;
    }
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); count];
    for member in 0..count as u32 {
        let first = root(&mut parent, member);
        lists[first as usize].push(member);
    }
    lists.retain(|list| !list.is_empty());
    lists
}

fn root(parent: &mut [u32], member: u32) -> u32 {
    let mut at = member;
    while parent[at as usize] != at {
        parent[at as usize] = parent[parent[at as usize] as usize];
        at = parent[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(count: usize, links: &[Link]) -> Vec<Vec<u32>> {
        let mut label: Vec<u32> = (0..count as u32).collect();
        loop {
            let before = label.clone();
            for link in links {
                let least = label[link.left as usize].min(label[link.right as usize]);
                label[link.left as usize] = least;
                label[link.right as usize] = least;
            }
            if before == label {
                break;
            }
        }
        let component = |first| {
            (0..count as u32)
                .filter(|member| label[*member as usize] == first)
                .collect::<Vec<_>>()
        };
        (0..count as u32)
            .map(component)
            .filter(|list| !list.is_empty())
            .collect()
    }

    proptest::proptest! {
        #[test]
        fn union_find_agrees_with_spreading_labels(ends in proptest::collection::vec((0u32..30, 0u32..30), 0..40)) {
            let links: Vec<Link> = ends
                .into_iter()
                .map(|(one, other)| Link { left: one.min(other), right: one.max(other), weight: 1.0 })
                .collect();
            proptest::prop_assert_eq!(components(30, links.iter()), naive(30, &links));
        }
    }
}
