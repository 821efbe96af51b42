-- Every crawl of a portal: how far it is, so that one that was cut off goes on, and what came of it.

CREATE TABLE crawl_runs (
    id           INTEGER PRIMARY KEY,
    site_id      TEXT NOT NULL,
    started_at   INTEGER NOT NULL,
    alive_at     INTEGER NOT NULL,
    finished_at  INTEGER,
    outcome      INTEGER NOT NULL,
    position     TEXT NOT NULL,
    trouble      TEXT,
    seen         INTEGER NOT NULL,
    appeared     INTEGER NOT NULL,
    changed      INTEGER NOT NULL,
    gone         INTEGER NOT NULL,
    rejected     INTEGER NOT NULL,
    requests     INTEGER NOT NULL,
    bytes        INTEGER NOT NULL
) STRICT;

CREATE INDEX crawl_runs_of_site ON crawl_runs (site_id, started_at);
