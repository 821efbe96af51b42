-- The statement that counts requests takes those of all accounts, and the limit of each must be beside its count. It is the
-- limit of the last count and tells nothing about the account.
ALTER TABLE usage ADD COLUMN last_limit INTEGER NOT NULL DEFAULT 0;
