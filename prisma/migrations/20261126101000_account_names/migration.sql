-- CreateTable
CREATE TABLE "account_names" (
    "account_id" INTEGER NOT NULL,
    "words" TEXT NOT NULL,

    CONSTRAINT "account_names_pkey" PRIMARY KEY ("account_id")
);

-- Three letters from every place of a text on, fewer at its end: what contains a word contains all that begin within it.
-- compatible: the version before calls no functions
CREATE FUNCTION "name_grams"(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_to_tsvector(coalesce(array_agg(substr(words, place, 3)), '{}'))
    FROM generate_series(1, length(words)) AS place
$$;

-- compatible: only an index of the table that this script makes
CREATE INDEX "account_names_grams_idx" ON "account_names" USING gin (name_grams("words"));

-- compatible: the version before calls no functions
CREATE FUNCTION "note_names"(noted integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO account_names (account_id, words)
    SELECT accounts.id,
        lower(concat_ws(chr(31), email_key, accounts.username, accounts.first_name, last_name, telegram_users.username))
    FROM accounts LEFT JOIN telegram_users ON telegram_users.account_id = accounts.id
    WHERE accounts.id = noted
    ON CONFLICT (account_id) DO UPDATE SET words = excluded.words WHERE account_names.words <> excluded.words
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "note_account_names"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_names(NEW.id);
    RETURN NULL;
END
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "note_telegram_names"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN PERFORM note_names(OLD.account_id); END IF;
    IF TG_OP <> 'DELETE' THEN PERFORM note_names(NEW.account_id); END IF;
    RETURN NULL;
END
$$;
