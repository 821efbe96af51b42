-- Input that could not be read, and values outside sense: nothing is dropped silently.

CREATE TABLE rejects (
    id            INTEGER PRIMARY KEY,
    source        TEXT    NOT NULL,
    line          INTEGER NOT NULL,
    content_hash  BLOB    NOT NULL,
    reason        TEXT    NOT NULL,
    content       BLOB    NOT NULL,
    rejected_at   INTEGER NOT NULL,
    UNIQUE (source, line, content_hash)
) STRICT;

CREATE TABLE value_rejects (
    id       INTEGER PRIMARY KEY,
    raw_id   INTEGER NOT NULL REFERENCES raw_listings (id),
    site_id  TEXT    NOT NULL,
    field    TEXT    NOT NULL,
    value    TEXT    NOT NULL,
    reason   TEXT    NOT NULL
) STRICT;

CREATE INDEX value_rejects_raw ON value_rejects (raw_id);
