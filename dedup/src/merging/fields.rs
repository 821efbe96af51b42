//! Which rule decides each field of a record: the one list of fields and their rules. A field of
//! [`Attributes`] that is missing here does not compile.

use schema::Attributes;
use schema::offer_fields::names;

use super::rules::{
    Merger, general_rule, longest_text, merged_with_place, newest_live_price, stated_feature,
    subtype_of_merged_type, title_of_merged_description, unrounded_area,
};

/// Declares the list: field of [`Attributes`], rule.
macro_rules! merge_rules {
    ($($field:ident $rule:ident;)+) => {
        /// The rule of each field, by the names of the field and of the rule.
        pub const RULES: &[(&str, &str)] = &[$((names::$field, stringify!($rule)),)+];

        /// Merges every field, in the order of the list.
        pub(super) fn merge_fields(merger: &mut Merger<'_>) {
            $(
                merger.merged.$field = $rule(merger, names::$field, |facts| facts.$field.clone());
            )+
            // Names every field, so that the compiler notices one without a rule.
            let Attributes { $($field: _,)+ } = &merger.merged;
        }
    };
}

merge_rules! {
    // The place is merged before this list, all its fields together (`place`).
    // `title` follows `description`, and `subtype` follows `type`: their rules use the merged value.
    description      longest_text;
    title            title_of_merged_description;
    location         merged_with_place;
    city             merged_with_place;
    street           merged_with_place;
    neighborhood     merged_with_place;
    postal_code      merged_with_place;
    address          merged_with_place;
    district         merged_with_place;
    region           merged_with_place;
    property_type    general_rule;
    subtype          subtype_of_merged_type;
    price_total      newest_live_price;
    offer_type       general_rule;
    arrangement      general_rule;
    property_state   general_rule;
    ownership        general_rule;
    building_type    general_rule;
    floor            general_rule;
    floor_count      general_rule;
    equipment        general_rule;
    energy_class     general_rule;
    heating_source   general_rule;
    heating_type     general_rule;
    sewerage         general_rule;
    house_position   general_rule;
    unit_number      general_rule;
    garden           stated_feature;
    storage          stated_feature;
    balcony          stated_feature;
    loggia           stated_feature;
    terrace          stated_feature;
    garage           stated_feature;
    elevator         stated_feature;
    parking          stated_feature;
    barrier_free     stated_feature;
    swimming_pool    stated_feature;
    living_area      unrounded_area;
    land_area        unrounded_area;
    garden_area      unrounded_area;
    storage_area     unrounded_area;
    balcony_area     unrounded_area;
    loggia_area      unrounded_area;
    terrace_area     unrounded_area;
    garage_area      unrounded_area;
}
