-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "has_printed_password" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_admin" BOOLEAN NOT NULL DEFAULT false;
