-- What a search index holds of a record, in one text, so that a starting server reads a page of records as one value.
-- Reading 25 columns of each record took 30 µs, most of it for passing rows between threads.
--
-- The parts are in the order of `IndexRow` in schema/src/store/offers/index_row.rs. Between them is character 31. In the
-- names, \u stands for character 31, \r for character 30, which separates entries, \\ for a backslash, and \- for no name.
ALTER TABLE offers ADD COLUMN entry TEXT COLLATE "C" GENERATED ALWAYS AS (
    id || chr(31) ||
    first_seen_at::text || chr(31) ||
    last_changed_at::text || chr(31) ||
    CASE WHEN is_live THEN '1' ELSE '0' END || chr(31) ||
    coalesce(expired_at::text, '') || chr(31) ||
    coalesce(lat::text, '') || chr(31) ||
    coalesce(lng::text, '') || chr(31) ||
    coalesce(offer_type::text, '') || chr(31) ||
    coalesce(property_type::text, '') || chr(31) ||
    coalesce(subtype::text, '') || chr(31) ||
    coalesce(arrangement::text, '') || chr(31) ||
    coalesce(equipment::text, '') || chr(31) ||
    coalesce(ownership::text, '') || chr(31) ||
    coalesce(property_state::text, '') || chr(31) ||
    coalesce(building_type::text, '') || chr(31) ||
    coalesce(replace(replace(replace(district, '\', '\\'), chr(31), '\u'), chr(30), '\r'), '\-') || chr(31) ||
    coalesce(replace(replace(replace(neighborhood, '\', '\\'), chr(31), '\u'), chr(30), '\r'), '\-') || chr(31) ||
    coalesce(price_total::text, '') || chr(31) ||
    coalesce(living_area::text, '') || chr(31) ||
    coalesce(land_area::text, '') || chr(31) ||
    coalesce(floor::text, '') || chr(31) ||
    coalesce(floor_count::text, '')
) STORED;
