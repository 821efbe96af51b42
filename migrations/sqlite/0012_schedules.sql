-- When each portal is to be crawled, and how the jobs of the workers ended: what operators schedule and look at. The
-- queue itself has tables of its own, by the library that runs the jobs.

-- Every time that a line names after considered_at is still to be queued; of several that were missed the last.
CREATE TABLE schedules (
    site_id        TEXT    NOT NULL PRIMARY KEY,
    cron           TEXT    NOT NULL,
    paused         INTEGER NOT NULL CHECK (paused IN (0, 1)),
    created_at     INTEGER NOT NULL,
    considered_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last ends of each kind of job: a reason where the last one failed for good. The subject is a portal, or empty.
CREATE TABLE job_outcomes (
    kind          TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    succeeded_at  INTEGER,
    failed_at     INTEGER,
    reason        TEXT,
    PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
