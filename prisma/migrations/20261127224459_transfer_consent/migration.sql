-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "transfer_consent_at" TIMESTAMPTZ(3),
ADD COLUMN     "transfer_consent_version" TEXT;
