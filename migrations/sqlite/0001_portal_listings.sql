-- What portals were seen to say, as it came, and the current state of each portal listing folded from it.

-- The narrow columns that are searched and updated often; the texts stand beside them in listing_bodies.
CREATE TABLE listings (
    id               INTEGER PRIMARY KEY,
    site_id          TEXT    NOT NULL,
    site_offer_id    TEXT    NOT NULL,
    offer_type       INTEGER,
    property_type    INTEGER,
    first_seen_at    INTEGER NOT NULL,
    last_seen_at     INTEGER NOT NULL,
    last_changed_at  INTEGER NOT NULL,
    gone_at          INTEGER,
    version          INTEGER NOT NULL,
    pending          INTEGER NOT NULL CHECK (pending IN (0, 1)),
    offer_id         TEXT,
    UNIQUE (site_id, site_offer_id)
) STRICT;

CREATE INDEX listings_pending ON listings (id) WHERE pending;
CREATE INDEX listings_offer ON listings (offer_id);

-- The listing as JSON, and its page on the portal.
CREATE TABLE listing_bodies (
    listing_id  INTEGER PRIMARY KEY REFERENCES listings (id),
    url         TEXT,
    listing     TEXT NOT NULL
) STRICT;

-- The prices each portal listing asked, oldest first by position.
CREATE TABLE price_points (
    listing_id   INTEGER NOT NULL REFERENCES listings (id),
    position     INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    price_total  REAL    NOT NULL,
    PRIMARY KEY (listing_id, position)
) STRICT, WITHOUT ROWID;

-- Every distinct content of a portal listing, compressed with zstd. Contents are never changed or deleted.
CREATE TABLE raw_listings (
    id             INTEGER PRIMARY KEY,
    listing_id     INTEGER NOT NULL REFERENCES listings (id),
    content_hash   BLOB    NOT NULL,
    form           INTEGER NOT NULL,
    url            TEXT,
    body_size      INTEGER NOT NULL,
    body           BLOB    NOT NULL,
    first_seen_at  INTEGER NOT NULL,
    last_seen_at   INTEGER NOT NULL,
    UNIQUE (listing_id, content_hash)
) STRICT;

-- When each content was seen.
CREATE TABLE sightings (
    listing_id  INTEGER NOT NULL REFERENCES listings (id),
    at          INTEGER NOT NULL,
    raw_id      INTEGER NOT NULL REFERENCES raw_listings (id),
    PRIMARY KEY (listing_id, at, raw_id)
) STRICT, WITHOUT ROWID;

-- When a portal said that a listing was gone.
CREATE TABLE disappearances (
    listing_id  INTEGER NOT NULL REFERENCES listings (id),
    at          INTEGER NOT NULL,
    PRIMARY KEY (listing_id, at)
) STRICT, WITHOUT ROWID;

-- When a portal said so of a listing that nothing else is known of yet: it counts once the listing turns out to have
-- been seen before.
CREATE TABLE early_disappearances (
    site_id        TEXT    NOT NULL,
    site_offer_id  TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    PRIMARY KEY (site_id, site_offer_id, at)
) STRICT, WITHOUT ROWID;

-- Complete walks of a portal; a scope of NULL means all kinds.
CREATE TABLE crawls (
    site_id        TEXT    NOT NULL,
    observed_at    INTEGER NOT NULL,
    started_at     INTEGER NOT NULL,
    offer_type     INTEGER,
    property_type  INTEGER
) STRICT;

CREATE UNIQUE INDEX crawls_once ON crawls
    (site_id, observed_at, started_at, COALESCE(offer_type, -1), COALESCE(property_type, -1));
