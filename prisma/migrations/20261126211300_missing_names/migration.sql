-- CreateTable
CREATE TABLE "missing_names" (
    "singleton" BOOLEAN NOT NULL DEFAULT true,
    "next_id" INTEGER NOT NULL,

    CONSTRAINT "missing_names_pkey" PRIMARY KEY ("singleton"),
    -- One row.
    CONSTRAINT "missing_names_singleton_check" CHECK ("singleton")
);

-- compatible: writes a table that the version before does not know
INSERT INTO "missing_names" ("next_id")
SELECT min(id) FROM accounts WHERE NOT EXISTS (SELECT FROM account_names WHERE account_id = accounts.id) HAVING count(*) > 0;

-- Where there are few accounts all are found at once. This takes a second, for which their names cannot be changed; the
-- clean-up notes the others in smaller parts.
-- compatible: writes a table that the version before does not know
INSERT INTO "account_names" ("account_id", "words")
SELECT id, names_of(id) FROM (SELECT id FROM accounts ORDER BY id LIMIT 10000 FOR KEY SHARE) AS first
ON CONFLICT DO NOTHING;
