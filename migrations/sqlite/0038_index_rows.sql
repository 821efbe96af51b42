-- What a search index holds of a record, in one text, so that a starting server reads a page of records as one value.
-- Reading 25 columns of each record took 30 µs, most of it for passing rows between threads.
--
-- The parts are in the order of `IndexRow` in schema/src/store/offers/index_row.rs. Between them is character 31. In the
-- names, \u stands for character 31, \r for character 30, which separates entries, \\ for a backslash, and \- for no name.
-- With 17 digits a number is exact between a millionth and 10^15; value bounds keep all numbers there.
ALTER TABLE offers ADD COLUMN entry TEXT GENERATED ALWAYS AS (
    id || char(31) ||
    first_seen_at || char(31) ||
    last_changed_at || char(31) ||
    is_live || char(31) ||
    coalesce(expired_at, '') || char(31) ||
    CASE WHEN lat IS NULL THEN '' ELSE format('%!.17g', lat) END || char(31) ||
    CASE WHEN lng IS NULL THEN '' ELSE format('%!.17g', lng) END || char(31) ||
    coalesce(offer_type, '') || char(31) ||
    coalesce(property_type, '') || char(31) ||
    coalesce(subtype, '') || char(31) ||
    coalesce(arrangement, '') || char(31) ||
    coalesce(equipment, '') || char(31) ||
    coalesce(ownership, '') || char(31) ||
    coalesce(property_state, '') || char(31) ||
    coalesce(building_type, '') || char(31) ||
    coalesce(replace(replace(replace(district, '\', '\\'), char(31), '\u'), char(30), '\r'), '\-') || char(31) ||
    coalesce(replace(replace(replace(neighborhood, '\', '\\'), char(31), '\u'), char(30), '\r'), '\-') || char(31) ||
    CASE WHEN price_total IS NULL THEN '' ELSE format('%!.17g', price_total) END || char(31) ||
    CASE WHEN living_area IS NULL THEN '' ELSE format('%!.17g', living_area) END || char(31) ||
    CASE WHEN land_area IS NULL THEN '' ELSE format('%!.17g', land_area) END || char(31) ||
    coalesce(floor, '') || char(31) ||
    coalesce(floor_count, '')
) VIRTUAL;

-- It holds the entries in the order in which they are read.
CREATE INDEX offers_change_entry ON offers (change, entry);
