-- Lists are walked more often than details are read: most requests of a crawl are for details.

-- When only the lists are walked, as a cron line, and up to when that was considered.
ALTER TABLE schedules ADD COLUMN lists_cron TEXT;
ALTER TABLE schedules ADD COLUMN lists_considered_at INTEGER NOT NULL DEFAULT 0;

-- Whether the crawl reads no details.
ALTER TABLE crawl_runs ADD COLUMN lists_only INTEGER NOT NULL DEFAULT 0 CHECK (lists_only IN (0, 1));
