-- How a portal said that a listing was gone, for whoever asks later. The state of a listing does not depend on it.

ALTER TABLE disappearances ADD COLUMN reason TEXT;
