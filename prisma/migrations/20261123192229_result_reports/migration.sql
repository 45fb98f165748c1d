-- CreateEnum
CREATE TYPE "result_report_reason" AS ENUM ('minor', 'forbidden_content', 'garment_distorted', 'person_distorted', 'other');

-- CreateEnum
CREATE TYPE "result_report_status" AS ENUM ('open', 'closed');

-- CreateEnum
CREATE TYPE "result_report_decision" AS ENUM ('no_action', 'stars_returned', 'result_removed');

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

-- CreateIndex
CREATE INDEX "result_reports_result_id_id_idx" ON "result_reports"("result_id", "id");

-- CreateIndex
CREATE INDEX "result_reports_generation_id_idx" ON "result_reports"("generation_id");

-- CreateIndex
CREATE INDEX "result_reports_account_id_idx" ON "result_reports"("account_id");

-- CreateIndex
CREATE INDEX "result_reports_status_is_urgent_id_idx" ON "result_reports"("status", "is_urgent" DESC, "id");

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_generation_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A repeated complaint finds the one that waits.
CREATE UNIQUE INDEX "result_reports_one_open_key" ON "result_reports"("account_id", "result_id")
    WHERE "status" = 'open';

-- What is closed was decided.
ALTER TABLE "result_reports" ADD CONSTRAINT "result_reports_decision_check" CHECK (
    ("status" = 'closed') = ("decision" IS NOT NULL) AND ("status" = 'closed') = ("closed_at" IS NOT NULL)
);
