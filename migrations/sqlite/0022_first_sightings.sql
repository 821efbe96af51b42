-- When a portal was first crawled, in a moment: matching asks at every run.

CREATE INDEX listings_first_seen ON listings (site_id, first_seen_at);
