-- CreateTable
CREATE TABLE "invoice_keys" (
    "payment_id" UUID NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "invoice_keys_pkey" PRIMARY KEY ("payment_id","key")
);

-- CreateIndex
CREATE INDEX "invoice_keys_key_idx" ON "invoice_keys"("key");

-- AddForeignKey
ALTER TABLE "invoice_keys" ADD CONSTRAINT "invoice_keys_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A repeat of a request from before the migration still finds its invoice.
INSERT INTO "invoice_keys" ("payment_id", "key")
SELECT "id", "idempotency_key" FROM "payments" WHERE "idempotency_key" IS NOT NULL;

-- DropIndex
DROP INDEX "payments_account_id_idempotency_key_key";

-- AlterTable
ALTER TABLE "payments" DROP COLUMN "idempotency_key",
ADD COLUMN     "dismissed_at" TIMESTAMPTZ(3),
ADD COLUMN     "payable_until" TIMESTAMPTZ(3);

-- The payment pages of both providers are open for an hour.
UPDATE "payments" SET "payable_until" = "created_at" + interval '1 hour'
WHERE "status" = 'pending' AND "payment_url" IS NOT NULL;
