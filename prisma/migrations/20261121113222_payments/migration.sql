-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "sandbox_payment_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- AlterEnum
ALTER TYPE "star_entry_kind" ADD VALUE 'interview_bonus';

-- AlterTable
ALTER TABLE "generations" DROP COLUMN "deleted_at";

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "canceled_at" TIMESTAMPTZ(3),
ADD COLUMN     "cancellation_reason" TEXT,
ADD COLUMN     "checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "idempotency_key" TEXT,
ADD COLUMN     "is_test" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "package_id" INTEGER,
ADD COLUMN     "package_name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "payment_url" TEXT,
ADD COLUMN     "provider" TEXT NOT NULL DEFAULT 'sandbox',
ADD COLUMN     "provider_payment_id" TEXT,
ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0;

-- Only rows that were there already need these.
ALTER TABLE "payments" ALTER COLUMN "provider" DROP DEFAULT, ALTER COLUMN "package_name" DROP DEFAULT;

-- AlterTable
ALTER TABLE "star_entries" ADD COLUMN     "note" TEXT,
ADD COLUMN     "payment_id" UUID;

-- CreateTable
CREATE TABLE "star_packages" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "stars" INTEGER NOT NULL,
    "price_kopecks" INTEGER NOT NULL,
    "is_sample" BOOLEAN NOT NULL DEFAULT false,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "star_packages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "status" "refund_status" NOT NULL DEFAULT 'pending',
    "provider_refund_id" TEXT,
    "amount_kopecks" INTEGER NOT NULL,
    "stars" INTEGER NOT NULL,
    "stars_taken" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "requested_by_id" INTEGER,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_payments" (
    "id" UUID NOT NULL,
    "idempotence_key" TEXT NOT NULL,
    "order_id" UUID NOT NULL,
    "status" "sandbox_payment_status" NOT NULL DEFAULT 'pending',
    "amount_kopecks" INTEGER NOT NULL,
    "refunded_kopecks" INTEGER NOT NULL DEFAULT 0,
    "cancellation_reason" TEXT,
    "description" TEXT NOT NULL,
    "return_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_refunds" (
    "id" UUID NOT NULL,
    "idempotence_key" TEXT NOT NULL,
    "payment_id" UUID NOT NULL,
    "amount_kopecks" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "interview_requests" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "telegram" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "granted_at" TIMESTAMPTZ(3),

    CONSTRAINT "interview_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "admin_id" INTEGER,
    "action" TEXT NOT NULL,
    "account_id" INTEGER,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "refunds_provider_refund_id_key" ON "refunds"("provider_refund_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_payment_id_idempotency_key_key" ON "refunds"("payment_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "refunds_status_created_at_idx" ON "refunds"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_payments_idempotence_key_key" ON "sandbox_payments"("idempotence_key");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refunds_idempotence_key_key" ON "sandbox_refunds"("idempotence_key");

-- CreateIndex
CREATE UNIQUE INDEX "interview_requests_account_id_key" ON "interview_requests"("account_id");

-- CreateIndex
CREATE INDEX "audit_entries_created_at_idx" ON "audit_entries"("created_at");

-- CreateIndex
CREATE INDEX "payments_status_created_at_idx" ON "payments"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "payments_provider_provider_payment_id_key" ON "payments"("provider", "provider_payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_account_id_idempotency_key_key" ON "payments"("account_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "star_entries_payment_id_idx" ON "star_entries"("payment_id");

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_package_id_fkey" FOREIGN KEY ("package_id") REFERENCES "star_packages"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "sandbox_payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "interview_requests" ADD CONSTRAINT "interview_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot say (marked "SQL:" in schema.prisma).

ALTER TABLE "star_packages" ADD CONSTRAINT "star_packages_stars_check" CHECK ("stars" > 0),
    ADD CONSTRAINT "star_packages_price_check" CHECK ("price_kopecks" > 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded_check"
    CHECK ("refunded_kopecks" BETWEEN 0 AND "amount_kopecks");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount_check" CHECK ("amount_kopecks" > 0),
    ADD CONSTRAINT "refunds_stars_check" CHECK ("stars" >= 0 AND "stars_taken" BETWEEN 0 AND "stars");
ALTER TABLE "sandbox_payments" ADD CONSTRAINT "sandbox_payments_refunded_check"
    CHECK ("refunded_kopecks" BETWEEN 0 AND "amount_kopecks");

-- A purchase names its payment; so does a refund, which takes stars, or brings them back when the provider refused it.
-- The kind is compared as text, because a value that this migration adds cannot be used in it.
ALTER TABLE "star_entries" DROP CONSTRAINT "star_entries_delta_check";
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_delta_check" CHECK (
    CASE "kind"::text
        WHEN 'hold' THEN "delta" < 0 AND "generation_id" IS NOT NULL
        WHEN 'capture' THEN "delta" >= 0 AND "generation_id" IS NOT NULL
        WHEN 'release' THEN "delta" > 0 AND "generation_id" IS NOT NULL
        WHEN 'signup_bonus' THEN "delta" > 0
        WHEN 'interview_bonus' THEN "delta" > 0
        WHEN 'purchase' THEN "delta" > 0 AND "payment_id" IS NOT NULL
        WHEN 'refund' THEN "delta" <> 0 AND "payment_id" IS NOT NULL
        ELSE "delta" <> 0
    END
);

-- Audit rows are append-only.
CREATE FUNCTION "refuse_audit_entry_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entries is append-only: % is refused', TG_OP;
END
$$;
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_entry_change"();

-- Packages to begin with, one for each tier; the prices are examples.
INSERT INTO "star_packages" ("name", "stars", "price_kopecks", "is_sample") VALUES
    ('Примерка', 10, 49000, true),
    ('Коллекция', 20, 90000, true),
    ('Показ', 50, 199000, true),
    ('Дом моды', 100, 349000, true);
