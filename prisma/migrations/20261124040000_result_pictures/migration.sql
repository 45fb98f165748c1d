-- AlterTable
ALTER TABLE "results" ADD COLUMN     "is_picture" BOOLEAN GENERATED ALWAYS AS ("kind" <> 'video'::"generation_kind") STORED;

-- CreateIndex
CREATE INDEX "results_account_id_is_picture_id_idx" ON "results"("account_id", "is_picture", "id");
