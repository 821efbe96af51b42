//! What a brief form of an advert, such as a list item, changes in what is known about the listing.
//!
//! A brief form leaves most of the advert out. What it leaves out stays as it was; what it states replaces what was known.
//! The exceptions:
//!
//! - If it has another title and states another kind of offer or property, it describes another thing, and nothing stays.
//! - If it names another place, nothing of the place stays: a street of another town would be wrong.
//! - A known position and address line stay while the place is the same, because those of a brief form are less precise.
//! - Kind, layout and areas stay while the title is the same, because a brief form's are read from its title.

use schema::offer_fields::{FIELDS, FieldKind, OfferField, names};
use schema::{Attributes, Evidence, Listing};

/// The fields that together name a place.
const PLACE: [&str; 8] = [
    names::location,
    names::city,
    names::street,
    names::region,
    names::neighborhood,
    names::district,
    names::postal_code,
    names::address,
];

/// The place fields whose difference means another place.
const NAMES_PLACE: [&str; 3] = [names::city, names::street, names::postal_code];

/// The fields that are read from the titles of brief forms.
const FROM_TITLE: [&str; 6] = [
    names::offer_type,
    names::property_type,
    names::subtype,
    names::arrangement,
    names::living_area,
    names::land_area,
];

/// What is known about a listing after its brief form was seen.
pub(crate) fn with_brief_form(known: &Listing, brief: Listing) -> Listing {
    let (before, now) = (&known.attributes, &brief.attributes);
    let same_title = before.title.is_some() && before.title == now.title;
    let another_kind = differ(before.offer_type, now.offer_type)
        || differ(before.property_type, now.property_type);
    if another_kind && !same_title {
        return brief;
    }
    let mut after = known.clone();
    let has_moved = FIELDS
        .iter()
        .filter(|field| NAMES_PLACE.contains(&field.name))
        .any(|field| names_another(field, before, now));
    if has_moved {
        forget_place(&mut after);
    }
    for field in FIELDS {
        let stays = same_title && FROM_TITLE.contains(&field.name)
            || [names::location, names::address].contains(&field.name);
        copy(field, now, &mut after.attributes, stays);
    }
    let keeps_pin = known.attributes.location.is_some() && !has_moved;
    after.evidence = with_brief_evidence(after.evidence, brief.evidence, keeps_pin);
    after
}

fn differ<T: PartialEq + Copy>(one: Option<T>, other: Option<T>) -> bool {
    one.is_some() && other.is_some() && one != other
}

/// Whether both state a text field, differently.
fn names_another(field: &OfferField, before: &Attributes, now: &Attributes) -> bool {
    match &field.kind {
        FieldKind::Text { access, .. } => {
            differ((access.get)(before).as_ref(), (access.get)(now).as_ref())
        }
        _ => false,
    }
}

fn forget_place(listing: &mut Listing) {
    for field in FIELDS.iter().filter(|field| PLACE.contains(&field.name)) {
        match &field.kind {
            FieldKind::Text { access, .. } => *(access.get_mut)(&mut listing.attributes) = None,
            FieldKind::Location(access) => *(access.get_mut)(&mut listing.attributes) = None,
            _ => {}
        }
    }
    let evidence = &mut listing.evidence;
    (evidence.pin, evidence.house_number, evidence.address_point) = (None, None, None);
    evidence.municipality_code = None;
}

/// Copies a field if it is stated. With `only_if_unknown`, a known value stays.
fn copy(field: &OfferField, from: &Attributes, to: &mut Attributes, only_if_unknown: bool) {
    fn set<T: Clone>(from: Option<&T>, to: &mut Option<T>, only_if_unknown: bool) {
        if from.is_some() && !(only_if_unknown && to.is_some()) {
            *to = from.cloned();
        }
    }
    match &field.kind {
        FieldKind::Text { access, .. } => {
            set(
                (access.get)(from).as_ref(),
                (access.get_mut)(to),
                only_if_unknown,
            );
        }
        FieldKind::Location(access) => {
            set(
                (access.get)(from).as_ref(),
                (access.get_mut)(to),
                only_if_unknown,
            );
        }
        FieldKind::Number(access) => {
            set(
                (access.get)(from).as_ref(),
                (access.get_mut)(to),
                only_if_unknown,
            );
        }
        FieldKind::WholeNumber(access) => {
            set(
                (access.get)(from).as_ref(),
                (access.get_mut)(to),
                only_if_unknown,
            );
        }
        FieldKind::Flag(access) => set(
            (access.get)(from).as_ref(),
            (access.get_mut)(to),
            only_if_unknown,
        ),
        FieldKind::Enumerated { access, .. } => {
            let stays = only_if_unknown && (access.text)(to).is_some();
            if let Some(text) = (access.text)(from).filter(|_| !stays) {
                // The text is that of a value, so it is known.
                let _always_known = (access.set)(to, text);
            }
        }
    }
}

/// The precision of the pin belongs to the position, so it stays or comes with it.
fn with_brief_evidence(known: Evidence, now: Evidence, keeps_pin: bool) -> Evidence {
    Evidence {
        pin: if keeps_pin { known.pin } else { now.pin },
        house_number: now.house_number.or(known.house_number),
        address_point: now.address_point.or(known.address_point),
        order_code: now.order_code.or(known.order_code),
        share: now.share.or(known.share),
        total_area: now.total_area.or(known.total_area),
        taken: now.taken.or(known.taken),
        year_built: now.year_built.or(known.year_built),
        former_price: now.former_price.or(known.former_price),
        note_on_price: now.note_on_price.or(known.note_on_price),
        municipality_code: now.municipality_code.or(known.municipality_code),
        same_as: now.same_as.or(known.same_as),
    }
}
