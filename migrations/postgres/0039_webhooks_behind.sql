-- How long a webhook has been behind or failing was not known, so nobody could be told.
--
-- behind_since is when a worker first found changes for it, until it has all of them; failing_since is when an attempt
-- failed, until one succeeds. Both are null otherwise.
ALTER TABLE webhooks ADD COLUMN behind_since BIGINT;
ALTER TABLE webhooks ADD COLUMN failing_since BIGINT;
