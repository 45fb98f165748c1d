-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "replaced_token_hash" BYTEA;

-- CreateIndex
CREATE INDEX "sessions_replaced_token_hash_idx" ON "sessions"("replaced_token_hash");
