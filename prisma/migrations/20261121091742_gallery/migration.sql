-- AlterTable
ALTER TABLE "results" ADD COLUMN     "account_id" INTEGER,
ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "kind" "generation_kind",
ADD COLUMN     "title" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "watermarked_poster_key" TEXT;

-- Results that are there already take both from their generation.
UPDATE "results" SET "account_id" = "generations"."account_id", "kind" = "generations"."kind"
    FROM "generations" WHERE "generations"."id" = "results"."generation_id";
ALTER TABLE "results" ALTER COLUMN "account_id" SET NOT NULL, ALTER COLUMN "kind" SET NOT NULL;

-- CreateIndex
CREATE INDEX "results_account_id_kind_id_idx" ON "results"("account_id", "kind", "id");

-- CreateIndex
CREATE INDEX "results_account_id_id_idx" ON "results"("account_id", "id");

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
