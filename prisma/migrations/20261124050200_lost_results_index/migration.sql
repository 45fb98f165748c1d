-- For the review of lost results, which are few.
CREATE INDEX "results_lost_idx" ON "results"("id") WHERE "lost_at" IS NOT NULL;
