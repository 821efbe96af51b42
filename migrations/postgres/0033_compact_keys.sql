-- Blocking keys took an eighth of a year's disk, half of it for the index by listing.

-- The blocking keys of each listing in one BYTEA, whose first byte says how they are written. After 0 each key is eight
-- bytes, the highest first; after 1 the first key and the differences between the sorted keys, in seven bits a byte, the
-- lowest first.
CREATE TABLE listing_keys (
    listing_id  BIGINT PRIMARY KEY,
    keys        BYTEA  NOT NULL
);

-- A key has 47 bits from now on, which SQLite stores in six bytes.
DROP INDEX blocking_keys_listing;
ALTER TABLE blocking_keys RENAME TO wide_blocking_keys;

CREATE TABLE blocking_keys (
    key         BIGINT NOT NULL,
    listing_id  BIGINT NOT NULL
);

INSERT INTO blocking_keys (key, listing_id)
SELECT DISTINCT key & 140737488355327, listing_id FROM wide_blocking_keys ORDER BY 1, 2;

DROP TABLE wide_blocking_keys;
ALTER TABLE blocking_keys ADD PRIMARY KEY (key, listing_id);

INSERT INTO listing_keys (listing_id, keys)
SELECT listing_id, '\x00'::bytea || string_agg(int8send(key), ''::bytea ORDER BY key)
FROM blocking_keys GROUP BY listing_id;
