-- The verdicts of a worker of the version before the last, which did not copy them.
-- compatible: the version before copies them in the same way every hour
UPDATE "results" SET "has_drifted" = true FROM "garment_checks"
WHERE "result_id" = "results"."id" AND "verdict" = 'drifted' AND NOT "has_drifted";
