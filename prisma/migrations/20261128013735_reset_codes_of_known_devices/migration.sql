-- AlterTable
ALTER TABLE "email_codes" ADD COLUMN     "is_known_device" BOOLEAN NOT NULL DEFAULT false;
