-- AlterEnum
ALTER TYPE "code_purpose" ADD VALUE 'change_email';

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "bonus_email_hash" TEXT;

-- AlterTable
ALTER TABLE "email_codes" ADD COLUMN     "new_email" TEXT;

-- CreateIndex
CREATE INDEX "accounts_bonus_email_hash_idx" ON "accounts"("bonus_email_hash");
