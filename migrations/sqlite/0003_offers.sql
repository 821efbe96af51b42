-- The merged records: what searches filter by, narrow and typed, and the ready JSON beside it.

-- One row: the last number given to a change. Whoever takes numbers holds it until commit.
CREATE TABLE change_counter (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    value  INTEGER NOT NULL
) STRICT;

INSERT INTO change_counter (id, value) VALUES (1, 0);

-- A row number is never given twice: search indexes name records by it.
CREATE TABLE offers (
    row              INTEGER PRIMARY KEY AUTOINCREMENT,
    id               TEXT    NOT NULL UNIQUE,
    change           INTEGER NOT NULL UNIQUE,
    issued_at        INTEGER NOT NULL,
    first_seen_at    INTEGER NOT NULL,
    last_changed_at  INTEGER NOT NULL,
    is_live          INTEGER NOT NULL CHECK (is_live IN (0, 1)),
    expired_at       INTEGER,
    lat              REAL,
    lng              REAL,
    offer_type       INTEGER,
    property_type    INTEGER,
    subtype          INTEGER,
    arrangement      INTEGER,
    equipment        INTEGER,
    ownership        INTEGER,
    property_state   INTEGER,
    building_type    INTEGER,
    region           TEXT,
    district         TEXT,
    city             TEXT,
    neighborhood     TEXT,
    street           TEXT,
    postal_code      TEXT,
    price_total      REAL,
    living_area      REAL,
    land_area        REAL,
    floor            INTEGER,
    floor_count      INTEGER,
    municipality     TEXT
) STRICT;

CREATE INDEX offers_municipality ON offers (municipality);

-- The record as a search answers it, ready JSON.
CREATE TABLE offer_summaries (
    row   INTEGER PRIMARY KEY REFERENCES offers (row),
    body  BLOB NOT NULL
) STRICT;

-- What a detail adds, ready JSON: links and price series as they were when the record was merged, so that a detail
-- never shows a listing that its record has not taken in yet.
CREATE TABLE offer_details (
    row   INTEGER PRIMARY KEY REFERENCES offers (row),
    body  BLOB NOT NULL
) STRICT;

-- Retired ids go on answering, with the record that survived.
CREATE TABLE offer_aliases (
    retired_id   TEXT    NOT NULL PRIMARY KEY,
    survivor_id  TEXT    NOT NULL REFERENCES offers (id) DEFERRABLE INITIALLY DEFERRED,
    retired_row  INTEGER NOT NULL,
    change       INTEGER NOT NULL UNIQUE
) STRICT;

CREATE INDEX offer_aliases_survivor ON offer_aliases (survivor_id);
