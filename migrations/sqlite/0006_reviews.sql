-- What persons decided about two listings, which overrules matching: nothing else remembers it, so nothing is changed
-- or deleted. Of the entries about one pair the last counts. Listings are named as their portals name them, so that a
-- decision outlives every row that is made anew; the first of a pair is the smaller one.

CREATE TABLE reviews (
    id             INTEGER PRIMARY KEY,
    left_site_id   TEXT    NOT NULL,
    left_offer_id  TEXT    NOT NULL,
    right_site_id  TEXT    NOT NULL,
    right_offer_id TEXT    NOT NULL,
    verdict        TEXT    NOT NULL CHECK (verdict IN ('same', 'different', 'forgotten')),
    reason         TEXT,
    decided_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX reviews_left ON reviews (left_site_id, left_offer_id);
CREATE INDEX reviews_right ON reviews (right_site_id, right_offer_id);
