-- A photo with files takes room, or the quota of its account would not count it. Photos of a version that did not tell
-- their room count as large as they were sent.
UPDATE "photos" SET "stored_bytes" = greatest("size", 1) WHERE "result_id" IS NULL AND "stored_bytes" <= 0;

ALTER TABLE "photos" DROP CONSTRAINT "photos_files_check";
ALTER TABLE "photos" ADD CONSTRAINT "photos_files_check" CHECK (
    num_nonnulls("master_key", "preview_key", "thumbnail_key") = CASE WHEN "result_id" IS NULL THEN 3 ELSE 0 END
    AND CASE WHEN "result_id" IS NULL THEN "stored_bytes" > 0 ELSE "stored_bytes" = 0 END
);

-- Without those whose names are forgotten already, which would grow with every night.
DROP INDEX "telegram_users_unlinked_idx";
CREATE INDEX "telegram_users_unlinked_idx" ON "telegram_users"("named_at")
    WHERE "account_id" IS NULL AND ("username" IS NOT NULL OR "first_name" <> '');
