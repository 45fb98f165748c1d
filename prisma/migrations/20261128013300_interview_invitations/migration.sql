-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "interview_invited_at" TIMESTAMPTZ(3);
