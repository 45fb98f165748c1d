-- AlterTable
ALTER TABLE "engine_runs" ADD COLUMN     "seen_at" TIMESTAMPTZ(3);
