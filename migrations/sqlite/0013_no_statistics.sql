-- Statements are written so that they are planned well without statistics. Those of a file that had a few listings when
-- they were taken, and has a hundred thousand now, have every list of rows compared with every row of the table.

DROP TABLE IF EXISTS sqlite_stat1;
DROP TABLE IF EXISTS sqlite_stat4;
