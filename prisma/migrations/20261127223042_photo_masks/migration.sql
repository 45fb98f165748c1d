-- AlterTable
ALTER TABLE "photos" ADD COLUMN     "mask_key" TEXT;
