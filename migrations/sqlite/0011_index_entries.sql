-- What a portal's lists said of each advert, and which detail was last read for it: what is unchanged is not asked
-- for again.

CREATE TABLE index_entries (
    site_id        TEXT NOT NULL,
    site_offer_id  TEXT NOT NULL,
    url            TEXT NOT NULL,
    teaser         BLOB NOT NULL,
    seen_at        INTEGER NOT NULL,
    due_at         INTEGER NOT NULL,
    read_at        INTEGER,
    read_content   BLOB,
    read_stable    BLOB,
    etag           TEXT,
    last_modified  TEXT,
    PRIMARY KEY (site_id, site_offer_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX index_entries_due ON index_entries (site_id, due_at);
