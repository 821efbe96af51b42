-- When each portal is to be crawled, and how the jobs of the workers ended: what operators schedule and look at. The
-- queue itself has tables of its own, by the library that runs the jobs.

-- Every time that a line names after considered_at is still to be queued; of several that were missed the last.
CREATE TABLE schedules (
    site_id        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    cron           TEXT COLLATE "C" NOT NULL,
    paused         BOOLEAN NOT NULL,
    created_at     BIGINT NOT NULL,
    considered_at  BIGINT NOT NULL
);

-- The last ends of each kind of job: a reason where the last one failed for good. The subject is a portal, or empty.
CREATE TABLE job_outcomes (
    kind          TEXT COLLATE "C" NOT NULL,
    subject       TEXT COLLATE "C" NOT NULL,
    succeeded_at  BIGINT,
    failed_at     BIGINT,
    reason        TEXT COLLATE "C",
    PRIMARY KEY (kind, subject)
);
