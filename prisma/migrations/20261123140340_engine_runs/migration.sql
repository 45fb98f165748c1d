-- Each job at an engine has a row of its own, written before and after its submit. Generations that run during the
-- migration keep their job.

-- CreateEnum
CREATE TYPE "engine_run_status" AS ENUM ('submitting', 'submitted', 'succeeded', 'failed', 'uncertain', 'cancelled');

-- CreateEnum
CREATE TYPE "engine_run_reason" AS ENUM ('first', 'failed_before', 'job_lost', 'submit_interrupted');

-- CreateEnum
CREATE TYPE "engine_outage_cause" AS ENUM ('unfunded', 'misconfigured', 'failing');

-- CreateTable
CREATE TABLE "engine_runs" (
    "id" UUID NOT NULL,
    "generation_id" UUID NOT NULL,
    "engine" TEXT NOT NULL,
    "kind" "generation_kind" NOT NULL,
    "model" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "reason" "engine_run_reason" NOT NULL,
    "status" "engine_run_status" NOT NULL DEFAULT 'submitting',
    "job_id" TEXT,
    "job_details" JSONB,
    "progress_share" DOUBLE PRECISION,
    "cost_micros" INTEGER NOT NULL DEFAULT 0,
    "currency" TEXT,
    "is_unpaid" BOOLEAN NOT NULL DEFAULT false,
    "failure_code" TEXT,
    "should_retry" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "engine_outages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "engine_runs_generation_id_created_at_idx" ON "engine_runs"("generation_id", "created_at");

-- CreateIndex
CREATE INDEX "engine_runs_engine_created_at_idx" ON "engine_runs"("engine", "created_at");

-- CreateIndex
CREATE INDEX "engine_outages_engine_closed_at_idx" ON "engine_outages"("engine", "closed_at");

-- AddForeignKey
ALTER TABLE "engine_runs" ADD CONSTRAINT "engine_runs_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One job at a time makes an output, whatever crashes or runs twice.
CREATE UNIQUE INDEX "engine_runs_one_live_key" ON "engine_runs"("generation_id", "position")
  WHERE "status" IN ('submitting', 'submitted');

-- One outage of a cause at a time, so that the operator is alerted once.
CREATE UNIQUE INDEX "engine_outages_one_open_of_tool_key" ON "engine_outages"("engine", "kind", "cause")
  WHERE "closed_at" IS NULL;
CREATE UNIQUE INDEX "engine_outages_one_open_key" ON "engine_outages"("engine", "cause")
  WHERE "closed_at" IS NULL AND "kind" IS NULL;

INSERT INTO "engine_runs"
  ("id", "generation_id", "engine", "kind", "model", "position", "reason", "status", "job_id", "job_details", "created_at", "submitted_at")
SELECT gen_random_uuid(), "id", "engine", "kind", "engine", 0, 'first', 'submitted', "engine_job_id", '{}', "created_at", "started_at"
FROM "generations"
WHERE "engine_job_id" IS NOT NULL
  AND ("status" IN ('pending', 'processing', 'generating') OR ("status" = 'failed' AND "failure_code" = 'timed_out'));

-- AlterTable
ALTER TABLE "generations" DROP COLUMN "engine_job_id",
DROP COLUMN "starts";

-- Or the first queries would be planned for an empty table.
ANALYZE "engine_runs";
