-- A year of crawls filled the disk: each page was compressed alone, although the pages of a portal are mostly the same,
-- and each sighting had a row.

-- What the contents of a portal have in common, compressed with zstd. A content is compressed with the newest dictionary
-- of its portal and form. The id is a hash of the dictionary, so equal ids are equal dictionaries in every database.
CREATE TABLE content_dictionaries (
    id          BIGINT           PRIMARY KEY,
    site_id     TEXT COLLATE "C" NOT NULL,
    form        SMALLINT         NOT NULL,
    generation  BIGINT           NOT NULL,
    size        BIGINT           NOT NULL,
    content     BYTEA            NOT NULL,
    UNIQUE (site_id, form, generation)
);

-- The dictionary that the body was compressed with. A body of no bytes was deleted because its advert has been gone for
-- as long as the operator keeps contents.
ALTER TABLE raw_listings ADD COLUMN dictionary BIGINT;

-- A body is compressed already: PostgreSQL would try in vain to compress it again.
ALTER TABLE raw_listings ALTER COLUMN body SET STORAGE EXTERNAL;

ALTER TABLE sightings RENAME TO single_sightings;

-- When each content was seen: the first time, the last time, and the times of all in one BYTEA, whose first byte says how
-- they are written. After 0 each time is eight bytes, the highest first; after 1 each is the difference to the one before
-- in seven bits a byte, the lowest first, and the first and last time are left out. No bytes: no other times.
CREATE TABLE sightings (
    raw_id      BIGINT NOT NULL,
    listing_id  BIGINT NOT NULL REFERENCES listings (id),
    first_at    BIGINT NOT NULL,
    last_at     BIGINT NOT NULL,
    times       BYTEA  NOT NULL
);

INSERT INTO sightings (raw_id, listing_id, first_at, last_at, times)
SELECT raw_id, MIN(listing_id), MIN(at), MAX(at),
    CASE WHEN COUNT(*) > 2 THEN '\x00'::bytea || string_agg(int8send(at), ''::bytea ORDER BY at) ELSE ''::bytea END
FROM single_sightings GROUP BY raw_id;

DROP TABLE single_sightings;

ALTER TABLE sightings ADD PRIMARY KEY (raw_id);
ALTER TABLE sightings ADD FOREIGN KEY (raw_id) REFERENCES raw_listings (id);
CREATE INDEX sightings_listing ON sightings (listing_id);

-- They repeat what the sightings say.
ALTER TABLE raw_listings DROP COLUMN first_seen_at;
ALTER TABLE raw_listings DROP COLUMN last_seen_at;
