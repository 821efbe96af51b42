-- A record says most of what one of its listings says. Its document is compressed with that of the listing, its base: a
-- document that begins with b was compressed with the listing's text in place of a dictionary.
ALTER TABLE offer_documents ADD COLUMN base INTEGER;

CREATE INDEX offer_documents_base ON offer_documents (base) WHERE base IS NOT NULL;
