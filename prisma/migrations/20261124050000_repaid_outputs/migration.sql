-- AlterTable
ALTER TABLE "star_entries" ADD COLUMN     "result_position" INTEGER;
