-- AlterEnum
ALTER TYPE "star_entry_kind" ADD VALUE 'transfer';

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "merged_into_id" INTEGER,
ALTER COLUMN "email" DROP NOT NULL,
ALTER COLUMN "email_key" DROP NOT NULL,
ALTER COLUMN "password_hash" DROP NOT NULL;

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "currency" TEXT NOT NULL DEFAULT 'RUB';

-- AlterTable
ALTER TABLE "star_packages" ADD COLUMN     "price_xtr" INTEGER;

-- CreateTable
CREATE TABLE "telegram_users" (
    "id" BIGINT NOT NULL,
    "account_id" INTEGER,
    "username" TEXT,
    "first_name" TEXT NOT NULL DEFAULT '',
    "terms_version" TEXT,
    "terms_at" TIMESTAMPTZ(3),
    "gift_at" TIMESTAMPTZ(3),
    "tells_results" BOOLEAN NOT NULL DEFAULT true,
    "unreachable_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "telegram_users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "telegram_updates" (
    "id" BIGINT NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "body" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "telegram_updates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "telegram_messages" (
    "cause_key" TEXT NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "message_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "telegram_messages_pkey" PRIMARY KEY ("cause_key")
);

-- CreateTable
CREATE TABLE "telegram_orders" (
    "generation_id" UUID NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "message_id" INTEGER NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "telegram_orders_pkey" PRIMARY KEY ("generation_id")
);

-- CreateTable
CREATE TABLE "telegram_files" (
    "result_id" UUID NOT NULL,
    "variant" TEXT NOT NULL,
    "file_id" TEXT NOT NULL,

    CONSTRAINT "telegram_files_pkey" PRIMARY KEY ("result_id","variant")
);

-- CreateTable
CREATE TABLE "link_tokens" (
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER,
    "telegram_user_id" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "telegram_users_account_id_key" ON "telegram_users"("account_id");

-- CreateIndex
CREATE INDEX "telegram_updates_chat_id_id_idx" ON "telegram_updates"("chat_id", "id");

-- CreateIndex
CREATE INDEX "telegram_updates_finished_at_idx" ON "telegram_updates"("finished_at");

-- CreateIndex
CREATE INDEX "telegram_messages_created_at_idx" ON "telegram_messages"("created_at");

-- CreateIndex
CREATE INDEX "telegram_orders_chat_id_message_id_idx" ON "telegram_orders"("chat_id", "message_id");

-- CreateIndex
CREATE INDEX "link_tokens_expires_at_idx" ON "link_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "accounts_merged_into_id_idx" ON "accounts"("merged_into_id");

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_users" ADD CONSTRAINT "telegram_users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_orders" ADD CONSTRAINT "telegram_orders_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_files" ADD CONSTRAINT "telegram_files_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say (marked "SQL:" in schema.prisma).

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_email_check"
    CHECK (("email" IS NULL) = ("email_key" IS NULL) AND ("email" IS NULL) = ("password_hash" IS NULL));
ALTER TABLE "star_packages" ADD CONSTRAINT "star_packages_price_xtr_check" CHECK ("price_xtr" > 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_currency_check" CHECK ("currency" IN ('RUB', 'XTR'));
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_side_check"
    CHECK (("account_id" IS NULL) <> ("telegram_user_id" IS NULL));
-- What is still to be done is looked for every second.
CREATE INDEX "telegram_updates_unfinished_idx" ON "telegram_updates"("id") WHERE "finished_at" IS NULL;
CREATE INDEX "telegram_orders_untold_idx" ON "telegram_orders"("generation_id") WHERE "told_at" IS NULL;
