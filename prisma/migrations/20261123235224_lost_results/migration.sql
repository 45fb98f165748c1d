-- AlterTable
ALTER TABLE "results" ADD COLUMN     "lost_at" TIMESTAMPTZ(3);
