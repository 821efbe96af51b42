-- Which editions of the address registry were imported, and when: the last one is in use.

CREATE TABLE gazetteer_editions (
    id             INTEGER PRIMARY KEY,
    edition_id     TEXT    NOT NULL,
    edition_date   INTEGER NOT NULL,
    municipalities INTEGER NOT NULL,
    places         INTEGER NOT NULL,
    imported_at    INTEGER NOT NULL
) STRICT;
