-- Accounts to erase. Erased ones keep the day on which their owner asked for it.
CREATE INDEX "accounts_due_erasure_idx" ON "accounts"("deletion_asked_at")
    WHERE "deletion_asked_at" IS NOT NULL AND "erased_at" IS NULL;
