-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "expected_seconds" INTEGER;
