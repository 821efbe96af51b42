-- Whoever runs it stops one crawl without stopping its worker, and hears of what needs a person.

-- When the operator asked that the crawl be stopped.
ALTER TABLE crawl_runs ADD COLUMN stop_asked_at INTEGER;

-- What was sent, or is to be sent, to the operator's webhook. Each occasion is sent once.
CREATE TABLE notices (
    id            INTEGER PRIMARY KEY,
    about         TEXT    NOT NULL,
    occasion      TEXT    NOT NULL,
    what          TEXT    NOT NULL,
    todo          TEXT    NOT NULL,
    noticed_at    INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    delivered_at  INTEGER,
    UNIQUE (about, occasion)
) STRICT;
