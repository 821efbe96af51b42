-- A commit that is asked for and not confirmed, because the server crashed or fell silent, may have come about. A server
-- that crashes may give the number of a transaction out again, so its own word for a number is not enough: a transaction
-- whose fate matters writes a mark, which is there if it was committed, and which the next one of the process takes away.
-- A process that is killed leaves one behind, which does no harm. An embedded database always says what it committed.
CREATE TABLE commit_marks (
    mark  TEXT NOT NULL PRIMARY KEY
) STRICT;
