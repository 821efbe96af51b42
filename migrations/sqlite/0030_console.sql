-- The operator's console: who may use it, what they did, and what they answered about pairs of listings.

-- A name is used once and for good, because the logs name people by it. Someone who was removed keeps the row.
CREATE TABLE operators (
    id             INTEGER PRIMARY KEY,
    name           TEXT    NOT NULL,
    role           TEXT    NOT NULL CHECK (role IN ('reviewer', 'operator')),
    password_hash  TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    removed_at     INTEGER,
    UNIQUE (name)
) STRICT;

-- The cookie holds the token; here is only its hash.
CREATE TABLE operator_sessions (
    token_hash   BLOB    NOT NULL PRIMARY KEY,
    operator_id  INTEGER NOT NULL REFERENCES operators (id),
    created_at   INTEGER NOT NULL,
    seen_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id);

-- Every action in the console. Rows are only added.
CREATE TABLE audit_log (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    person   TEXT    NOT NULL,
    action   TEXT    NOT NULL,
    subject  TEXT    NOT NULL,
    detail   TEXT
) STRICT;

-- Who made a decision; unknown for decisions made on the command line and before the console.
ALTER TABLE reviews ADD COLUMN person TEXT;

-- What people answered to the questions of the console, also that they cannot tell, and the blind repeats that measure
-- how well reviewers agree. Matching reads reviews only. Rows are only added; an answer that was taken back is followed by
-- one that says so.
CREATE TABLE review_answers (
    id              INTEGER PRIMARY KEY,
    left_site_id    TEXT    NOT NULL,
    left_offer_id   TEXT    NOT NULL,
    right_site_id   TEXT    NOT NULL,
    right_offer_id  TEXT    NOT NULL,
    answer          TEXT    NOT NULL CHECK (answer IN ('same', 'different', 'unsure', 'withdrawn')),
    person          TEXT    NOT NULL,
    reason          TEXT,
    asked           TEXT    NOT NULL CHECK (asked IN ('join', 'split', 'none')),
    left_adverts    INTEGER NOT NULL,
    right_adverts   INTEGER NOT NULL,
    weight          REAL    NOT NULL,
    is_repeat       INTEGER NOT NULL CHECK (is_repeat IN (0, 1)),
    answered_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX review_answers_pair ON review_answers (left_site_id, left_offer_id, right_site_id, right_offer_id);

-- One figure of a portal, or of the whole database (an empty portal), on one day: what the console shows over time and
-- nothing else keeps.
CREATE TABLE daily_figures (
    site_id  TEXT    NOT NULL,
    day      INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    value    REAL    NOT NULL,
    PRIMARY KEY (site_id, day, name)
) STRICT, WITHOUT ROWID;
