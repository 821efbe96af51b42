-- A record says most of what one of its listings says. Its document is compressed with that of the listing, its base: a
-- document that begins with b is like one with z, but the listing's text was put behind the dictionary.
ALTER TABLE offer_documents ADD COLUMN base BIGINT;

CREATE INDEX offer_documents_base ON offer_documents (base) WHERE base IS NOT NULL;
