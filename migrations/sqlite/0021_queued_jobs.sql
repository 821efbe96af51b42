-- The queue of jobs gets tables of its own. It was in those of the library apalis ("Jobs" and "Workers"), which are
-- dropped; jobs that are not done yet move over.

-- The workers that take jobs, with the last heartbeat of each.
CREATE TABLE job_workers (
    name     TEXT    NOT NULL PRIMARY KEY,
    lane     TEXT    NOT NULL,
    seen_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A job waits while it has neither a worker nor a done_at. A done job stays for a while, so that a second job of its
-- name is not queued.
CREATE TABLE queued_jobs (
    lane     TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    job      BLOB    NOT NULL,
    run_at   INTEGER NOT NULL,
    worker   TEXT    REFERENCES job_workers (name),
    done_at  INTEGER,
    PRIMARY KEY (lane, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX queued_jobs_unfinished ON queued_jobs (lane, run_at, name) WHERE done_at IS NULL;

-- A database that never had a queue lacks the old tables; empty ones let the statements below run.
CREATE TABLE IF NOT EXISTS Jobs (job BLOB, job_type TEXT, status TEXT, run_at INTEGER, idempotency_key TEXT);

INSERT INTO queued_jobs (lane, name, job, run_at)
SELECT job_type, idempotency_key, CAST(job AS BLOB), run_at * 1000 FROM Jobs WHERE status NOT IN ('Done', 'Killed');

DROP TABLE Jobs;
DROP TABLE IF EXISTS Workers;
DROP TABLE IF EXISTS _apalis_migrations;
