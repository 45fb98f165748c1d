-- For the export, the merge and the erasure of an account.
CREATE INDEX "analytics_events_account_id_idx" ON "analytics_events"("account_id", "id") WHERE "account_id" IS NOT NULL;
