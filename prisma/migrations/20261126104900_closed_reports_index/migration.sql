-- CreateIndex
CREATE INDEX "result_reports_status_closed_at_id_idx" ON "result_reports"("status", "closed_at" DESC, "id" DESC);
