-- Prisma knows no partial indexes. All pictures of an account, see listResults.
CREATE INDEX "results_pictures_idx" ON "results"("account_id", "id") WHERE "kind" <> 'video';
