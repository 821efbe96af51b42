-- A process keeps one row for its marks and counts its statements in it. So a mark is written in its place, instead of a new
-- row that the next statement deletes: deleted rows had to be passed by until the table was vacuumed. A statement whose
-- number is in the row already, or a greater one, is refused.
ALTER TABLE commit_marks ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
