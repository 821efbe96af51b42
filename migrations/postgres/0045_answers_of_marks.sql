-- A statement that commits by itself writes what it answered beside its mark. If the answer is lost, it is read there. A mark
-- without an answer refuses the statement: it was written by a question about it, before the statement committed.
ALTER TABLE commit_marks ADD COLUMN answer TEXT COLLATE "C";
