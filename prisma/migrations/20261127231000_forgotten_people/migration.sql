-- AlterTable
ALTER TABLE "telegram_users" ADD COLUMN     "named_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- For the clean-up, which forgets the names of chats without an account.
CREATE INDEX "telegram_users_unlinked_idx" ON "telegram_users"("named_at") WHERE "account_id" IS NULL;

-- For the clean-up, which removes accounts that never confirmed their e-mail.
CREATE INDEX "accounts_unconfirmed_idx" ON "accounts"("created_at")
    WHERE "email" IS NOT NULL AND "email_verified_at" IS NULL AND "erased_at" IS NULL;
