-- AlterTable
ALTER TABLE "results" ADD COLUMN     "has_drifted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "made" TEXT,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- Prisma knows no partial indexes. All pictures of an account, see listResults.
CREATE INDEX "results_pictures_idx" ON "results"("account_id", "id") WHERE "kind" <> 'video';
