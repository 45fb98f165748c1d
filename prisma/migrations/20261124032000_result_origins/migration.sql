-- AlterTable
ALTER TABLE "results" ADD COLUMN     "has_drifted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "made" TEXT,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- A change of model is left out: what it made also depends on the catalogue, which the program knows.
UPDATE "results" SET
  "started_at" = "generations"."created_at",
  "made" = CASE WHEN "generations"."kind" <> 'model_change' THEN "generations"."kind"::text END
FROM "generations" WHERE "generations"."id" = "results"."generation_id";

UPDATE "results" SET "has_drifted" = true
FROM "garment_checks"
WHERE "garment_checks"."result_id" = "results"."id" AND "garment_checks"."verdict" = 'drifted';
