//! Merged records: every value is one that a listing published, or says by which rule it differs.

use dedup::addresses::Addresses;
use dedup::clustering::Constraints;
use dedup::engine;
use dedup::merging::{self, Merged, PlaceRule};
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use schema::{ListingKey, StoredListing};
use serde_json::Value;

use super::engine::{listings, listings_of_lines};

/// The clusters of a few markets.
fn clusters() -> Vec<Vec<StoredListing>> {
    let of_market = |seed| {
        let listings = listings(60, seed);
        let profile =
            |listing: &StoredListing| Profile::from_listing(listing, &Addresses::default());
        let profiles: Vec<Profile> = listings.iter().map(profile).collect();
        let clusters = engine::partition(
            &WeightTable::default(),
            &mut profiles.clone(),
            &Constraints::default(),
        )
        .clusters
        .into_iter();
        let members = move |cluster: Vec<u32>| {
            cluster
                .iter()
                .map(|place| listings[*place as usize].clone())
                .collect()
        };
        clusters.map(members).collect::<Vec<Vec<StoredListing>>>()
    };
    let clusters: Vec<_> = (0..4).flat_map(of_market).collect();
    assert!(
        clusters.iter().any(|cluster| cluster.len() > 2),
        "something merges"
    );
    clusters
}

fn merge(cluster: &[StoredListing]) -> Merged {
    merging::merge(cluster, &Addresses::default(), |_| None)
}

fn facts(listing: &StoredListing) -> Value {
    serde_json::to_value(&listing.state.listing.attributes).unwrap()
}

#[test]
fn every_merged_value_is_that_of_the_listing_it_is_said_to_be_from() {
    for cluster in clusters() {
        let merged = merge(&cluster);
        let values = serde_json::to_value(&merged.attributes).unwrap();
        for (name, value) in values.as_object().unwrap() {
            let Some(key) = merged.provenance.get(name.as_str()) else {
                let filled = ["district", "region"].contains(&name.as_str());
                if value.is_null() {
                    let applied = merged.applied_rules.get(name.as_str());
                    assert!(applied.is_none_or(|applied| applied.rule == PlaceRule::LeftOut));
                }
                assert!(
                    value.is_null() || filled,
                    "{name} is {value}, without a source"
                );
                continue;
            };
            let source = cluster
                .iter()
                .find(|listing| listing.key == *key)
                .expect("a member");
            let expected = match merged.applied_rules.get(name.as_str()) {
                Some(applied) if applied.rule == PlaceRule::OtherField => continue,
                Some(applied) => &Value::from(applied.published.as_str()),
                None => value,
            };
            if name != "district" && name != "region" {
                assert_eq!(facts(source)[name], *expected, "{name} of {key}");
            }
        }
    }
}

#[test]
fn a_field_that_any_listing_states_is_in_the_record_or_left_out_by_a_rule() {
    for cluster in clusters() {
        let merged = merge(&cluster);
        let values = serde_json::to_value(&merged.attributes).unwrap();
        for listing in &cluster {
            for (name, value) in facts(listing).as_object().unwrap() {
                let applied = merged.applied_rules.get(name.as_str());
                let is_left_out = applied.is_some_and(|applied| applied.rule == PlaceRule::LeftOut);
                assert!(
                    value.is_null() || !values[name].is_null() || is_left_out,
                    "{name} of {} is lost",
                    listing.key
                );
            }
        }
    }
}

#[test]
fn the_order_of_the_listings_does_not_matter() {
    for mut cluster in clusters() {
        let expected = merge(&cluster);
        cluster.reverse();
        assert_eq!(merge(&cluster), expected);
        cluster.rotate_left(1);
        assert_eq!(merge(&cluster), expected);
    }
}

#[test]
fn the_price_comes_from_the_live_listing_with_the_newest_price() {
    for cluster in clusters() {
        let priced =
            |listing: &&StoredListing| listing.state.listing.attributes.price_total.is_some();
        let any_live = cluster
            .iter()
            .filter(priced)
            .any(|listing| listing.state.is_live());
        let in_question = cluster
            .iter()
            .filter(priced)
            .filter(|listing| listing.state.is_live() == any_live);
        let newest = |listing: &StoredListing| listing.state.prices.last().map(|point| point.at);
        let freshest = in_question.clone().map(newest).max();
        let allowed: Vec<Option<f64>> = in_question
            .filter(|listing| Some(newest(listing)) == freshest)
            .map(|listing| listing.state.listing.attributes.price_total)
            .collect();
        let merged = merge(&cluster).attributes.price_total;
        assert!(
            allowed.contains(&merged) || (allowed.is_empty() && merged.is_none()),
            "{merged:?} of {allowed:?}"
        );
    }
}

#[test]
fn a_record_is_live_while_one_of_its_listings_is_and_expires_with_the_last() {
    for cluster in clusters() {
        let merged = merge(&cluster);
        let ends: Vec<_> = cluster
            .iter()
            .map(|listing| listing.state.gone_at)
            .collect();
        assert_eq!(merged.is_live, ends.contains(&None));
        assert_eq!(
            merged.expired_at,
            if merged.is_live {
                None
            } else {
                ends.into_iter().flatten().max()
            }
        );
        let states = || cluster.iter().map(|listing| &listing.state);
        assert_eq!(
            Some(merged.first_seen_at),
            states().map(|state| state.first_seen_at).min()
        );
        assert_eq!(
            Some(merged.last_changed_at),
            states().map(|state| state.last_changed_at).max()
        );
    }
}

#[test]
fn a_copy_supplies_only_what_its_original_lacks() {
    let flat = |site: &str, hour: i64, facts: &Value| super::feeding::seen(site, "1", hour, facts);
    let mut copied = super::market::flat();
    copied["priceTotal"] = 4_900_000.into();
    copied["livingArea"] = 72.45.into();
    copied["floorCount"] = 5.into();
    let lines = [
        flat("sreality", 1, &super::market::flat()),
        flat("realingo", 900, &copied),
    ];
    let mut cluster = listings_of_lines(&lines);
    let source =
        |cluster: &[StoredListing], field: &str| merge(cluster).provenance[field].site_id.clone();
    for field in ["priceTotal", "livingArea", "title"] {
        assert_eq!(
            source(&cluster, field),
            "realingo",
            "{field}: fresh or precise"
        );
    }
    let copy = cluster
        .iter_mut()
        .find(|listing| listing.key.site_id == "realingo")
        .unwrap();
    copy.state.listing.evidence.same_as = Some(ListingKey::new("sreality", "1"));
    for field in ["priceTotal", "livingArea", "title"] {
        assert_eq!(source(&cluster, field), "sreality", "{field}: the original");
    }
    assert_eq!(
        source(&cluster, "floorCount"),
        "realingo",
        "the original does not state it"
    );
    let copy = cluster
        .iter_mut()
        .find(|listing| listing.key.site_id == "realingo")
        .unwrap();
    copy.state.listing.evidence.same_as = Some(ListingKey::new("sreality", "2"));
    assert_eq!(
        source(&cluster, "priceTotal"),
        "realingo",
        "its original is not in this record"
    );
}
