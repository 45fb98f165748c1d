-- For the list of what an account has deleted lately.
CREATE INDEX "results_account_deleted_idx" ON "results"("account_id", "deleted_at", "id") WHERE "deleted_at" IS NOT NULL;
