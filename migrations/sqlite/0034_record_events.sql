-- A follower keeps a copy of the records, so it must learn what happened to each, in the order of commit.

-- What one change did to a record, by the number of the change. A record that was saved as it was has no row.
CREATE TABLE record_events (
    change  INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    events  TEXT NOT NULL
) STRICT;

-- Which change was the last at some instants. Events up to the change of the first mark are not known: they were deleted,
-- or happened before events were kept.
CREATE TABLE event_marks (
    at      INTEGER PRIMARY KEY,
    change  INTEGER NOT NULL
) STRICT;

INSERT INTO event_marks (at, change) SELECT 0, value FROM change_counter;
