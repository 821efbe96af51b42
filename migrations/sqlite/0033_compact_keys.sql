-- Blocking keys took an eighth of a year's disk, most of it for the index by listing, and the name of the field was stored
-- with every value that was left out.

-- The blocking keys of each listing in one BLOB, whose first byte says how they are written. After 0 each key is eight
-- bytes, the highest first; after 1 the first key and the differences between the sorted keys, in seven bits a byte, the
-- lowest first.
CREATE TABLE listing_keys (
    listing_id  INTEGER PRIMARY KEY,
    keys        BLOB NOT NULL
) STRICT;

-- A key has 47 bits from now on, which SQLite stores in six bytes.
ALTER TABLE blocking_keys RENAME TO wide_blocking_keys;
DROP INDEX blocking_keys_listing;

CREATE TABLE blocking_keys (
    key         INTEGER NOT NULL,
    listing_id  INTEGER NOT NULL,
    PRIMARY KEY (key, listing_id)
) STRICT, WITHOUT ROWID;

INSERT INTO blocking_keys (key, listing_id)
SELECT DISTINCT key & 140737488355327, listing_id FROM wide_blocking_keys ORDER BY 1, 2;

DROP TABLE wide_blocking_keys;

INSERT INTO listing_keys (listing_id, keys)
SELECT listing_id, unhex('00' || group_concat(printf('%016x', key), '' ORDER BY key))
FROM blocking_keys GROUP BY listing_id;

-- The field is stored with the reason.
ALTER TABLE value_reject_reasons RENAME TO reasons_without_fields;

CREATE TABLE value_reject_reasons (
    id       INTEGER PRIMARY KEY,
    site_id  TEXT NOT NULL,
    field    TEXT NOT NULL,
    reason   TEXT NOT NULL,
    UNIQUE (site_id, field, reason)
) STRICT;

INSERT INTO value_reject_reasons (site_id, field, reason)
SELECT DISTINCT site_id, field, reason
FROM value_rejects JOIN reasons_without_fields AS known ON known.id = reason_id ORDER BY site_id, field, reason;

ALTER TABLE value_rejects RENAME TO wide_value_rejects;

CREATE TABLE value_rejects (
    raw_id     INTEGER NOT NULL REFERENCES raw_listings (id),
    number     INTEGER NOT NULL,
    reason_id  INTEGER NOT NULL,
    value      TEXT    NOT NULL,
    PRIMARY KEY (raw_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO value_rejects (raw_id, number, reason_id, value)
SELECT raw_id, number, known.id, value
FROM wide_value_rejects AS wide
JOIN reasons_without_fields AS earlier ON earlier.id = wide.reason_id
JOIN value_reject_reasons AS known
    ON known.site_id = earlier.site_id AND known.field = wide.field AND known.reason = earlier.reason;

DROP TABLE wide_value_rejects;
DROP TABLE reasons_without_fields;
