-- The steps of each crawl and what was noted on the way, for the page of the crawl: a bounded number of lines, which go
-- with the crawl's row.
CREATE TABLE crawl_lines (
    run_id    BIGINT           NOT NULL,
    number    BIGINT           NOT NULL,
    site_id   TEXT COLLATE "C" NOT NULL,
    at        BIGINT           NOT NULL,
    line      TEXT COLLATE "C" NOT NULL,
    seen      BIGINT           NOT NULL,
    requests  BIGINT           NOT NULL,
    PRIMARY KEY (run_id, number)
);
