//! Look-alikes: as many as one portal shows at the same time, that many different units there are.

use super::{Link, Weights};
use crate::profile::Profile;
use crate::scoring::weights::look_alikes::{EACH, MARGIN, MOST};

/// The links with the doubt taken off that look-alikes raise: for each end, every listing on the other's portal that
/// was live together with it, is linked about as well, and is not itself linked to it.
pub fn discounted(members: &[&Profile], links: &[Link], weights: &Weights) -> Vec<Link> {
    let mut linked: Vec<Vec<(u32, f32)>> = vec![Vec::new(); members.len()];
    for link in links {
        linked[link.left as usize].push((link.right, link.weight));
        linked[link.right as usize].push((link.left, link.weight));
    }
    let rivals = |from: u32, to: u32, weight: f32| {
        let chosen = members[to as usize];
        let is_rival = |(other, other_weight): &&(u32, f32)| {
            let candidate = members[*other as usize];
            *other != to
                && *other_weight >= weight - MARGIN
                && candidate.key.site_id == chosen.key.site_id
                && candidate.life.watched
                && candidate.life.overlap(chosen.life) > 0
                && !weights.contains_key(&((*other).min(to), (*other).max(to)))
        };
        linked[from as usize].iter().filter(is_rival).count()
    };
    links
        .iter()
        .map(|link| {
            let count =
                rivals(link.left, link.right, link.weight) + rivals(link.right, link.left, link.weight);
            Link { weight: link.weight + (EACH * count as f32).max(MOST), ..*link }
        })
        .collect()
}
