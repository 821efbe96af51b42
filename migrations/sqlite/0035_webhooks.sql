-- A saved search rings: its changes are sent to addresses that the operator names.

-- Changes up to the position were delivered, set aside, or were none of the filter. Until due_at no other worker takes it.
CREATE TABLE webhooks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    url         TEXT    NOT NULL,
    filter      TEXT    NOT NULL,
    secret      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    failure     TEXT
) STRICT;

-- Messages that were given up, as they were sent. They are sent once more at retry_at, if the operator asked for it.
CREATE TABLE dead_letters (
    webhook_id  INTEGER NOT NULL REFERENCES webhooks (id),
    change      INTEGER NOT NULL,
    message     BLOB    NOT NULL,
    reason      TEXT    NOT NULL,
    given_up_at INTEGER NOT NULL,
    retry_at    INTEGER,
    PRIMARY KEY (webhook_id, change)
) STRICT, WITHOUT ROWID;
