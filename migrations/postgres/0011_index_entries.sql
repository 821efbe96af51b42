-- What a portal's lists said of each advert, and which detail was last read for it: what is unchanged is not asked
-- for again.

CREATE TABLE index_entries (
    site_id        TEXT COLLATE "C" NOT NULL,
    site_offer_id  TEXT COLLATE "C" NOT NULL,
    url            TEXT COLLATE "C" NOT NULL,
    teaser         BYTEA NOT NULL,
    seen_at        BIGINT NOT NULL,
    due_at         BIGINT NOT NULL,
    read_at        BIGINT,
    read_content   BYTEA,
    read_stable    BYTEA,
    etag           TEXT COLLATE "C",
    last_modified  TEXT COLLATE "C",
    PRIMARY KEY (site_id, site_offer_id)
);

CREATE INDEX index_entries_due ON index_entries (site_id, due_at);
