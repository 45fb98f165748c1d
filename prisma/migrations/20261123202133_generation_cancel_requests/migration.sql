-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "cancel_requested_at" TIMESTAMPTZ(3);
