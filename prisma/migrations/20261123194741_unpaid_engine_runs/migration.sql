-- Nothing reads the progress of a single job.

-- AlterTable
ALTER TABLE "engine_runs" DROP COLUMN "progress_share";

-- Every start by an account that has never paid counts those of the day.
CREATE INDEX "engine_runs_unpaid_created_at_idx" ON "engine_runs"("created_at") WHERE "is_unpaid";
