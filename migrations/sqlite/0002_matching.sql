-- What dedup derives from the listings to find those that are one property. All of it can be computed again.

CREATE TABLE blocking_keys (
    key         INTEGER NOT NULL,
    listing_id  INTEGER NOT NULL,
    PRIMARY KEY (key, listing_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocking_keys_listing ON blocking_keys (listing_id);

CREATE TABLE matches (
    left_id   INTEGER NOT NULL,
    right_id  INTEGER NOT NULL,
    weight    REAL    NOT NULL,
    vetoed    INTEGER NOT NULL CHECK (vetoed IN (0, 1)),
    evidence  BLOB    NOT NULL,
    PRIMARY KEY (left_id, right_id),
    CHECK (left_id < right_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX matches_right ON matches (right_id);

-- The district (okres) that each listing says its municipality lies in.
CREATE TABLE municipality_votes (
    listing_id    INTEGER PRIMARY KEY,
    municipality  TEXT NOT NULL,
    district      TEXT
) STRICT;

CREATE INDEX municipality_votes_tally ON municipality_votes (municipality, district);

-- The district that the votes settled on.
CREATE TABLE municipality_districts (
    municipality  TEXT PRIMARY KEY,
    district      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- With which version of the code each kind of derived data was made: another version makes it anew.
CREATE TABLE derivations (
    name     TEXT    NOT NULL PRIMARY KEY,
    version  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
