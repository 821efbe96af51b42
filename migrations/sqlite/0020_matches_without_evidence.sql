-- What a pair's comparisons weighed is computed when somebody asks, from the same rules that joined it: a stored copy was
-- the most of this table and nobody read it.
ALTER TABLE matches DROP COLUMN evidence;
