//! The district of each municipality, learned from the listings. A merged record uses it if no portal
//! states a district.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gazetteer::District;
use schema::store::{StoreError, Tx, listings, municipalities};
use schema::{ListingId, StoredListing};

use crate::profile::municipality_key;

/// The percentage of votes that a district needs. Municipalities of one name in several districts stay
/// undecided.
const MAJORITY_PERCENT: i64 = 80;

/// Districts by municipality key.
pub type Districts = BTreeMap<String, District>;

/// What one listing says about the district of its municipality.
#[derive(Debug, Clone, PartialEq)]
pub struct Vote {
    listing: ListingId,
    vote: Option<VotedDistrict>,
}

#[derive(Debug, Clone, PartialEq)]
struct VotedDistrict {
    municipality: String,
    district: Option<District>,
}

impl Vote {
    /// The vote of a listing. A listing that names no municipality has no say.
    pub fn from_listing(listing: &StoredListing) -> Self {
        let attributes = &listing.state.listing.attributes;
        let vote = attributes
            .city
            .as_deref()
            .and_then(municipality_key)
            .map(|municipality| {
                let district = attributes.district.as_deref().and_then(District::parse);
                VotedDistrict {
                    municipality,
                    district,
                }
            });
        Self {
            listing: listing.id,
            vote,
        }
    }

    /// The listing that votes.
    pub fn listing(&self) -> ListingId {
        self.listing
    }
}

/// The municipalities whose votes are counted. That reads every vote in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Those of all given votes. After a purge, other votes may be missing.
    All,
    /// Those of the given votes that are new.
    Changed,
}

/// Stores the votes. If they change the district of a municipality, its listings are queued.
pub async fn count_votes(tx: &mut Tx, votes: &[Vote], counted: Counted) -> Result<(), StoreError> {
    let mut touched = BTreeSet::new();
    let ids: Vec<ListingId> = votes.iter().map(Vote::listing).collect();
    let mut before: HashMap<ListingId, (String, Option<String>)> = HashMap::new();
    for (listing, municipality, district) in municipalities::votes_of(tx, &ids).await? {
        before.insert(listing, (municipality, district));
    }
    let mut cast = Vec::with_capacity(votes.len());
    for vote in votes {
        let before = before.remove(&vote.listing);
        let Some(said) = &vote.vote else {
            if let Some((municipality, _)) = before {
                municipalities::withdraw(tx, vote.listing).await?;
                touched.insert(municipality);
            }
            continue;
        };
        let said = (
            said.municipality.as_str(),
            said.district.map(District::name),
        );
        if let Some((municipality, district)) = before {
            let stays = (municipality.as_str(), district.as_deref()) == said;
            if stays && counted == Counted::Changed {
                continue;
            }
            touched.insert(municipality);
        }
        cast.push((vote.listing, said.0, said.1));
    }
    municipalities::vote_all(tx, &cast).await?;
    touched.extend(
        cast.into_iter()
            .map(|(_, municipality, _)| municipality.to_owned()),
    );
    let names: Vec<String> = touched.into_iter().collect();
    let settled = municipalities::settled(tx, &names).await?;
    let tallies = municipalities::tallies(tx, &names).await?;
    let decided = names.iter().map(|name| {
        let tally = tallies.get(name).map(Vec::as_slice).unwrap_or_default();
        (name.as_str(), decide(tally))
    });
    let differs =
        |(name, decided): &(&str, Option<&str>)| settled.get(*name).map(String::as_str) != *decided;
    let decided: Vec<(&str, Option<&str>)> = decided.filter(differs).collect();
    municipalities::settle(tx, &decided).await?;
    let changed: Vec<&str> = decided.iter().map(|(name, _)| *name).collect();
    listings::requeue_municipalities(tx, &changed).await
}

fn decide(tally: &[(String, i64)]) -> Option<&str> {
    let all: i64 = tally.iter().map(|(_, count)| count).sum();
    let winner = tally
        .iter()
        .max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(&one.0)))?;
    (winner.1 * 100 >= all * MAJORITY_PERCENT).then_some(winner.0.as_str())
}

/// The known districts of the municipalities of these listings.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn known_districts(
    tx: &mut Tx,
    listings: &[StoredListing],
) -> Result<Districts, StoreError> {
    let keys: BTreeSet<String> = listings
        .iter()
        .filter_map(|listing| municipality_key(listing.state.listing.attributes.city.as_deref()?))
        .collect();
    let keys: Vec<String> = keys.into_iter().collect();
    let settled = municipalities::settled(tx, &keys).await?;
    Ok(settled
        .into_iter()
        .filter_map(|(municipality, district)| Some((municipality, District::parse(&district)?)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(counts: &[(&str, i64)]) -> Option<String> {
        let counts = counts
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count));
        decide(&counts.collect::<Vec<_>>()).map(str::to_owned)
    }

    #[test]
    fn a_municipality_is_in_the_district_that_nearly_all_listings_state() {
        assert_eq!(
            decided(&[("Trutnov", 9), ("Náchod", 1)]).as_deref(),
            Some("Trutnov")
        );
    }

    #[test]
    fn municipalities_of_one_name_stay_undecided() {
        assert_eq!(decided(&[("Trutnov", 5), ("Náchod", 4)]), None);
        assert_eq!(decided(&[]), None);
    }
}
