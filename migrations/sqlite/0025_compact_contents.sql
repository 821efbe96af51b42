-- A year of crawls filled the disk: each page was compressed alone, although the pages of a portal are mostly the same,
-- and each sighting had a row.

-- What the contents of a portal have in common, compressed with zstd. A content is compressed with the newest dictionary
-- of its portal and form. The id is a hash of the dictionary, so equal ids are equal dictionaries in every database.
CREATE TABLE content_dictionaries (
    id          INTEGER PRIMARY KEY,
    site_id     TEXT    NOT NULL,
    form        INTEGER NOT NULL,
    generation  INTEGER NOT NULL,
    size        INTEGER NOT NULL,
    content     BLOB    NOT NULL,
    UNIQUE (site_id, form, generation)
) STRICT;

-- The dictionary that the body was compressed with. A body of no bytes was deleted because its advert has been gone for
-- as long as the operator keeps contents.
ALTER TABLE raw_listings ADD COLUMN dictionary INTEGER;

ALTER TABLE sightings RENAME TO single_sightings;

-- When each content was seen: the first time, the last time, and the times of all in one BLOB, whose first byte says how
-- they are written. After 0 each time is eight bytes, the highest first; after 1 each is the difference to the one before
-- in seven bits a byte, the lowest first, and the first and last time are left out. No bytes: no other times.
CREATE TABLE sightings (
    raw_id      INTEGER PRIMARY KEY REFERENCES raw_listings (id),
    listing_id  INTEGER NOT NULL REFERENCES listings (id),
    first_at    INTEGER NOT NULL,
    last_at     INTEGER NOT NULL,
    times       BLOB    NOT NULL
) STRICT;

INSERT INTO sightings (raw_id, listing_id, first_at, last_at, times)
SELECT raw_id, MIN(listing_id), MIN(at), MAX(at),
    CASE WHEN COUNT(*) > 2 THEN unhex('00' || group_concat(printf('%016x', at), '' ORDER BY at)) ELSE x'' END
FROM single_sightings GROUP BY raw_id;

DROP TABLE single_sightings;

CREATE INDEX sightings_listing ON sightings (listing_id);

-- They repeat what the sightings say, and setting them every day wrote the whole content again.
ALTER TABLE raw_listings DROP COLUMN first_seen_at;
ALTER TABLE raw_listings DROP COLUMN last_seen_at;
