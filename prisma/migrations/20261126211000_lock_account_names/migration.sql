-- compatible: the version before calls no functions
CREATE FUNCTION "names_of"(named integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT lower(concat_ws(chr(31), email_key, accounts.username, accounts.first_name, last_name, telegram_users.username))
    FROM accounts LEFT JOIN telegram_users ON telegram_users.account_id = accounts.id
    WHERE accounts.id = named
$$;

-- The names are read after their row is locked, by a statement of its own. So of two changes at once the second one sees
-- what the first one wrote. A new row locks its account first, as a change of the e-mail does; otherwise its foreign key
-- would lock it last.
-- compatible: the version before calls no functions
CREATE OR REPLACE FUNCTION "note_names"(noted integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO account_names (account_id, words)
    SELECT id, names_of(id) FROM accounts
    WHERE id = noted AND NOT EXISTS (SELECT FROM account_names WHERE account_id = noted) FOR KEY SHARE OF accounts
    ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN; END IF;
    PERFORM FROM account_names WHERE account_id = noted FOR NO KEY UPDATE;
    UPDATE account_names SET words = known.words FROM (SELECT names_of(noted) AS words) AS known
    WHERE account_id = noted AND account_names.words <> known.words;
END
$$;
