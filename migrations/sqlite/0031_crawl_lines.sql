-- The steps of each crawl and what was noted on the way, for the page of the crawl: a bounded number of lines, which go
-- with the crawl's row.
CREATE TABLE crawl_lines (
    run_id    INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    site_id   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    line      TEXT    NOT NULL,
    seen      INTEGER NOT NULL,
    requests  INTEGER NOT NULL,
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;
