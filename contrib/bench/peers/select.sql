\set account random(1, :accounts)
SELECT answer FROM accounts WHERE id = :account;
