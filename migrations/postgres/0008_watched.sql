-- Of which portals any listing has gone, in a moment: matching asks at every run.

CREATE INDEX listings_gone ON listings (site_id) WHERE gone_at IS NOT NULL;
