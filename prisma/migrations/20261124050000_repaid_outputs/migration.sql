-- AlterTable
ALTER TABLE "star_entries" ADD COLUMN     "result_position" INTEGER;

-- The price of an output comes back once, whether for a complaint or for a loss, and whichever re-roll made it.
CREATE UNIQUE INDEX "star_entries_one_return_key" ON "star_entries"("generation_id", "result_position")
    WHERE "result_position" IS NOT NULL;

-- For the review of lost results, which are few.
CREATE INDEX "results_lost_idx" ON "results"("id") WHERE "lost_at" IS NOT NULL;
