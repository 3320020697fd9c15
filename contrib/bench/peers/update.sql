\set account random(1, :accounts)
UPDATE accounts SET credits = credits - 1 WHERE id = :account AND credits >= 1 RETURNING credits;
