-- DropIndex
DROP INDEX "accounts_bonus_email_hash_idx";

-- AlterTable
ALTER TABLE "accounts" DROP COLUMN "bonus_email_hash";

-- CreateTable
CREATE TABLE "signup_mailboxes" (
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signup_mailboxes_pkey" PRIMARY KEY ("key")
);
