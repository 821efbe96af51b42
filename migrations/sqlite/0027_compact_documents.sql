-- After contents and sightings were made small, the derived JSON and the values that were left out took most of the disk.

-- A listing: a line with its page on the portal, and a line with the listing as JSON. A document begins with a letter:
-- after p the text follows, after z the dictionary's id in eight bytes, the lowest first, and a zstd frame.
ALTER TABLE listing_bodies RENAME TO wide_listing_bodies;

CREATE TABLE listing_bodies (
    listing_id  INTEGER PRIMARY KEY REFERENCES listings (id),
    document    BLOB NOT NULL
) STRICT;

INSERT INTO listing_bodies (listing_id, document)
SELECT listing_id, CAST('p' || COALESCE(replace(url, char(10), ''), '') || char(10) || listing AS BLOB)
FROM wide_listing_bodies;

DROP TABLE wide_listing_bodies;

-- A record: a line with its summary, and a line with what a detail adds to it, stored in the same way.
CREATE TABLE offer_documents (
    row       INTEGER PRIMARY KEY REFERENCES offers (row),
    document  BLOB NOT NULL
) STRICT;

INSERT INTO offer_documents (row, document)
SELECT row, CAST('p' || CAST(offer_summaries.body AS TEXT) || char(10) || CAST(offer_details.body AS TEXT) AS BLOB)
FROM offer_summaries JOIN offer_details USING (row);

DROP TABLE offer_summaries;
DROP TABLE offer_details;

-- Few reasons are given for many values, and values are asked for by their content.
CREATE TABLE value_reject_reasons (
    id       INTEGER PRIMARY KEY,
    site_id  TEXT NOT NULL,
    reason   TEXT NOT NULL,
    UNIQUE (site_id, reason)
) STRICT;

INSERT INTO value_reject_reasons (site_id, reason)
SELECT DISTINCT site_id, reason FROM value_rejects ORDER BY site_id, reason;

ALTER TABLE value_rejects RENAME TO wide_value_rejects;

CREATE TABLE value_rejects (
    raw_id     INTEGER NOT NULL REFERENCES raw_listings (id),
    number     INTEGER NOT NULL,
    reason_id  INTEGER NOT NULL,
    field      TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    PRIMARY KEY (raw_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO value_rejects (raw_id, number, reason_id, field, value)
SELECT raw_id, ROW_NUMBER() OVER (PARTITION BY raw_id ORDER BY wide.id), known.id, field, value
FROM wide_value_rejects AS wide
JOIN value_reject_reasons AS known ON known.site_id = wide.site_id AND known.reason = wide.reason;

DROP TABLE wide_value_rejects;

-- The content of the same advert that the body was compressed with, instead of a dictionary.
ALTER TABLE raw_listings ADD COLUMN base INTEGER;
