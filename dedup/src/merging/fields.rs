//! Which rule decides each field of a record: the one list of fields and their rules.

use super::rules::{
    Merger, general_rule, known_district, known_region, longest_text, most_exact_address,
    most_exact_pin, newest_live_price, plain_municipality, spaced_postal_code, stated_feature,
    subtype_of_merged_type, title_of_merged_description, unrounded_area,
};

/// Declares the list: field of [`Attributes`](schema::Attributes), published name, rule.
macro_rules! merge_rules {
    ($($field:ident $name:literal $rule:ident;)+) => {
        /// Merges every field, in the order of the list.
        pub(super) fn merge_fields(merger: &mut Merger<'_>) {
            $(
                merger.merged.$field = $rule(merger, $name, |facts| facts.$field.clone());
            )+
        }
    };
}

merge_rules! {
    // `title` follows `description`, and `subtype` follows `type`: their rules use the merged value.
    description      "description"     longest_text;
    title            "title"           title_of_merged_description;
    location         "location"        most_exact_pin;
    city             "city"            plain_municipality;
    street           "street"          general_rule;
    neighborhood     "neighborhood"    general_rule;
    postal_code      "postalCode"      spaced_postal_code;
    address          "address"         most_exact_address;
    district         "district"        known_district;
    region           "region"          known_region;
    property_type    "type"            general_rule;
    subtype          "subtype"         subtype_of_merged_type;
    price_total      "priceTotal"      newest_live_price;
    offer_type       "offerType"       general_rule;
    arrangement      "arrangement"     general_rule;
    property_state   "propertyState"   general_rule;
    ownership        "ownership"       general_rule;
    building_type    "buildingType"    general_rule;
    floor            "floor"           general_rule;
    floor_count      "floorCount"      general_rule;
    equipment        "equipment"       general_rule;
    energy_class     "energyClass"     general_rule;
    heating_source   "heatingSource"   general_rule;
    heating_type     "heatingType"     general_rule;
    sewerage         "sewerage"        general_rule;
    house_position   "housePosition"   general_rule;
    unit_number      "unitNumber"      general_rule;
    garden           "garden"          stated_feature;
    storage          "storage"         stated_feature;
    balcony          "balcony"         stated_feature;
    loggia           "loggia"          stated_feature;
    terrace          "terrace"         stated_feature;
    garage           "garage"          stated_feature;
    elevator         "elevator"        stated_feature;
    parking          "parking"         stated_feature;
    barrier_free     "barrierFree"     stated_feature;
    swimming_pool    "swimmingPool"    stated_feature;
    living_area      "livingArea"      unrounded_area;
    land_area        "landArea"        unrounded_area;
    garden_area      "gardenArea"      unrounded_area;
    storage_area     "storageArea"     unrounded_area;
    balcony_area     "balconyArea"     unrounded_area;
    loggia_area      "loggiaArea"      unrounded_area;
    terrace_area     "terraceArea"     unrounded_area;
    garage_area      "garageArea"      unrounded_area;
}
