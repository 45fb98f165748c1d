-- AlterTable
ALTER TABLE "telegram_users" ADD COLUMN     "linked_at" TIMESTAMPTZ(3);
