-- AlterTable
ALTER TABLE "results" ADD COLUMN     "has_drifted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "made" TEXT,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);
