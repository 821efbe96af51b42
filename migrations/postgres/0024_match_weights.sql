-- An operator's own match weights, fitted to his decisions: only the levels that weigh otherwise than in the program.
-- Without rows, the weights of the program are in force.
CREATE TABLE match_weights (
    comparison  TEXT COLLATE "C" NOT NULL,
    level       TEXT COLLATE "C" NOT NULL,
    weight      DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (comparison, level)
);
