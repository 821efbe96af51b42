//! The places that the mentions in a text may name, sorted by the places they lie in.

use super::Gazetteer;
use super::located::How;
use super::mentions::Mention;
use super::phrases::{NO_TOWN, Posting};
use super::place::{Place, PlaceId};
use super::query::Query;
use super::work::Work;
use crate::level::Level;

/// The most streets of one name that are considered if the text does not say where they are.
const WITHOUT_CONTEXT: usize = 24;
/// The penalty of a place that is not of the level that the text demands.
const NOT_AS_SAID: f64 = 0.4;

/// A mention as the name of one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub place: PlaceId,
    pub mention: u16,
    pub mask: u32,
    pub weight: f64,
    /// Whether the name is not the place's own.
    pub alias: bool,
    /// Whether the words are exactly a name.
    pub exact: bool,
}

/// Anchors by the index of their place, municipality, district or region.
type Sorted = Vec<(u32, Anchor)>;

/// The places that the text names.
#[derive(Default)]
pub(super) struct Anchors {
    /// All but streets.
    by_place: Sorted,
    by_district: Sorted,
    by_region: Sorted,
    /// Quarters by their municipality.
    by_town: Sorted,
    /// Streets in the other places that the text names.
    pub streets: Vec<Anchor>,
    /// Masks of words that are exactly the name of a municipality.
    pub towns: Vec<u32>,
    /// Words in names of several words that are not streets. A number among them (`Praha 5`) is not a house number.
    pub compounds: u32,
}

/// Where a street may be, according to the text.
#[derive(Default)]
struct Context {
    /// Ranks of municipalities.
    towns: Vec<u32>,
    /// Bits of districts and regions.
    districts: u128,
    regions: u16,
}

impl Anchors {
    pub fn gather(
        gazetteer: &Gazetteer,
        query: &Query,
        mentions: &[Mention],
        work: &mut Work,
    ) -> Self {
        let (mut anchors, mut context) = (Self::default(), Context::default());
        for (index, mention) in mentions.iter().enumerate() {
            for posting in gazetteer.phrases.postings(mention.phrase) {
                if posting.level == Level::Street || work.is_spent() {
                    break;
                }
                work.weighed();
                if mention.how == How::Exact && mention.mask.count_ones() > 1 {
                    anchors.compounds |= mention.mask;
                }
                if let Some(anchor) = anchor(query, mention, index, posting) {
                    anchors.add(gazetteer, posting, anchor);
                    context.add(posting);
                }
            }
        }
        let of_code = query
            .postal_code
            .and_then(|code| gazetteer.postal_codes.get(&code.number()));
        context
            .towns
            .extend(of_code.iter().flat_map(|area| &area.towns));
        context.towns.sort_unstable();
        context.towns.dedup();
        for list in [
            &mut anchors.by_place,
            &mut anchors.by_district,
            &mut anchors.by_region,
            &mut anchors.by_town,
        ] {
            list.sort_unstable_by_key(|(number, anchor)| (*number, anchor.place, anchor.mention));
        }
        for (index, mention) in mentions.iter().enumerate() {
            let postings = gazetteer.phrases.postings(mention.phrase);
            let streets = postings.partition_point(|posting| posting.level != Level::Street);
            context.streets(
                postings.get(streets..).unwrap_or_default(),
                work,
                |posting| {
                    anchors
                        .streets
                        .extend(anchor(query, mention, index, posting));
                },
            );
        }
        anchors
    }

    fn add(&mut self, gazetteer: &Gazetteer, posting: &Posting, anchor: Anchor) {
        self.by_place.push((anchor.place.0, anchor));
        match posting.level {
            Level::District => self.by_district.push((u32::from(posting.district), anchor)),
            Level::Region => self.by_region.push((u32::from(posting.region), anchor)),
            Level::Municipality if anchor.exact && !anchor.alias => self.towns.push(anchor.mask),
            Level::Quarter => {
                let town = gazetteer
                    .places
                    .get(anchor.place)
                    .and_then(|place| place.municipality);
                self.by_town.extend(town.map(|town| (town.0, anchor)));
            }
            _ => {}
        }
    }

    /// All anchors but streets.
    pub fn places(&self) -> impl Iterator<Item = &Anchor> {
        self.by_place.iter().map(|(_, anchor)| anchor)
    }

    pub fn of_place(&self, id: PlaceId) -> &[(u32, Anchor)] {
        with_number(&self.by_place, id.0)
    }

    pub fn of_quarters_in(&self, town: PlaceId) -> &[(u32, Anchor)] {
        with_number(&self.by_town, town.0)
    }

    pub fn of_district(&self, place: &Place) -> &[(u32, Anchor)] {
        place.district.map_or(&[], |district| {
            with_number(&self.by_district, district as u32)
        })
    }

    pub fn of_region(&self, place: &Place) -> &[(u32, Anchor)] {
        place
            .region
            .map_or(&[], |region| with_number(&self.by_region, region as u32))
    }
}

fn with_number(list: &Sorted, number: u32) -> &[(u32, Anchor)] {
    let from = list.partition_point(|(other, _)| *other < number);
    let rest = list.get(from..).unwrap_or_default();
    let to = rest.partition_point(|(other, _)| *other == number);
    rest.get(..to).unwrap_or_default()
}

impl Context {
    fn add(&mut self, posting: &Posting) {
        match posting.level {
            Level::District => {
                self.districts |= 1_u128.checked_shl(u32::from(posting.district)).unwrap_or(0);
            }
            Level::Region => {
                self.regions |= 1_u16.checked_shl(u32::from(posting.region)).unwrap_or(0);
            }
            _ if posting.town != NO_TOWN => self.towns.push(posting.town),
            _ => {}
        }
    }

    /// Takes the streets of one name that lie in other places of the text, or else the most important ones.
    fn streets<'a>(
        &self,
        streets: &'a [Posting],
        work: &mut Work,
        mut take: impl FnMut(&'a Posting),
    ) {
        let mut taken = 0;
        let mut rest = streets;
        for town in &self.towns {
            let from = rest.partition_point(|posting| posting.town < *town);
            rest = rest.get(from..).unwrap_or_default();
            for posting in rest.iter().take_while(|posting| posting.town == *town) {
                work.weighed();
                taken += 1;
                take(posting);
            }
            if work.is_spent() {
                return;
            }
        }
        if self.districts != 0 || self.regions != 0 {
            for posting in streets.iter().filter(|posting| self.holds(posting)) {
                if self.towns.binary_search(&posting.town).is_err() && !work.is_spent() {
                    work.weighed();
                    taken += 1;
                    take(posting);
                }
            }
        }
        if taken == 0 {
            for posting in streets.iter().take(WITHOUT_CONTEXT) {
                work.weighed();
                take(posting);
            }
        }
    }

    fn holds(&self, posting: &Posting) -> bool {
        let district = 1_u128.checked_shl(u32::from(posting.district)).unwrap_or(0);
        let region = 1_u16.checked_shl(u32::from(posting.region)).unwrap_or(0);
        self.districts & district != 0 || self.regions & region != 0
    }
}

/// The anchor of a mention that names the place of a posting; `None` if the text demands another level.
fn anchor(query: &Query, mention: &Mention, index: usize, posting: &Posting) -> Option<Anchor> {
    let as_said = mention.only.map(|only| only == posting.level);
    if as_said == Some(false) && mention.only == Some(Level::District) {
        return None;
    }
    let own = f64::from(posting.penalty) / 100.0;
    let penalty = match as_said {
        Some(true) if posting.level == Level::District => 0.0,
        Some(false) => own + NOT_AS_SAID,
        _ => own,
    };
    let weight = query.weight_of(mention.mask) * (mention.quality - penalty).max(0.0);
    let (alias, exact) = (penalty > 0.0, mention.how == How::Exact);
    Some(Anchor {
        place: posting.place,
        mention: index as u16,
        mask: mention.mask,
        weight,
        alias,
        exact,
    })
}
