-- What a generative engine made of a garment is compared with its photo. Drifted outputs may be made again once, free of
-- charge, by a generation of their own.

-- CreateEnum
CREATE TYPE "garment_verdict" AS ENUM ('pending', 'kept', 'drifted', 'not_comparable');

-- CreateEnum
CREATE TYPE "garment_drift" AS ENUM ('colour', 'print');

-- AlterEnum
ALTER TYPE "engine_run_reason" ADD VALUE 'reroll';

-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "positions" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN     "reroll_of_id" UUID;

-- CreateTable
CREATE TABLE "garment_checks" (
    "result_id" UUID NOT NULL,
    "verdict" "garment_verdict" NOT NULL DEFAULT 'pending',
    "drifts" "garment_drift"[] DEFAULT ARRAY[]::"garment_drift"[],
    "reason" TEXT,
    "colour_difference" DOUBLE PRECISION,
    "print_similarity" DOUBLE PRECISION,
    "feature_matches" INTEGER,
    "frame_seconds" DOUBLE PRECISION,
    "source_crop" BYTEA,
    "result_crop" BYTEA,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "garment_checks_pkey" PRIMARY KEY ("result_id")
);

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_reroll_of_id_fkey" FOREIGN KEY ("reroll_of_id") REFERENCES "generations"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "garment_checks" ADD CONSTRAINT "garment_checks_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One re-roll is free. One that has failed or was cancelled may be repeated.
CREATE UNIQUE INDEX "generations_one_reroll_key" ON "generations"("reroll_of_id")
    WHERE "reroll_of_id" IS NOT NULL AND "status" <> 'failed';

-- Finds re-rolls, also failed ones, without a row for every other generation.
CREATE INDEX "generations_reroll_of_id_idx" ON "generations"("reroll_of_id") WHERE "reroll_of_id" IS NOT NULL;
