//! From a cluster of listings to one record: every merged value is one that a portal published, and the same rule
//! everywhere says which.

mod precedence;

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::{Area, District, Region};
use schema::{Attributes, ListingKey, PinPrecision, PropertyType, StoredListing, Timestamp};

use crate::profile::place::municipality_key;
use precedence::{Candidate, choose};

/// A cluster merged: the facts of an offer and where each came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The merged facts.
    pub attributes: Attributes,
    /// Whether any portal still advertises it.
    pub is_live: bool,
    /// Earliest observation.
    pub first_seen_at: Timestamp,
    /// Latest change of any listing.
    pub last_changed_at: Timestamp,
    /// When the last live listing went; `None` while one is live.
    pub expired_at: Option<Timestamp>,
    /// Which listing each value is from, by field name; fields that the gazetteer filled have no entry.
    pub provenance: BTreeMap<&'static str, ListingKey>,
}

/// Merges a cluster. `area_of` is where the merged facts lie, asked only where no portal gives the district or the
/// region. The order of `listings` does not matter. An empty cluster, which is never built, yields a
/// record of nothing at the epoch.
pub fn merge(listings: &[StoredListing], area_of: impl Fn(&Attributes) -> Option<Area>) -> Merged {
    let mut ordered: Vec<&StoredListing> = listings.iter().collect();
    ordered.sort_by(|one, other| one.key.cmp(&other.key));
    let copies = copies(&ordered);
    let mut merger = Merger {
        listings: ordered,
        copies,
        provenance: BTreeMap::new(),
    };
    let mut attributes = merger.facts();
    fill_area(&mut attributes, area_of);
    let states = || merger.listings.iter().map(|listing| &listing.state);
    let is_live = states().any(schema::ListingState::is_live);
    Merged {
        attributes,
        is_live,
        first_seen_at: states()
            .map(|state| state.first_seen_at)
            .min()
            .unwrap_or(Timestamp(0)),
        last_changed_at: states()
            .map(|state| state.last_changed_at)
            .max()
            .unwrap_or(Timestamp(0)),
        expired_at: if is_live {
            None
        } else {
            states().filter_map(|state| state.gone_at).max()
        },
        provenance: merger.provenance,
    }
}

/// The listings that say they are copies of another one of the record: an aggregator may be the last to change, and
/// still knows nothing that its source does not.
fn copies<'a>(listings: &[&'a StoredListing]) -> BTreeSet<&'a ListingKey> {
    let keys: BTreeSet<&ListingKey> = listings.iter().map(|listing| &listing.key).collect();
    let of_another = |listing: &&&StoredListing| {
        let source = listing.state.listing.evidence.same_as.as_ref();
        source.is_some_and(|source| *source != listing.key && keys.contains(source))
    };
    listings
        .iter()
        .filter(of_another)
        .map(|listing| &listing.key)
        .collect()
}

struct Merger<'a> {
    listings: Vec<&'a StoredListing>,
    copies: BTreeSet<&'a ListingKey>,
    provenance: BTreeMap<&'static str, ListingKey>,
}

/// Fields that are merged by nothing but the general rule.
macro_rules! plain_fields {
    ($merger:ident, $into:ident: $($field:ident $name:literal,)+) => {
        $( $into.$field = $merger.field($name, |facts| facts.$field.clone(), |_, _| 0); )+
    };
}

/// Features: a portal that states one knows more than a portal whose box stayed empty.
macro_rules! feature_fields {
    ($merger:ident, $into:ident: $($field:ident $name:literal,)+) => {
        $( $into.$field = $merger.field($name, |facts| facts.$field, |_, present| u32::from(*present)); )+
    };
}

/// Areas: a figure with a fraction is more precise than a rounded one.
macro_rules! area_fields {
    ($merger:ident, $into:ident: $($field:ident $name:literal,)+) => {
        $( $into.$field = $merger.field($name, |facts| facts.$field, |_, area| u32::from(area.fract() != 0.0)); )+
    };
}

impl Merger<'_> {
    fn facts(&mut self) -> Attributes {
        let mut facts = Attributes::default();
        self.texts(&mut facts);
        self.place(&mut facts);
        self.kind(&mut facts);
        facts.price_total = self.price();
        plain_fields!(self, facts:
            offer_type "offerType", arrangement "arrangement", property_state "propertyState",
            ownership "ownership", building_type "buildingType", floor "floor", floor_count "floorCount",
            equipment "equipment", energy_class "energyClass", heating_source "heatingSource",
            heating_type "heatingType", sewerage "sewerage", house_position "housePosition",
            unit_number "unitNumber",
        );
        feature_fields!(self, facts:
            garden "garden", storage "storage", balcony "balcony", loggia "loggia", terrace "terrace",
            garage "garage", elevator "elevator", parking "parking", barrier_free "barrierFree",
            swimming_pool "swimmingPool",
        );
        area_fields!(self, facts:
            living_area "livingArea", land_area "landArea", garden_area "gardenArea",
            storage_area "storageArea", balcony_area "balconyArea", loggia_area "loggiaArea",
            terrace_area "terraceArea", garage_area "garageArea",
        );
        facts
    }

    /// The longer text is the more precise; the title comes from the listing whose description is taken.
    fn texts(&mut self, facts: &mut Attributes) {
        facts.description = self.field(
            "description",
            |facts| facts.description.clone(),
            |_, text| text.len().max(1).ilog2(),
        );
        let source = self.provenance.get("description").cloned();
        facts.title = self.field(
            "title",
            |facts| facts.title.clone(),
            |listing, _| u32::from(source.as_ref() == Some(&listing.key)),
        );
    }

    fn place(&mut self, facts: &mut Attributes) {
        facts.location = self.field(
            "location",
            |facts| facts.location,
            |listing, _| pin_precision(listing),
        );
        facts.city = self.field(
            "city",
            |facts| facts.city.clone(),
            |_, city| plain_municipality(city),
        );
        facts.street = self.field("street", |facts| facts.street.clone(), |_, _| 0);
        facts.neighborhood =
            self.field("neighborhood", |facts| facts.neighborhood.clone(), |_, _| 0);
        facts.postal_code = self.field(
            "postalCode",
            |facts| facts.postal_code.clone(),
            |_, code| u32::from(code.contains(' ')),
        );
        facts.address = self.field(
            "address",
            |facts| facts.address.clone(),
            |listing, line| {
                u32::from(listing.state.listing.attributes.street.is_some())
                    + u32::from(line.chars().any(|letter| letter.is_ascii_digit()))
            },
        );
        let canonical = |text: &String| {
            District::parse(text).map_or(text.clone(), |district| district.name().to_owned())
        };
        facts.district = self.field(
            "district",
            |facts| facts.district.as_ref().map(canonical),
            |_, name| known_district(name),
        );
        let canonical = |text: &String| {
            Region::parse(text).map_or(text.clone(), |region| region.name().to_owned())
        };
        facts.region = self.field(
            "region",
            |facts| facts.region.as_ref().map(canonical),
            |_, name| u32::from(Region::parse(name).is_some()),
        );
    }

    /// The subtype comes from listings that agree with the merged type.
    fn kind(&mut self, facts: &mut Attributes) {
        facts.property_type = self.field("type", |facts| facts.property_type, |_, _| 0);
        let merged: Option<PropertyType> = facts.property_type;
        facts.subtype = self.field(
            "subtype",
            |facts| facts.subtype,
            |listing, _| u32::from(listing.state.listing.attributes.property_type == merged),
        );
    }

    /// The price of the freshest live listing that states one, originals first. Fresh is the newest price point: seeing the same price
    /// again is no news.
    fn price(&mut self) -> Option<f64> {
        let stated = self.listings.iter().filter_map(|listing| {
            let price = listing.state.listing.attributes.price_total?;
            let at = listing
                .state
                .prices
                .last()
                .map_or(listing.state.first_seen_at, |point| point.at);
            Some((
                (listing.state.is_live(), self.is_original(listing), at),
                price,
                &listing.key,
            ))
        });
        let (_, price, key) =
            stated.max_by(|one, other| one.0.cmp(&other.0).then(other.2.cmp(one.2)))?;
        self.provenance.insert("priceTotal", key.clone());
        Some(price)
    }

    fn is_original(&self, listing: &StoredListing) -> bool {
        !self.copies.contains(&listing.key)
    }

    fn field<T: Clone + PartialEq>(
        &mut self,
        name: &'static str,
        value: impl Fn(&Attributes) -> Option<T>,
        precision: impl Fn(&StoredListing, &T) -> u32,
    ) -> Option<T> {
        let candidates: Vec<Candidate<'_, T>> = self
            .listings
            .iter()
            .filter_map(|listing| {
                let value = value(&listing.state.listing.attributes)?;
                let original = self.is_original(listing);
                Some(Candidate {
                    original,
                    precision: precision(listing, &value),
                    listing,
                    value,
                })
            })
            .collect();
        let chosen = choose(&candidates)?;
        self.provenance.insert(name, chosen.listing.key.clone());
        Some(chosen.value.clone())
    }
}

/// District and region from the gazetteer where no portal gave them.
fn fill_area(facts: &mut Attributes, area_of: impl Fn(&Attributes) -> Option<Area>) {
    let said = facts
        .district
        .as_deref()
        .and_then(District::parse)
        .map(Area::District);
    let area = said.or_else(|| area_of(facts));
    if facts.district.is_none() {
        facts.district = area
            .and_then(Area::district)
            .map(|district| district.name().to_owned());
    }
    if facts.region.is_none() {
        facts.region = area.map(|area| area.region().name().to_owned());
    }
}

fn pin_precision(listing: &StoredListing) -> u32 {
    let attributes = &listing.state.listing.attributes;
    match listing.state.listing.evidence.pin {
        Some(PinPrecision::Exact) => 4,
        Some(PinPrecision::Street) => 3,
        Some(PinPrecision::Quarter) => 1,
        Some(PinPrecision::Municipality) => 0,
        None if attributes.street.is_some() => 3,
        None => 2,
    }
}

/// `Praha` is more precise as a municipality than `Praha 8` or `Brno Líšeň`.
fn plain_municipality(city: &str) -> u32 {
    let municipality = municipality_key(city);
    u32::from(municipality.as_deref() == Some(czech::names::place_key(city).as_str()))
}

fn known_district(name: &str) -> u32 {
    u32::from(District::parse(name).is_some())
}
