-- A name that changes meanwhile is noted by its trigger and stays.
-- compatible: writes a table that the version before does not know
INSERT INTO "account_names" ("account_id", "words")
SELECT accounts.id,
    lower(concat_ws(chr(31), email_key, accounts.username, accounts.first_name, last_name, telegram_users.username))
FROM accounts LEFT JOIN telegram_users ON telegram_users.account_id = accounts.id
ON CONFLICT DO NOTHING;
