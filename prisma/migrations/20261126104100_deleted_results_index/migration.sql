-- For the clean-up: results that their owners have deleted are few.
CREATE INDEX "results_deleted_at_idx" ON "results"("deleted_at") WHERE "deleted_at" IS NOT NULL;
