-- What dedup derives from the listings to find those that are one property. All of it can be computed again.

CREATE TABLE blocking_keys (
    key         BIGINT NOT NULL,
    listing_id  BIGINT NOT NULL,
    PRIMARY KEY (key, listing_id)
);

CREATE INDEX blocking_keys_listing ON blocking_keys (listing_id);

CREATE TABLE matches (
    left_id   BIGINT           NOT NULL,
    right_id  BIGINT           NOT NULL,
    weight    DOUBLE PRECISION NOT NULL,
    vetoed    BOOLEAN          NOT NULL,
    evidence  BYTEA            NOT NULL,
    PRIMARY KEY (left_id, right_id),
    CHECK (left_id < right_id)
);

CREATE INDEX matches_right ON matches (right_id);

-- The district (okres) that each listing says its municipality lies in.
CREATE TABLE municipality_votes (
    listing_id    BIGINT           PRIMARY KEY,
    municipality  TEXT COLLATE "C" NOT NULL,
    district      TEXT COLLATE "C"
);

CREATE INDEX municipality_votes_tally ON municipality_votes (municipality, district);

-- The district that the votes settled on.
CREATE TABLE municipality_districts (
    municipality  TEXT COLLATE "C" PRIMARY KEY,
    district      TEXT COLLATE "C" NOT NULL
);

-- With which version of the code each kind of derived data was made: another version makes it anew.
CREATE TABLE derivations (
    name     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version  BIGINT NOT NULL
);
