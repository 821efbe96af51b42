-- The queue of jobs gets tables of its own. It was in those of the library apalis (the schema "apalis"), which are
-- dropped; jobs that are not done yet move over.

-- The workers that take jobs, with the last heartbeat of each.
CREATE TABLE job_workers (
    name     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    lane     TEXT COLLATE "C" NOT NULL,
    seen_at  BIGINT NOT NULL
);

-- A job waits while it has neither a worker nor a done_at. A done job stays for a while, so that a second job of its
-- name is not queued.
CREATE TABLE queued_jobs (
    lane     TEXT COLLATE "C" NOT NULL,
    name     TEXT COLLATE "C" NOT NULL,
    job      BYTEA  NOT NULL,
    run_at   BIGINT NOT NULL,
    worker   TEXT COLLATE "C" REFERENCES job_workers (name),
    done_at  BIGINT,
    PRIMARY KEY (lane, name)
);

CREATE INDEX queued_jobs_unfinished ON queued_jobs (lane, run_at, name) WHERE done_at IS NULL;

-- A database that never had a queue lacks the old tables; empty ones let the statements below run.
CREATE SCHEMA IF NOT EXISTS apalis;
CREATE TABLE IF NOT EXISTS apalis.jobs (
    job BYTEA, job_type TEXT, status TEXT, run_at TIMESTAMPTZ, idempotency_key TEXT
);

INSERT INTO queued_jobs (lane, name, job, run_at)
SELECT job_type, idempotency_key, job, EXTRACT(EPOCH FROM run_at)::bigint * 1000
FROM apalis.jobs WHERE status NOT IN ('Done', 'Killed');

DROP SCHEMA apalis CASCADE;
