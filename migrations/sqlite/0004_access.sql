-- Who may ask, and how often.

CREATE TABLE accounts (
    id                 INTEGER PRIMARY KEY,
    name               TEXT    NOT NULL UNIQUE,
    plan               TEXT    NOT NULL,
    requests_override  INTEGER,
    created_at         INTEGER NOT NULL,
    CHECK (requests_override IS NULL OR plan = 'customV2')
) STRICT;

-- Only the keyed hash of a token is known here.
CREATE TABLE tokens (
    id          TEXT    NOT NULL PRIMARY KEY,
    account_id  INTEGER NOT NULL REFERENCES accounts (id),
    hash        BLOB    NOT NULL UNIQUE,
    prefix      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    revoked_at  INTEGER
) STRICT;

-- Requests used by an account in a month (months since year 0), and how many the last reservation was granted.
CREATE TABLE usage (
    account_id    INTEGER NOT NULL REFERENCES accounts (id),
    month         INTEGER NOT NULL,
    used          INTEGER NOT NULL CHECK (used >= 0),
    last_granted  INTEGER NOT NULL,
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- Keys that every process of this database shares.
CREATE TABLE secrets (
    name   TEXT NOT NULL PRIMARY KEY,
    value  BLOB NOT NULL
) STRICT;
