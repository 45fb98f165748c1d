-- CreateEnum
CREATE TYPE "code_purpose" AS ENUM ('verify_email', 'reset_password');

-- CreateEnum
CREATE TYPE "star_entry_kind" AS ENUM ('signup_bonus', 'hold', 'capture', 'release', 'purchase', 'refund', 'correction');

-- CreateEnum
CREATE TYPE "generation_kind" AS ENUM ('video', 'model_change', 'photosession');

-- CreateEnum
CREATE TYPE "generation_status" AS ENUM ('pending', 'processing', 'generating', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- CreateTable
CREATE TABLE "accounts" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "consent_version" TEXT,
    "consent_at" TIMESTAMPTZ(3),
    "star_balance" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_codes" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "purpose" "code_purpose" NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "star_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "star_entry_kind" NOT NULL,
    "delta" INTEGER NOT NULL,
    "cause_key" TEXT NOT NULL,
    "generation_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "star_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "photos" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "master_key" TEXT NOT NULL,
    "preview_key" TEXT NOT NULL,
    "thumbnail_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "photos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generations" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "status" "generation_status" NOT NULL DEFAULT 'pending',
    "photo_id" UUID NOT NULL,
    "settings" JSONB NOT NULL,
    "stars" INTEGER NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" BYTEA NOT NULL,
    "engine" TEXT NOT NULL,
    "engine_job_id" TEXT,
    "starts" INTEGER NOT NULL DEFAULT 0,
    "progress_share" DOUBLE PRECISION,
    "failure_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "generations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "results" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "original_key" TEXT NOT NULL,
    "watermarked_key" TEXT,
    "poster_key" TEXT NOT NULL,
    "thumbnail_key" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "duration_seconds" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "results_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "status" "payment_status" NOT NULL DEFAULT 'pending',
    "stars" INTEGER NOT NULL,
    "amount_kopecks" INTEGER NOT NULL,
    "refunded_kopecks" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paid_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "analytics_events" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "account_id" INTEGER,
    "page_location" TEXT NOT NULL,
    "video_id" TEXT,
    "source" TEXT,
    "details" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "analytics_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_email_key_key" ON "accounts"("email_key");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_account_id_idx" ON "sessions"("account_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "email_codes_account_id_purpose_created_at_idx" ON "email_codes"("account_id", "purpose", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "star_entries_cause_key_key" ON "star_entries"("cause_key");

-- CreateIndex
CREATE INDEX "star_entries_account_id_id_idx" ON "star_entries"("account_id", "id");

-- CreateIndex
CREATE INDEX "star_entries_generation_id_idx" ON "star_entries"("generation_id");

-- CreateIndex
CREATE INDEX "photos_account_id_created_at_idx" ON "photos"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "generations_account_id_kind_created_at_idx" ON "generations"("account_id", "kind", "created_at" DESC);

-- CreateIndex
CREATE INDEX "generations_status_created_at_idx" ON "generations"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "generations_account_id_kind_idempotency_key_key" ON "generations"("account_id", "kind", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "results_generation_id_position_key" ON "results"("generation_id", "position");

-- CreateIndex
CREATE INDEX "payments_account_id_status_idx" ON "payments"("account_id", "status");

-- CreateIndex
CREATE INDEX "analytics_events_name_created_at_idx" ON "analytics_events"("name", "created_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photos" ADD CONSTRAINT "photos_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_photo_id_fkey" FOREIGN KEY ("photo_id") REFERENCES "photos"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot say (marked "SQL:" in schema.prisma).

-- Ids below 1000 belong to administrators.
ALTER SEQUENCE "accounts_id_seq" START WITH 1000 RESTART WITH 1000;

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_star_balance_check" CHECK ("star_balance" >= 0);

ALTER TABLE "generations" ADD CONSTRAINT "generations_stars_check" CHECK ("stars" >= 0);

-- A hold takes stars; a capture keeps them, and may give a part back; a release gives them back.
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_delta_check" CHECK (
    CASE "kind"
        WHEN 'hold' THEN "delta" < 0 AND "generation_id" IS NOT NULL
        WHEN 'capture' THEN "delta" >= 0 AND "generation_id" IS NOT NULL
        WHEN 'release' THEN "delta" > 0 AND "generation_id" IS NOT NULL
        WHEN 'signup_bonus' THEN "delta" > 0
        WHEN 'purchase' THEN "delta" > 0
        ELSE "delta" <> 0
    END
);

-- The ledger is append-only.
CREATE FUNCTION "refuse_star_entry_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'star_entries is append-only: % is refused', TG_OP;
END
$$;
CREATE TRIGGER "star_entries_append_only" BEFORE UPDATE OR DELETE ON "star_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_star_entry_change"();

-- A hold ends once: captured or released.
CREATE UNIQUE INDEX "star_entries_one_end_key" ON "star_entries"("generation_id")
    WHERE "kind" IN ('capture', 'release');

-- At most one active generation of each kind for an account.
CREATE UNIQUE INDEX "generations_one_active_key" ON "generations"("account_id", "kind")
    WHERE "status" IN ('pending', 'processing', 'generating');
