-- Stored data can be taken out again: a portal whose permission was withdrawn, a listing after a legal request, or what a
-- wrong dump or crawl brought.

-- What was taken out, and why. A portal or listing does not come back until it is allowed again.
CREATE TABLE purges (
    id             INTEGER PRIMARY KEY,
    kind           TEXT    NOT NULL CHECK (kind IN ('portal', 'listing', 'dump', 'crawl')),
    site_id        TEXT,
    site_offer_id  TEXT,
    subject        TEXT    NOT NULL,
    reason         TEXT    NOT NULL,
    purged_at      INTEGER NOT NULL,
    allowed_at     INTEGER
) STRICT;

CREATE INDEX purges_of_site ON purges (site_id, site_offer_id);

-- The records that were taken out because no listing of theirs is left. Search indexes learn by the change number that
-- the row is gone.
CREATE TABLE purged_offers (
    id      TEXT    NOT NULL PRIMARY KEY,
    row     INTEGER NOT NULL,
    change  INTEGER NOT NULL UNIQUE
) STRICT;
