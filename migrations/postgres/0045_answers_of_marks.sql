-- A statement that commits by itself writes what it answered beside its mark, for whoever has to ask because the answer was
-- lost. A mark without an answer refuses the statement: it was written by the one who asked, before the statement committed.
ALTER TABLE commit_marks ADD COLUMN answer TEXT COLLATE "C";
