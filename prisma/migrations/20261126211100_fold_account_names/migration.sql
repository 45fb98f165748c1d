-- Lower case. With the locale C the server's own `lower` knows only Latin letters.
-- compatible: the version before calls no functions
CREATE FUNCTION "fold_case"(words text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT translate(lower(words), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя')
$$;

-- compatible: the version before calls no functions
CREATE OR REPLACE FUNCTION "names_of"(named integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT fold_case(concat_ws(chr(31), email_key, accounts.username, accounts.first_name, last_name, telegram_users.username))
    FROM accounts LEFT JOIN telegram_users ON telegram_users.account_id = accounts.id
    WHERE accounts.id = named
$$;

-- Only where the locale is C.
-- compatible: writes a table that the version before does not know
UPDATE "account_names" SET "words" = fold_case("words") WHERE "words" <> fold_case("words");
