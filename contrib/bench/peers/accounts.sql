-- A number as the key: pgbench cannot write text, and a number is the faster key.
CREATE TABLE accounts (id bigint NOT NULL, answer bytea NOT NULL, credits bigint NOT NULL);
INSERT INTO accounts
SELECT number, decode(repeat('00', 100), 'hex'), 1000000 FROM generate_series(1, :accounts) number;
ALTER TABLE accounts ADD PRIMARY KEY (id);
VACUUM ANALYZE accounts;
CHECKPOINT;
