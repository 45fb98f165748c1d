-- CreateEnum
CREATE TYPE "code_purpose" AS ENUM ('verify_email', 'reset_password', 'change_email');

-- CreateEnum
CREATE TYPE "star_entry_kind" AS ENUM ('signup_bonus', 'hold', 'capture', 'release', 'purchase', 'refund', 'correction', 'interview_bonus', 'transfer');

-- CreateEnum
CREATE TYPE "generation_kind" AS ENUM ('video', 'model_change', 'photosession', 'try_on');

-- CreateEnum
CREATE TYPE "generation_status" AS ENUM ('pending', 'processing', 'generating', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "batch_status" AS ENUM ('open', 'running', 'paused');

-- CreateEnum
CREATE TYPE "batch_row_stage" AS ENUM ('uploading', 'duplicate', 'refused', 'ready', 'waiting', 'started', 'failed', 'stopped');

-- CreateEnum
CREATE TYPE "PackStatus" AS ENUM ('making', 'ready', 'failed');

-- CreateEnum
CREATE TYPE "engine_run_status" AS ENUM ('submitting', 'submitted', 'succeeded', 'failed', 'uncertain', 'cancelled');

-- CreateEnum
CREATE TYPE "engine_run_reason" AS ENUM ('first', 'reroll', 'failed_before', 'job_lost', 'submit_interrupted');

-- CreateEnum
CREATE TYPE "engine_outage_cause" AS ENUM ('unfunded', 'misconfigured', 'failing');

-- CreateEnum
CREATE TYPE "input_role" AS ENUM ('subject', 'person');

-- CreateEnum
CREATE TYPE "garment_verdict" AS ENUM ('pending', 'kept', 'drifted', 'not_comparable');

-- CreateEnum
CREATE TYPE "garment_drift" AS ENUM ('colour', 'print');

-- CreateEnum
CREATE TYPE "result_report_reason" AS ENUM ('minor', 'forbidden_content', 'garment_distorted', 'person_distorted', 'other');

-- CreateEnum
CREATE TYPE "result_report_status" AS ENUM ('open', 'closed');

-- CreateEnum
CREATE TYPE "result_report_decision" AS ENUM ('no_action', 'stars_returned', 'result_removed');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "sandbox_payment_status" AS ENUM ('pending', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "notice_channel" AS ENUM ('push', 'mail', 'telegram');

-- CreateTable
CREATE TABLE "accounts" (
    "id" SERIAL NOT NULL,
    "email" TEXT,
    "email_key" TEXT,
    "password_hash" TEXT,
    "username" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "consent_version" TEXT,
    "consent_at" TIMESTAMPTZ(3),
    "transfer_consent_version" TEXT,
    "transfer_consent_at" TIMESTAMPTZ(3),
    "transfer_withdrawn_at" TIMESTAMPTZ(3),
    "star_balance" INTEGER NOT NULL DEFAULT 0,
    "mails_results" BOOLEAN NOT NULL DEFAULT false,
    "interview_invited_at" TIMESTAMPTZ(3),
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "has_printed_password" BOOLEAN NOT NULL DEFAULT false,
    "deletion_asked_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "merged_into_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "replaced_token_hash" BYTEA,
    "account_id" INTEGER NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_factors" (
    "account_id" INTEGER NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "recovery_hashes" BYTEA[],
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "email_codes" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "purpose" "code_purpose" NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "handle_hash" BYTEA,
    "is_known_device" BOOLEAN NOT NULL DEFAULT false,
    "mailed_to" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "email_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signup_mailboxes" (
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signup_mailboxes_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "limit_counts" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "limit_counts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "star_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "star_entry_kind" NOT NULL,
    "delta" INTEGER NOT NULL,
    "cause_key" TEXT NOT NULL,
    "generation_id" UUID,
    "result_position" INTEGER,
    "payment_id" UUID,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "star_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "article" TEXT NOT NULL,
    "article_key" TEXT NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "result_numbers" (
    "account_id" INTEGER NOT NULL,
    "name_key" TEXT NOT NULL,
    "made" TEXT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "result_numbers_pkey" PRIMARY KEY ("account_id","name_key","made")
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
    "master_key" TEXT,
    "preview_key" TEXT,
    "thumbnail_key" TEXT,
    "mask_key" TEXT,
    "stored_bytes" INTEGER NOT NULL,
    "master_bytes" INTEGER,
    "preview_bytes" INTEGER,
    "thumbnail_bytes" INTEGER,
    "mask_bytes" INTEGER,
    "sent_sha256" TEXT,
    "result_id" UUID,
    "product_id" UUID,
    "guessed_article" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "photos_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generations" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "status" "generation_status" NOT NULL DEFAULT 'pending',
    "settings" JSONB NOT NULL,
    "product_id" UUID,
    "stars" INTEGER NOT NULL,
    "positions" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "missed_positions" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "reroll_of_id" UUID,
    "batch_id" UUID,
    "batch_row_id" UUID,
    "idempotency_key" TEXT,
    "request_hash" BYTEA NOT NULL,
    "engine" TEXT NOT NULL,
    "progress_share" DOUBLE PRECISION,
    "expected_seconds" INTEGER,
    "failure_code" TEXT,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "generations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "batches" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "status" "batch_status" NOT NULL DEFAULT 'open',
    "settings" JSONB NOT NULL,
    "person_photo_id" UUID,
    "is_queue" BOOLEAN NOT NULL DEFAULT false,
    "pause_code" TEXT,
    "resumes_at" TIMESTAMPTZ(3),
    "continues_after_purchase" BOOLEAN NOT NULL DEFAULT false,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "seen_run" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "batch_rows" (
    "id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "stage" "batch_row_stage" NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER,
    "folder" TEXT,
    "photo_id" UUID,
    "article" TEXT,
    "note" TEXT,
    "settings" JSONB,
    "agreed_stars" INTEGER,
    "is_reroll" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "retries_left" INTEGER NOT NULL DEFAULT 0,
    "generation_id" UUID,
    "refusal_code" TEXT,
    "is_taken" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_rows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "packs" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "marketplace" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "batch_id" UUID,
    "product_id" UUID,
    "result_ids" UUID[],
    "template" TEXT NOT NULL,
    "status" "PackStatus" NOT NULL DEFAULT 'making',
    "done" INTEGER NOT NULL DEFAULT 0,
    "extra" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "file_name" TEXT NOT NULL,
    "storage_key" TEXT,
    "bytes" BIGINT,
    "failure_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "packs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "batch_commands" (
    "batch_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_commands_pkey" PRIMARY KEY ("batch_id","key")
);

-- CreateTable
CREATE TABLE "batch_lines" (
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "is_open" BOOLEAN NOT NULL DEFAULT false,
    "served_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00 +00:00',

    CONSTRAINT "batch_lines_pkey" PRIMARY KEY ("account_id","kind")
);

-- CreateTable
CREATE TABLE "setting_sets" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_runs" (
    "id" UUID NOT NULL,
    "generation_id" UUID,
    "engine" TEXT NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "model" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "reason" "engine_run_reason" NOT NULL,
    "status" "engine_run_status" NOT NULL DEFAULT 'submitting',
    "job_id" TEXT,
    "job_details" JSONB,
    "cost_micros" INTEGER NOT NULL DEFAULT 0,
    "currency" TEXT,
    "is_unpaid" BOOLEAN NOT NULL DEFAULT false,
    "failure_code" TEXT,
    "should_retry" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3),
    "notified_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "engine_outages" (
    "id" UUID NOT NULL,
    "engine" TEXT NOT NULL,
    "kind" "generation_kind",
    "cause" "engine_outage_cause" NOT NULL,
    "detail" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retry_at" TIMESTAMPTZ(3) NOT NULL,
    "trial_generation_id" UUID,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_outages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generation_inputs" (
    "generation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "input_role" NOT NULL,
    "photo_id" UUID NOT NULL,

    CONSTRAINT "generation_inputs_pkey" PRIMARY KEY ("generation_id","position")
);

-- CreateTable
CREATE TABLE "results" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "position" INTEGER NOT NULL,
    "original_key" TEXT NOT NULL,
    "watermarked_key" TEXT,
    "watermarked_bytes" INTEGER,
    "poster_key" TEXT NOT NULL,
    "poster_bytes" INTEGER NOT NULL,
    "watermarked_poster_key" TEXT,
    "watermarked_poster_bytes" INTEGER,
    "thumbnail_key" TEXT NOT NULL,
    "thumbnail_bytes" INTEGER NOT NULL,
    "watermarked_thumbnail_bytes" INTEGER,
    "content_type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "duration_seconds" DOUBLE PRECISION,
    "title" TEXT,
    "product_id" UUID,
    "photo_name" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "lost_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "made" TEXT NOT NULL,
    "has_drifted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "results_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "garment_checks" (
    "result_id" UUID NOT NULL,
    "verdict" "garment_verdict" NOT NULL DEFAULT 'pending',
    "drifts" "garment_drift"[] DEFAULT ARRAY[]::"garment_drift"[],
    "reason" TEXT,
    "colour_difference" DOUBLE PRECISION,
    "print_similarity" DOUBLE PRECISION,
    "feature_matches" INTEGER,
    "frame_seconds" DOUBLE PRECISION,
    "source_crop" BYTEA,
    "result_crop" BYTEA,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "garment_checks_pkey" PRIMARY KEY ("result_id")
);

-- CreateTable
CREATE TABLE "video_copy_orders" (
    "result_id" UUID NOT NULL,
    "ordered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "video_copy_orders_pkey" PRIMARY KEY ("result_id")
);

-- CreateTable
CREATE TABLE "result_reports" (
    "id" UUID NOT NULL,
    "result_id" UUID,
    "generation_id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "reason" "result_report_reason" NOT NULL,
    "is_urgent" BOOLEAN NOT NULL,
    "comment" TEXT,
    "status" "result_report_status" NOT NULL DEFAULT 'open',
    "decision" "result_report_decision",
    "answer" TEXT,
    "closed_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mailed_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "result_reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "star_packages" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "stars" INTEGER NOT NULL,
    "price_kopecks" INTEGER NOT NULL,
    "price_xtr" INTEGER,
    "is_sample" BOOLEAN NOT NULL DEFAULT false,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "star_packages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "status" "payment_status" NOT NULL DEFAULT 'pending',
    "provider" TEXT NOT NULL,
    "provider_payment_id" TEXT,
    "package_id" INTEGER,
    "package_name" TEXT NOT NULL,
    "stars" INTEGER NOT NULL,
    "amount_minor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'RUB',
    "refunded_minor" INTEGER NOT NULL DEFAULT 0,
    "payment_url" TEXT,
    "payable_until" TIMESTAMPTZ(3),
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "refusals" INTEGER NOT NULL DEFAULT 0,
    "cancellation_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),
    "dismissed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_keys" (
    "payment_id" UUID NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "invoice_keys_pkey" PRIMARY KEY ("payment_id","key")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "status" "refund_status" NOT NULL DEFAULT 'pending',
    "provider_refund_id" TEXT,
    "amount_minor" INTEGER NOT NULL,
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

-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" UUID NOT NULL,
    "account_id" INTEGER NOT NULL,
    "session_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notices" (
    "id" UUID NOT NULL,
    "generation_id" UUID,
    "batch_id" UUID,
    "occasion" TEXT,
    "channel" "notice_channel" NOT NULL,
    "target" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "telegram_users" (
    "id" BIGINT NOT NULL,
    "account_id" INTEGER,
    "username" TEXT,
    "first_name" TEXT NOT NULL DEFAULT '',
    "named_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "terms_version" TEXT,
    "terms_at" TIMESTAMPTZ(3),
    "gift_at" TIMESTAMPTZ(3),
    "linked_at" TIMESTAMPTZ(3),
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
CREATE TABLE "telegram_batches" (
    "batch_id" UUID NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "message_id" INTEGER,
    "collects_until" TIMESTAMPTZ(3) NOT NULL,
    "is_set_chosen" BOOLEAN NOT NULL DEFAULT false,
    "is_followed" BOOLEAN NOT NULL DEFAULT false,
    "handed_over" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "telegram_batches_pkey" PRIMARY KEY ("batch_id")
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
CREATE UNIQUE INDEX "accounts_email_key_key" ON "accounts"("email_key");

-- CreateIndex
CREATE INDEX "accounts_deletion_asked_at_idx" ON "accounts"("deletion_asked_at");

-- CreateIndex
CREATE INDEX "accounts_merged_into_id_idx" ON "accounts"("merged_into_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_account_id_idx" ON "sessions"("account_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "sessions_replaced_token_hash_idx" ON "sessions"("replaced_token_hash");

-- CreateIndex
CREATE INDEX "email_codes_account_id_purpose_created_at_idx" ON "email_codes"("account_id", "purpose", "created_at");

-- CreateIndex
CREATE INDEX "email_codes_expires_at_idx" ON "email_codes"("expires_at");

-- CreateIndex
CREATE INDEX "limit_counts_expire_idx" ON "limit_counts"("expire");

-- CreateIndex
CREATE UNIQUE INDEX "star_entries_cause_key_key" ON "star_entries"("cause_key");

-- CreateIndex
CREATE INDEX "star_entries_account_id_id_idx" ON "star_entries"("account_id", "id");

-- CreateIndex
CREATE INDEX "star_entries_generation_id_idx" ON "star_entries"("generation_id");

-- CreateIndex
CREATE INDEX "star_entries_payment_id_idx" ON "star_entries"("payment_id");

-- CreateIndex
CREATE INDEX "products_account_id_id_idx" ON "products"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "products_account_id_article_key_key" ON "products"("account_id", "article_key");

-- CreateIndex
CREATE INDEX "photos_account_id_created_at_idx" ON "photos"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "photos_account_id_sent_sha256_idx" ON "photos"("account_id", "sent_sha256");

-- CreateIndex
CREATE INDEX "photos_result_id_idx" ON "photos"("result_id");

-- CreateIndex
CREATE INDEX "photos_product_id_created_at_idx" ON "photos"("product_id", "created_at");

-- CreateIndex
CREATE INDEX "generations_account_id_kind_created_at_idx" ON "generations"("account_id", "kind", "created_at" DESC);

-- CreateIndex
CREATE INDEX "generations_product_id_idx" ON "generations"("product_id");

-- CreateIndex
CREATE INDEX "generations_status_created_at_idx" ON "generations"("status", "created_at");

-- CreateIndex
CREATE INDEX "generations_batch_id_idx" ON "generations"("batch_id");

-- CreateIndex
CREATE INDEX "generations_batch_row_id_idx" ON "generations"("batch_row_id");

-- CreateIndex
CREATE UNIQUE INDEX "generations_account_id_kind_idempotency_key_key" ON "generations"("account_id", "kind", "idempotency_key");

-- CreateIndex
CREATE INDEX "batches_account_id_id_idx" ON "batches"("account_id", "id");

-- CreateIndex
CREATE INDEX "batches_person_photo_id_idx" ON "batches"("person_photo_id");

-- CreateIndex
CREATE UNIQUE INDEX "batch_rows_generation_id_key" ON "batch_rows"("generation_id");

-- CreateIndex
CREATE INDEX "batch_rows_photo_id_idx" ON "batch_rows"("photo_id");

-- CreateIndex
CREATE UNIQUE INDEX "batch_rows_batch_id_position_key" ON "batch_rows"("batch_id", "position");

-- CreateIndex
CREATE INDEX "packs_account_id_created_at_idx" ON "packs"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "packs_batch_id_idx" ON "packs"("batch_id");

-- CreateIndex
CREATE INDEX "packs_product_id_idx" ON "packs"("product_id");

-- CreateIndex
CREATE INDEX "packs_finished_at_idx" ON "packs"("finished_at");

-- CreateIndex
CREATE UNIQUE INDEX "setting_sets_account_id_kind_name_key_key" ON "setting_sets"("account_id", "kind", "name_key");

-- CreateIndex
CREATE INDEX "engine_runs_generation_id_created_at_idx" ON "engine_runs"("generation_id", "created_at");

-- CreateIndex
CREATE INDEX "engine_runs_engine_created_at_idx" ON "engine_runs"("engine", "created_at");

-- CreateIndex
CREATE INDEX "engine_outages_engine_closed_at_idx" ON "engine_outages"("engine", "closed_at");

-- CreateIndex
CREATE INDEX "generation_inputs_photo_id_idx" ON "generation_inputs"("photo_id");

-- CreateIndex
CREATE INDEX "results_account_id_kind_id_idx" ON "results"("account_id", "kind", "id");

-- CreateIndex
CREATE INDEX "results_account_id_id_idx" ON "results"("account_id", "id");

-- CreateIndex
CREATE INDEX "results_product_id_id_idx" ON "results"("product_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "results_generation_id_position_key" ON "results"("generation_id", "position");

-- CreateIndex
CREATE INDEX "result_reports_result_id_id_idx" ON "result_reports"("result_id", "id");

-- CreateIndex
CREATE INDEX "result_reports_generation_id_idx" ON "result_reports"("generation_id");

-- CreateIndex
CREATE INDEX "result_reports_account_id_idx" ON "result_reports"("account_id");

-- CreateIndex
CREATE INDEX "result_reports_status_is_urgent_id_idx" ON "result_reports"("status", "is_urgent" DESC, "id");

-- CreateIndex
CREATE INDEX "result_reports_status_closed_at_id_idx" ON "result_reports"("status", "closed_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_account_id_status_idx" ON "payments"("account_id", "status");

-- CreateIndex
CREATE INDEX "payments_status_created_at_idx" ON "payments"("status", "created_at");

-- CreateIndex
CREATE INDEX "payments_created_at_id_idx" ON "payments"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_provider_created_at_idx" ON "payments"("provider", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "payments_provider_provider_payment_id_key" ON "payments"("provider", "provider_payment_id");

-- CreateIndex
CREATE INDEX "invoice_keys_key_idx" ON "invoice_keys"("key");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_provider_refund_id_key" ON "refunds"("provider_refund_id");

-- CreateIndex
CREATE INDEX "refunds_status_created_at_idx" ON "refunds"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_payment_id_idempotency_key_key" ON "refunds"("payment_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_payments_idempotence_key_key" ON "sandbox_payments"("idempotence_key");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refunds_idempotence_key_key" ON "sandbox_refunds"("idempotence_key");

-- CreateIndex
CREATE UNIQUE INDEX "interview_requests_account_id_key" ON "interview_requests"("account_id");

-- CreateIndex
CREATE INDEX "audit_entries_created_at_idx" ON "audit_entries"("created_at");

-- CreateIndex
CREATE INDEX "analytics_events_created_at_idx" ON "analytics_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" ON "push_subscriptions"("endpoint");

-- CreateIndex
CREATE INDEX "push_subscriptions_account_id_idx" ON "push_subscriptions"("account_id");

-- CreateIndex
CREATE INDEX "push_subscriptions_session_id_idx" ON "push_subscriptions"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "notices_generation_id_channel_target_key" ON "notices"("generation_id", "channel", "target");

-- CreateIndex
CREATE UNIQUE INDEX "notices_batch_id_occasion_channel_target_key" ON "notices"("batch_id", "occasion", "channel", "target");

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
CREATE INDEX "telegram_orders_told_at_idx" ON "telegram_orders"("told_at");

-- CreateIndex
CREATE INDEX "telegram_batches_chat_id_collects_until_idx" ON "telegram_batches"("chat_id", "collects_until");

-- CreateIndex
CREATE INDEX "telegram_batches_is_followed_idx" ON "telegram_batches"("is_followed");

-- CreateIndex
CREATE INDEX "link_tokens_expires_at_idx" ON "link_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_merged_into_id_fkey" FOREIGN KEY ("merged_into_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_codes" ADD CONSTRAINT "email_codes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_numbers" ADD CONSTRAINT "result_numbers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photos" ADD CONSTRAINT "photos_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photos" ADD CONSTRAINT "photos_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "photos" ADD CONSTRAINT "photos_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_reroll_of_id_fkey" FOREIGN KEY ("reroll_of_id") REFERENCES "generations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_batch_row_id_fkey" FOREIGN KEY ("batch_row_id") REFERENCES "batch_rows"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_person_photo_id_fkey" FOREIGN KEY ("person_photo_id") REFERENCES "photos"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_photo_id_fkey" FOREIGN KEY ("photo_id") REFERENCES "photos"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "packs" ADD CONSTRAINT "packs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "packs" ADD CONSTRAINT "packs_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "packs" ADD CONSTRAINT "packs_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_commands" ADD CONSTRAINT "batch_commands_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_lines" ADD CONSTRAINT "batch_lines_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "setting_sets" ADD CONSTRAINT "setting_sets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "engine_runs" ADD CONSTRAINT "engine_runs_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generation_inputs" ADD CONSTRAINT "generation_inputs_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generation_inputs" ADD CONSTRAINT "generation_inputs_photo_id_fkey" FOREIGN KEY ("photo_id") REFERENCES "photos"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "garment_checks" ADD CONSTRAINT "garment_checks_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "video_copy_orders" ADD CONSTRAINT "video_copy_orders_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_package_id_fkey" FOREIGN KEY ("package_id") REFERENCES "star_packages"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_keys" ADD CONSTRAINT "invoice_keys_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "sandbox_payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "interview_requests" ADD CONSTRAINT "interview_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_users" ADD CONSTRAINT "telegram_users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_orders" ADD CONSTRAINT "telegram_orders_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_batches" ADD CONSTRAINT "telegram_batches_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telegram_files" ADD CONSTRAINT "telegram_files_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say follows (marked "SQL:" in schema.prisma).

-- ---------------------------------------------------------------------------------------------------------------------
-- Ids of accounts
-- ---------------------------------------------------------------------------------------------------------------------

-- Ids below 1000 belong to administrators.
ALTER SEQUENCE "accounts_id_seq" START WITH 1000 RESTART WITH 1000;

-- ---------------------------------------------------------------------------------------------------------------------
-- The ledger and the audit: append-only, and every cause once
-- ---------------------------------------------------------------------------------------------------------------------

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_star_balance_check" CHECK ("star_balance" >= 0);
ALTER TABLE "generations" ADD CONSTRAINT "generations_stars_check" CHECK ("stars" >= 0);

-- A hold takes stars; a capture keeps them, and may give a part back; a release gives them back. A purchase names its
-- payment; so does a refund, which takes stars, or brings them back when the provider refused it.
ALTER TABLE "star_entries" ADD CONSTRAINT "star_entries_delta_check" CHECK (
    CASE "kind"
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

-- A hold ends once: captured or released.
CREATE UNIQUE INDEX "star_entries_one_end_key" ON "star_entries"("generation_id")
    WHERE "kind" IN ('capture', 'release');

-- The price of an output comes back once, whether for a complaint or for a loss, and whichever re-roll made it.
CREATE UNIQUE INDEX "star_entries_one_return_key" ON "star_entries"("generation_id", "result_position")
    WHERE "result_position" IS NOT NULL;

CREATE FUNCTION "refuse_star_entry_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'star_entries is append-only: % is refused', TG_OP;
END
$$;
CREATE TRIGGER "star_entries_append_only" BEFORE UPDATE OR DELETE ON "star_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_star_entry_change"();

CREATE FUNCTION "refuse_audit_entry_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entries is append-only: % is refused', TG_OP;
END
$$;
CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_entry_change"();

-- ---------------------------------------------------------------------------------------------------------------------
-- Checks of payments and packages
-- ---------------------------------------------------------------------------------------------------------------------

ALTER TABLE "star_packages" ADD CONSTRAINT "star_packages_stars_check" CHECK ("stars" > 0),
    ADD CONSTRAINT "star_packages_price_check" CHECK ("price_kopecks" > 0),
    ADD CONSTRAINT "star_packages_price_xtr_check" CHECK ("price_xtr" > 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_currency_check" CHECK ("currency" IN ('RUB', 'XTR')),
    ADD CONSTRAINT "payments_refunded_check" CHECK ("refunded_minor" BETWEEN 0 AND "amount_minor");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount_check" CHECK ("amount_minor" > 0),
    ADD CONSTRAINT "refunds_stars_check" CHECK ("stars" >= 0 AND "stars_taken" BETWEEN 0 AND "stars");
ALTER TABLE "sandbox_payments" ADD CONSTRAINT "sandbox_payments_refunded_check"
    CHECK ("refunded_kopecks" BETWEEN 0 AND "amount_kopecks");

-- ---------------------------------------------------------------------------------------------------------------------
-- Checks of other tables
-- ---------------------------------------------------------------------------------------------------------------------

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_email_check"
    CHECK (("email" IS NULL) = ("email_key" IS NULL) AND ("email" IS NULL) = ("password_hash" IS NULL));

ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_side_check"
    CHECK (("account_id" IS NULL) <> ("telegram_user_id" IS NULL));

-- A picked result has no files of its own. A photo with files takes room, or the quota of its account would not count it.
ALTER TABLE "photos" ADD CONSTRAINT "photos_files_check" CHECK (
    num_nonnulls("master_key", "preview_key", "thumbnail_key") = CASE WHEN "result_id" IS NULL THEN 3 ELSE 0 END
    AND num_nonnulls("master_bytes", "preview_bytes", "thumbnail_bytes") = CASE WHEN "result_id" IS NULL THEN 3 ELSE 0 END
    AND ("mask_key" IS NULL) = ("mask_bytes" IS NULL)
    AND CASE WHEN "result_id" IS NULL THEN "stored_bytes" > 0 ELSE "stored_bytes" = 0 END
);

-- A pause has its reason, and nothing else has one.
ALTER TABLE "batches" ADD CONSTRAINT "batches_pause_check" CHECK (("status" = 'paused') = ("pause_code" IS NOT NULL));
ALTER TABLE "packs" ADD CONSTRAINT "packs_file_check"
  CHECK (("status" = 'ready') = ("storage_key" IS NOT NULL) AND ("storage_key" IS NULL) = ("bytes" IS NULL));

ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_price_check" CHECK ("agreed_stars" >= 0);

-- A notice is about a generation or about a batch.
ALTER TABLE "notices" ADD CONSTRAINT "notices_about_check" CHECK (
    ("generation_id" IS NULL) <> ("batch_id" IS NULL) AND ("batch_id" IS NULL) = ("occasion" IS NULL)
);

-- What is closed was decided.
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_decision_check" CHECK (
    ("status" = 'closed') = ("decision" IS NOT NULL) AND ("status" = 'closed') = ("closed_at" IS NOT NULL)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- What may be there once
-- ---------------------------------------------------------------------------------------------------------------------

-- At most one active generation of each kind for an account that was started by hand. Those of batches have their line.
CREATE UNIQUE INDEX "generations_one_active_key" ON "generations"("account_id", "kind")
    WHERE "status" IN ('pending', 'processing', 'generating') AND "batch_id" IS NULL;

-- One re-roll is free. One that has failed or was cancelled may be repeated.
CREATE UNIQUE INDEX "generations_one_reroll_key" ON "generations"("reroll_of_id")
    WHERE "reroll_of_id" IS NOT NULL AND "status" <> 'failed';

-- One job at a time makes an output, whatever crashes or runs twice.
CREATE UNIQUE INDEX "engine_runs_one_live_key" ON "engine_runs"("generation_id", "position")
    WHERE "status" IN ('submitting', 'submitted');

-- One outage of a cause at a time, so that the operator is alerted once.
CREATE UNIQUE INDEX "engine_outages_one_open_of_tool_key" ON "engine_outages"("engine", "kind", "cause")
    WHERE "closed_at" IS NULL;
CREATE UNIQUE INDEX "engine_outages_one_open_key" ON "engine_outages"("engine", "cause")
    WHERE "closed_at" IS NULL AND "kind" IS NULL;

-- A repeated complaint finds the one that waits.
CREATE UNIQUE INDEX "result_reports_one_open_key" ON "result_reports"("account_id", "result_id")
    WHERE "status" = 'open';

-- ---------------------------------------------------------------------------------------------------------------------
-- Indexes for requests and for the bot
-- ---------------------------------------------------------------------------------------------------------------------

-- What an account has running, whoever started it. The line asks for it before each start of a row.
CREATE INDEX "generations_active_idx" ON "generations"("account_id")
    WHERE "status" IN ('pending', 'processing', 'generating');

-- What waits at an engine: the line starts no row while there is enough.
CREATE INDEX "generations_pending_idx" ON "generations"("engine") WHERE "status" = 'pending';

-- The line takes the next row of the account that was served longest ago, however many rows wait.
CREATE INDEX "batch_lines_open_idx" ON "batch_lines"("kind", "served_at", "account_id") WHERE "is_open";
CREATE INDEX "batches_running_idx" ON "batches"("account_id", "kind", "started_at") WHERE "status" = 'running';
CREATE INDEX "batch_rows_waiting_idx" ON "batch_rows"("batch_id", "position") WHERE "stage" = 'waiting';

-- The batches that are looked at every minute: running ones, and paused ones.
CREATE INDEX "batches_unfinished_idx" ON "batches"("account_id") WHERE "status" IN ('running', 'paused');

-- For the estimate that every start asks for: the last runs of the same work. Duration is '' for pictures.
CREATE INDEX "generations_estimate_idx"
    ON "generations"("kind", "engine", (coalesce("settings" ->> 'duration', '')), "finished_at" DESC)
    WHERE "status" = 'completed' AND "finished_at" IS NOT NULL AND "reroll_of_id" IS NULL;

-- Finds re-rolls, also failed ones, without a row for every other generation.
CREATE INDEX "generations_reroll_of_id_idx" ON "generations"("reroll_of_id") WHERE "reroll_of_id" IS NOT NULL;

-- Every start by an account that has never paid counts those of the day.
CREATE INDEX "engine_runs_unpaid_created_at_idx" ON "engine_runs"("created_at") WHERE "is_unpaid";

-- All pictures of an account, see listResults.
CREATE INDEX "results_pictures_idx" ON "results"("account_id", "id") WHERE "kind" <> 'video';

-- What an account has deleted lately.
CREATE INDEX "results_account_deleted_idx" ON "results"("account_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;

-- For the export, the merge and the erasure of an account.
CREATE INDEX "analytics_events_account_id_idx" ON "analytics_events"("account_id", "id") WHERE "account_id" IS NOT NULL;

-- What is still to be done is looked for every second.
CREATE INDEX "telegram_updates_unfinished_idx" ON "telegram_updates"("id") WHERE "finished_at" IS NULL;
CREATE INDEX "telegram_orders_untold_idx" ON "telegram_orders"("generation_id") WHERE "told_at" IS NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- Indexes for the clean-up
-- ---------------------------------------------------------------------------------------------------------------------

-- Accounts to erase. Erased ones keep the day on which their owner asked for it.
CREATE INDEX "accounts_due_erasure_idx" ON "accounts"("deletion_asked_at")
    WHERE "deletion_asked_at" IS NOT NULL AND "erased_at" IS NULL;

-- Accounts that never confirmed their e-mail.
CREATE INDEX "accounts_unconfirmed_idx" ON "accounts"("created_at")
    WHERE "email" IS NOT NULL AND "email_verified_at" IS NULL AND "erased_at" IS NULL;

-- Chats without an account whose names are to be forgotten. Those that are forgotten already would grow with every night.
CREATE INDEX "telegram_users_unlinked_idx" ON "telegram_users"("named_at")
    WHERE "account_id" IS NULL AND ("username" IS NOT NULL OR "first_name" <> '');

-- Deleted and lost results, which are few.
CREATE INDEX "results_deleted_at_idx" ON "results"("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "results_lost_idx" ON "results"("id") WHERE "lost_at" IS NOT NULL;

-- The sweep knows a file by the folder of its photo: photos/<account>/<folder>/<file>.
CREATE INDEX "photos_folder_idx" ON "photos"(split_part("master_key", '/', 3));

-- ---------------------------------------------------------------------------------------------------------------------
-- Rows to begin with
-- ---------------------------------------------------------------------------------------------------------------------

-- Packages, one for each tier; the prices are examples.
INSERT INTO "star_packages" ("name", "stars", "price_kopecks", "is_sample") VALUES
    ('Примерка', 10, 49000, true),
    ('Коллекция', 20, 90000, true),
    ('Показ', 50, 199000, true),
    ('Дом моды', 100, 349000, true);
